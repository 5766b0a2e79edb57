"""The worker process: `python -m octavo.conversion.child SOCKET LIFELINE`, started by `Worker`.

It answers one request at a time until the socket closes, and is killed by the kernel when the lifeline does.
"""

from __future__ import annotations

import fcntl
import logging
import os
import resource
import signal
import sys
import threading
from multiprocessing.connection import Connection

from octavo.conversion.messages import (
    EXIT_MEMORY,
    FRAME_LIMIT,
    Logged,
    Message,
    Open,
    Ready,
    Request,
    Start,
    decode_request,
    encodable,
    encode,
)
from octavo.conversion.reading import Reader


class Line:
    """The child's end of the socket; log lines and answers come from different threads."""

    def __init__(self, descriptor: int) -> None:
        self._connection = Connection(descriptor)
        self._lock = threading.Lock()

    def send(self, message: Message) -> None:
        frame = encode(message)
        with self._lock:
            self._connection.send_bytes(frame)

    def receive(self) -> Start | Request:
        return decode_request(self._connection.recv_bytes(FRAME_LIMIT))


class LogLine(logging.Handler):
    """Sends log records to the parent."""

    def __init__(self, line: Line) -> None:
        super().__init__()
        self._line = line

    def emit(self, record: logging.LogRecord) -> None:
        try:
            fields = {str(k): _plain(v) for k, v in getattr(record, "fields", {}).items()}
            if record.exc_info:
                fields["traceback"] = logging.Formatter().formatException(record.exc_info)
            self._line.send(Logged(record.levelno, record.name, encodable(record.getMessage()), fields))
        except Exception:
            self.handleError(record)


def _plain(value: object) -> str | int | float | bool:
    return value if isinstance(value, int | float) else encodable(str(value))


def die_with_parent(lifeline: int) -> None:
    """Have the kernel send SIGIO, whose default is death, when the last writer of the pipe `lifeline` is gone.

    Works while native code holds the interpreter. PR_SET_PDEATHSIG would not do: it fires when the *thread* ends that
    started this process.
    """
    signal.signal(signal.SIGIO, signal.SIG_DFL)
    fcntl.fcntl(lifeline, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(lifeline, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
    try:
        closed = os.read(lifeline, 1) == b""
    except BlockingIOError:
        return
    if closed:  # before we listened
        os._exit(1)


def limit_memory(megabytes: int) -> None:
    """Refuse memory beyond twice what the parent kills at, so that a bomb unpacked in one go gets MemoryError here
    before the machine runs out. No core dumps: they would be as large."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    limit = 2 * megabytes << 20
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    if hard == resource.RLIM_INFINITY or hard > limit:
        resource.setrlimit(resource.RLIMIT_DATA, (limit, hard))


def serve(line: Line) -> None:
    """Answer requests until the parent closes the socket."""
    start = line.receive()
    assert isinstance(start, Start)
    limit_memory(start.settings.worker_memory_mb)
    logging.basicConfig(handlers=[LogLine(line)], level=logging.WARNING)
    logging.getLogger("octavo").setLevel(start.settings.log_level.upper())
    logging.captureWarnings(True)
    reader = Reader(start.settings, line.send)
    line.send(Ready())
    while True:
        try:
            request = line.receive()
        except EOFError:
            reader.close()
            return
        assert not isinstance(request, Start)
        line.send(reader.open(request) if isinstance(request, Open) else reader.read(request))


def main(arguments: list[str]) -> None:
    descriptor, lifeline = map(int, arguments)
    os.set_inheritable(descriptor, False)
    os.set_inheritable(lifeline, False)
    die_with_parent(lifeline)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        serve(Line(descriptor))
    except MemoryError:
        os._exit(EXIT_MEMORY)
    except BrokenPipeError:
        os._exit(1)


if __name__ == "__main__":
    main(sys.argv[1:])
