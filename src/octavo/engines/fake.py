"""An engine that answers, and misbehaves, as its pages tell it to. Only for tests.

It reads the text layer of a page (with `settings.engine = "fake"`, for example from a PDF made by a test), or, where
there is none, answers with the size and colour of the picture. A line of the text layer of the form

    fake: DEED [NUMBER]

makes it misbehave on that page:

    crash [N]      die of SIGABRT            hang [N]       never answer
    oom [N]        eat memory bit by bit     bomb [N]       ask for more memory than there is
    exit [N]       leave without a word      raise [N]      raise an unexpected exception
    refuse [N]     raise a typed error       retry [N]      answer with an error that may be tried again
    garbage [N]    answer with wrong types   wrong [N]      answer for another page
    none [N]       give no answer            twice [N]      give two answers
    nan [N]        answer with a box of NaN  babble [N]     write megabytes to stderr, then crash
    slow [S]       take S seconds, then answer              blank   answer that the page is blank
    unsure         answer with a confidence of a half

With N, only the first N attempts go wrong. To count attempts over processes the variable `FAKE_ENGINE_LOG` must name a
file; each page that the engine is asked to read adds its text to it, one line, before anything else happens. Tests
read it to learn what was read and what came from the cache.
The variable `FAKE_ENGINE_START` makes loading go wrong: `missing` (ModelMissingError), `raise`, `crash`, `hang`, `oom`.
"""

from __future__ import annotations

import ctypes
import os
import sys
import time
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from octavo.document import Block, Kind, Page, PageError, PageResult, PageStatus, Stamp, TextSource
from octavo.engines.engine import Engine, Task
from octavo.errors import ImageTooLargeError, ModelMissingError
from octavo.settings import Settings


def stamp(settings: Settings) -> Stamp:
    """Depends on tier and language, as a real engine's does."""
    return Stamp("fake", "1", "none", "python", {"tier": settings.tier, "lang": settings.lang})


def create(settings: Settings) -> Engine:
    """The engine, or what `FAKE_ENGINE_START` asks for."""
    match os.environ.get("FAKE_ENGINE_START"):
        case "missing":
            raise ModelMissingError("the weights of the engine 'fake' are missing; run octavo models pull")
        case "raise":
            raise RuntimeError("the fake engine does not start")
        case str(deed) if deed:
            _die(deed)
    return FakeEngine(stamp(settings))


class FakeEngine:
    def __init__(self, stamp: Stamp) -> None:
        self.stamp = stamp

    def recognize(self, pages: Iterable[Page], task: Task) -> Iterator[PageResult]:
        for page in pages:
            yield from self._read(page, task)

    def close(self) -> None:
        pass

    def _read(self, page: Page, task: Task) -> list[PageResult]:
        text = _text(page, task)
        deed, number = _script(text)
        attempt = _note(text)
        if deed == "slow":
            time.sleep(number or 0)
        elif deed and (number is None or attempt <= number):
            return _misbehave(deed, page, text)
        return [_answer(page, text)]


def _text(page: Page, task: Task) -> str:
    if page.text_layer is not None and task.text_layer != "never":
        return "\n".join(line.text for line in page.text_layer.lines)
    pixels = page.render(task.dpi)
    height, width, _ = pixels.shape
    red, green, blue = pixels[height // 2, width // 2].tolist()
    return f"picture {width}x{height} {red:02x}{green:02x}{blue:02x}"


def _script(text: str) -> tuple[str, float | None]:
    for line in text.splitlines():
        if line.startswith("fake:"):
            words = line.removeprefix("fake:").split()
            return words[0], float(words[1]) if len(words) > 1 else None
    return "", None


def _note(text: str) -> int:
    """Write the page down; returns the number of the attempt where a file is named, 1 otherwise."""
    path = os.environ.get("FAKE_ENGINE_LOG")
    if not path:
        return 1
    entry = text.replace("\n", " | ")
    with open(path, "a+", encoding="utf-8") as file:
        file.write(entry + "\n")
        file.flush()
        file.seek(0)
        return file.read().splitlines().count(entry)


def _misbehave(deed: str, page: Page, text: str) -> list[PageResult]:
    answer = _answer(page, text)
    match deed:
        case "raise":
            raise RuntimeError("the fake engine was told to raise")
        case "refuse":
            raise ImageTooLargeError(f"page {page.number}: the fake engine was told to refuse")
        case "retry":
            error = PageError("engine", f"page {page.number}: the fake engine asks for patience", retryable=True)
            return [PageResult(page.number, PageStatus.FAILED, error=error)]
        case "garbage":
            return [PageResult(page.number, "nonsense", width="wide")]  # type: ignore[arg-type]
        case "wrong":
            return [PageResult(page.number + 1, PageStatus.OK)]
        case "none":
            return []
        case "twice":
            return [answer, answer]
        case "nan":
            box = (0.0, 0.0, float("nan"), 1.0)
            return [PageResult(page.number, PageStatus.OK, blocks=(Block(Kind.TEXT, box),))]
        case "unsure":
            return [replace(answer, confidence=0.5)]
        case "blank":
            return [PageResult(page.number, PageStatus.BLANK, page.width, page.height, page.unit)]
        case _:
            _die(deed)
            return []


def _die(deed: str) -> None:
    match deed:
        case "crash":
            os.abort()
        case "exit":
            os._exit(3)
        case "hang":
            ctypes.PyDLL(None).sleep(86_400)  # as native code does that never lets other threads run
        case "bomb":
            bytearray(1 << 44)
        case "oom":
            hoard = []
            while True:
                hoard.append(b"\xff" * (32 << 20))
                time.sleep(0.02)
        case "babble":
            for _ in range(3000):
                sys.stderr.write("babble " * 150 + "\n")
            sys.stderr.flush()
            os.abort()
        case _:
            raise ValueError(f"the fake engine knows no deed {deed!r}")


def _answer(page: Page, text: str) -> PageResult:
    block = Block(Kind.TEXT, (0.0, 0.0, page.width, page.height), text)
    source: TextSource = "text-layer" if page.text_layer is not None else "ocr"
    return PageResult(
        page.number, PageStatus.OK, page.width, page.height, page.unit, text_source=source, blocks=(block,)
    )
