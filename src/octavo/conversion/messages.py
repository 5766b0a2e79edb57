"""What the parent and a worker process say to each other, one msgpack frame each. No pickle crosses the pipe."""

from __future__ import annotations

import msgspec

from octavo.document import PageResult, Source
from octavo.engines.engine import Task
from octavo.settings import Settings

EXIT_MEMORY = 77  # a worker's own word for MemoryError, given without allocating anything
DOCUMENTS_OPEN = 4  # documents a worker keeps open
FRAME_LIMIT = 256 << 20  # bytes; a page result of a dense newspaper page is about 1 MB


class Message(msgspec.Struct, frozen=True, tag=True):
    """Base of all messages; the class name travels as the tag."""


class Start(Message, frozen=True):
    """First words to a new worker."""

    settings: Settings


class Open(Message, frozen=True):
    """Open a document, to learn what it is. Answered by Opened or Refused. `path` is in the file system's bytes."""

    path: bytes
    password: str | None


class Read(Message, frozen=True):
    """Read page `page` of the document whose digest Opened told. Answered by Done, or by Refused for the whole run.

    `overlay` is the start of the path of a PNG to draw the page to, `-p0001.png` is added; empty: none is drawn.
    """

    path: bytes
    password: str | None
    digest: str
    page: int
    attempt: int
    task: Task
    overlay: bytes = b""


class Opened(Message, frozen=True):
    source: Source


class Done(Message, frozen=True):
    result: PageResult


class Refused(Message, frozen=True):
    """A typed error instead of an answer. `fatal` means that no page at all can be read, whichever worker tries."""

    code: str
    message: str
    fatal: bool = False


class Loading(Message, frozen=True):
    """The worker begins to load the engine: its time limit and its death count as the engine's, not the page's."""


class Ready(Message, frozen=True):
    """The worker has started, or has loaded the engine, and turns to the page."""


class Logged(Message, frozen=True):
    """A line of a worker's log, to be logged by the parent."""

    level: int
    logger: str
    event: str
    fields: dict[str, str | int | float | bool]


Request = Open | Read
Answer = Opened | Done | Refused
Report = Opened | Done | Refused | Loading | Ready | Logged

encode = msgspec.msgpack.Encoder().encode
_requests = msgspec.msgpack.Decoder(Start | Open | Read)
_reports = msgspec.msgpack.Decoder(Opened | Done | Refused | Loading | Ready | Logged)


def decode_request(frame: bytes) -> Start | Request:
    """Raises msgspec.DecodeError where the frame is not one."""
    request: Start | Request = _requests.decode(frame)
    return request


def decode_report(frame: bytes) -> Report:
    """Raises msgspec.DecodeError where the frame is not one."""
    report: Report = _reports.decode(frame)
    return report


def encodable(text: str) -> str:
    """The text without lone surrogates, which file names that are not UTF-8 bring along and no message can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")
