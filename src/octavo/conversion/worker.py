"""One worker process, seen from the parent."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import deque
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from octavo.conversion.messages import DOCUMENTS_OPEN, FRAME_LIMIT, Message, Report, Start, decode_report, encode
from octavo.settings import Settings

if TYPE_CHECKING:
    from octavo.conversion.pool import Ticket

START_TIMEOUT = 300.0  # seconds to start, or to load an engine's networks on a slow disk
LAST_WORDS = 2000  # bytes of a dead worker's stderr that go to the log
STDERR_LIMIT = 1 << 20  # bytes of stderr kept while it lives

# One thread per process: two processes of one thread read 1.26 times more pages than one of two.
# Two malloc arenas keep freed page pictures from staying behind in each thread's own arena.
_ENVIRONMENT = {
    "OMP_NUM_THREADS": "1",
    "OMP_THREAD_LIMIT": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "2",
    "PYTHONFAULTHANDLER": "1",
}


class Worker:
    """A child process with a socket to it, and a pipe whose closing kills it.

    It is started with Popen, not with multiprocessing, so that scripts need no `if __name__ == "__main__"`.
    Nobody ever writes into the pipe: when the parent dies, however it dies, the kernel sends the child SIGIO.
    """

    def __init__(self, settings: Settings) -> None:
        """Start the process; it need not be up yet when this returns. Raises OSError where none can be started."""
        self.ticket: Ticket | None = None
        self.starting = True
        self.deadline = time.monotonic() + START_TIMEOUT
        self.pages = 0
        self.documents: deque[bytes] = deque(maxlen=DOCUMENTS_OPEN)
        with contextlib.ExitStack() as undo:
            ours, theirs = socket.socketpair()
            undo.callback(theirs.close)
            lifeline, self._lifeline = os.pipe()
            undo.callback(os.close, lifeline)
            self._stderr = tempfile.TemporaryFile("a+b")  # noqa: SIM115  lives as long as the worker
            self.connection = Connection(ours.detach())
            try:
                self._process = subprocess.Popen(
                    [sys.executable, "-P", "-m", "octavo.conversion.child", str(theirs.fileno()), str(lifeline)],
                    pass_fds=(theirs.fileno(), lifeline),
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=self._stderr,
                    env=_environment(),
                    start_new_session=True,
                )
            except BaseException:
                self._close()
                raise
        self.send(Start(settings))

    @property
    def pid(self) -> int:
        return self._process.pid

    def send(self, message: Message) -> None:
        """Send without waiting. A dead worker is noticed when it is listened to, not here."""
        with contextlib.suppress(OSError):
            self.connection.send_bytes(encode(message))

    def give(self, ticket: Ticket) -> None:
        """Hand it a request; what it wrote to stderr about earlier ones is forgotten."""
        self.ticket = ticket
        if ticket.request.path not in self.documents:
            self.documents.append(ticket.request.path)
        os.ftruncate(self._stderr.fileno(), 0)
        self.send(ticket.request)

    def receive(self) -> Report:
        """The next message. Raises EOFError, OSError or msgspec.DecodeError where the worker is dead or raves."""
        return decode_report(self.connection.recv_bytes(FRAME_LIMIT))

    def resident(self) -> int:
        """Bytes of memory it holds; 0 when it is gone."""
        try:
            return int(psutil.Process(self.pid).memory_info().rss)
        except psutil.Error:
            return 0

    def trim_stderr(self) -> None:
        """Keep a chatty library from filling the disk."""
        if os.fstat(self._stderr.fileno()).st_size > STDERR_LIMIT:
            os.ftruncate(self._stderr.fileno(), 0)

    def kill(self) -> tuple[int, str]:
        """Kill it and all it started. Returns its exit status (as Popen's) and the end of its stderr."""
        # The signal goes out before the status is collected: until then the group's number cannot be another's.
        # One that has died already keeps its own status.
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)
        status = self._process.wait()
        size = os.fstat(self._stderr.fileno()).st_size
        words = os.pread(self._stderr.fileno(), LAST_WORDS, max(0, size - LAST_WORDS))
        self._close()
        return status, words.decode("utf-8", "replace").strip()

    def dismiss(self) -> None:
        """Tell an idle worker to leave; `kill` is still to be called."""
        with contextlib.suppress(OSError):
            self.connection.close()

    def join(self, seconds: float) -> None:
        """Wait until a dismissed worker has left, at most this long."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)

    def _close(self) -> None:
        self.dismiss()
        os.close(self._lifeline)
        self._stderr.close()


def _environment() -> dict[str, str]:
    environment = {**os.environ, **_ENVIRONMENT}
    package = Path(__file__).resolve().parents[2]
    # A script may have found the package through sys.path alone. A site-packages folder is found anyway,
    # and naming it here would put it before the standard library.
    if package.name not in ("site-packages", "dist-packages"):
        known = environment.get("PYTHONPATH")
        environment["PYTHONPATH"] = f"{known}{os.pathsep}{package}" if known else str(package)
    return environment
