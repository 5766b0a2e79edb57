"""The systems that `make bench` compares, each as its users run it on one picture of a page.

Each class is made once, in a process of its own (`benchmarks.system_child`), and then reads page after page. `prepare`
is not measured. `Missing` is raised where the system is not installed.
"""

from __future__ import annotations

import contextlib
import dataclasses
import io
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any, Protocol


class Missing(Exception):
    """The system is not installed; the message says what to do."""


class System(Protocol):
    networks_seconds: float  # CPU seconds spent in networks since the start, where that can be told

    def prepare(self, picture: Path) -> Path:
        """The file to be read for this picture."""

    def read(self, file: Path, tesseract: str) -> str:
        """The text of the page. `tesseract` is the language as Tesseract calls it."""


class Octavo:
    """What a worker does with a page, in its own words: open the file, read it, write plain text. Languages untold."""

    def __init__(self, tier: str) -> None:
        from benchmarks.surroundings import default_settings
        from octavo.conversion.reading import Reader

        self.networks_seconds = 0.0
        self._clock_networks()
        self._reader = Reader(default_settings(tier=tier), lambda message: None)
        self._reader._loaded()  # networks are loaded now and not with the first page

    def prepare(self, picture: Path) -> Path:
        return picture

    def read(self, file: Path, tesseract: str) -> str:
        from octavo.assembly import writers
        from octavo.conversion.messages import Done, Open, Opened, Read
        from octavo.document import Summary
        from octavo.engines.engine import Task

        path = os.fsencode(file)
        opened = self._reader.open(Open(path, None))
        assert isinstance(opened, Opened), opened
        done = self._reader.read(Read(path, None, opened.source.digest, 1, 1, Task()))
        assert isinstance(done, Done), done
        text = io.BytesIO()
        writer = writers.create("txt", text, keep_furniture=True)
        writer.begin(opened.source)
        writer.page(done.result)
        writer.end(Summary(1))
        return text.getvalue().decode()

    def _clock_networks(self) -> None:
        """Have every network that is loaded from now on add its CPU time to `networks_seconds`."""
        from octavo.engines.pipeline.runtime import Network, Runtime

        load = Runtime.load

        def clocked(runtime: Runtime, path: Path, *rest: Any, **more: Any) -> Network:
            network = load(runtime, path, *rest, **more)

            def run(x: Any) -> Any:
                began = time.process_time()
                outputs = network.run(x)
                self.networks_seconds += time.process_time() - began
                return outputs

            return dataclasses.replace(network, run=run)

        Runtime.load = clocked  # type: ignore[method-assign, assignment]


class Rapid:
    """RapidOCR as its page says: `RapidOCR()(picture)`, the lines' texts joined."""

    networks_seconds = 0.0

    def __init__(self, threads: int | None = None) -> None:
        try:
            from rapidocr import RapidOCR
        except ImportError as fault:
            raise Missing(f"RapidOCR cannot be imported ({fault}); install the extra `bench`") from fault
        limits = {f"EngineConfig.onnxruntime.{kind}_op_num_threads": threads for kind in ("intra", "inter")}
        self._engine = RapidOCR(params=limits) if threads else RapidOCR()

    def prepare(self, picture: Path) -> Path:
        return picture

    def read(self, file: Path, tesseract: str) -> str:
        read: Any = self._engine(str(file))
        return "\n".join(read.txts or ())


class Tesseract:
    """`tesseract PICTURE stdout -l LANG` on one thread; it loads its data for each page, as its users see it."""

    networks_seconds = 0.0

    def __init__(self) -> None:
        if shutil.which("tesseract") is None:
            raise Missing("Tesseract is not installed: apt-get install tesseract-ocr")

    def prepare(self, picture: Path) -> Path:
        return picture

    def read(self, file: Path, tesseract: str) -> str:
        return _output(["tesseract", str(file), "stdout", "-l", tesseract])


class OcrMyPdf:
    """`ocrmypdf -j 1 -l LANG --sidecar TEXT IN OUT` on a PDF of one page that holds the picture as it is."""

    networks_seconds = 0.0
    _PAGE_WIDTH = 8.27  # inches, of A4: what the picture's dots per inch are taken from

    def __init__(self) -> None:
        if shutil.which("tesseract") is None or shutil.which("gs") is None:
            raise Missing("OCRmyPDF needs Tesseract and Ghostscript: apt-get install tesseract-ocr ghostscript")
        try:
            metadata.version("ocrmypdf")
        except metadata.PackageNotFoundError as fault:
            raise Missing("OCRmyPDF is not installed; install the extra `bench`") from fault
        self._folder = tempfile.TemporaryDirectory(prefix="octavo-bench-")

    def prepare(self, picture: Path) -> Path:
        import img2pdf  # type: ignore[import-untyped]
        from PIL import Image

        pdf = Path(self._folder.name, f"{picture.parent.name}-{picture.stem}.pdf")
        if not pdf.exists():
            with Image.open(picture) as image:
                dpi = round(image.width / self._PAGE_WIDTH)
            layout = img2pdf.get_fixed_dpi_layout_fun((dpi, dpi))
            pdf.write_bytes(img2pdf.convert(str(picture), layout_fun=layout))
        return pdf

    def read(self, file: Path, tesseract: str) -> str:
        text, out = Path(self._folder.name, "text.txt"), Path(self._folder.name, "out.pdf")
        with contextlib.suppress(FileNotFoundError):
            text.unlink()
        options = ["-j", "1", "-l", tesseract, "--sidecar", str(text), "--quiet"]
        _output([sys.executable, "-m", "ocrmypdf", *options, str(file), str(out)])
        return text.read_text(encoding="utf-8")


def _output(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}: {done.stderr.strip()[-500:]}")
    return done.stdout


SYSTEMS: dict[str, Callable[[], System]] = {
    "octavo standard": lambda: Octavo("standard"),
    "octavo fast": lambda: Octavo("fast"),
    "RapidOCR": Rapid,
    "RapidOCR, one thread": lambda: Rapid(threads=1),
    "Tesseract": Tesseract,
    "OCRmyPDF -j 1": OcrMyPdf,
}
# Systems whose work is done by programs that are started for each page.
STARTS_PROGRAMS = frozenset({"Tesseract", "OCRmyPDF -j 1"})
# The one that stays as its users run it, with a thread per core.
MANY_THREADS = frozenset({"RapidOCR"})
