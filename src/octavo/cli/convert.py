"""`octavo convert`: documents to Markdown, JSON, HTML and text."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from octavo.cli.progress import Progress
from octavo.conversion.documents import (
    DocumentFinished,
    DocumentRefused,
    DocumentStarted,
    Event,
    PageFinished,
    Request,
    read_documents,
)
from octavo.conversion.inputs import Found, find
from octavo.conversion.messages import encodable
from octavo.conversion.outputs import FORMATS, Output, Outputs, format_of, plan
from octavo.conversion.pool import Pool
from octavo.document import PageError, PageStatus, PageWarning, Source, Summary
from octavo.errors import OctavoError, UsageError
from octavo.settings import Settings, load, rules

NAMED = 10  # failed pages that are named one by one
_FLAGS = ("workers", "engine", "tier", "lang", "text_layer", "layout", "dpi")

# Warnings of ordinary pages: they stand in JSON and HTML, and would drown the others here.
_UNREMARKABLE = {"unsure-lines", "text-layer-not-used"}


def add(subparsers: Any) -> None:
    """Declares the command."""
    about = "Read documents and write Markdown, JSON, HTML or text."
    parser = subparsers.add_parser("convert", help=about, description=about)
    parser.add_argument("inputs", nargs="+", metavar="IN", type=Path, help="a document, or a folder of documents")
    parser.add_argument(
        "-o", "--out", required=True, metavar="OUT",
        help="a file for one document and one format, otherwise a folder; - is standard output",
    )  # fmt: skip
    parser.add_argument(
        "--format", metavar="LIST", help=f"formats joined by commas, of {', '.join(FORMATS)} (default: as OUT, or md)"
    )
    parser.add_argument("--pages", metavar="RANGE", help="pages to read, like 1-3,5,10-")
    for name in _FLAGS:
        kind, _, rule = rules()[name]
        metavar = None if rule.choices else kind.__name__.upper()
        help = f"{rule.help} (setting {name})"
        parser.add_argument(f"--{name.replace('_', '-')}", choices=rule.choices or None, metavar=metavar, help=help)
    parser.add_argument(
        "--password-file", metavar="FILE", help="file whose first line is the documents' password; - is standard input"
    )
    parser.add_argument("--keep-furniture", action="store_true", help="keep running headers, footers and page numbers")
    parser.add_argument(
        "--tables", metavar="DIR", type=Path, help="write each table to DIR as CSV, and all of a document to a workbook"
    )
    parser.add_argument(
        "--debug-overlay", metavar="DIR", type=Path, help="draw each page with its blocks, their kinds and order to DIR"
    )
    parser.add_argument("--json", action="store_true", help="write an account of the run to standard output, as JSON")
    parser.add_argument("--quiet", action="store_true", help="show no progress")


def run(args: argparse.Namespace) -> int:
    """Converts; 0 where every page was read, 1 where some pages or inputs failed. Raises OctavoError otherwise."""
    flags = {name: getattr(args, name) for name in _FLAGS}
    settings = load({**flags, "log_level": args.log_level, "log_format": args.log_format})
    documents, targets = _planned(args)
    password = _password(args.password_file)
    overlays = _beside(documents, args.debug_overlay)
    requests = [
        Request(document.path, args.pages, password, overlay)
        for document, overlay in zip(documents, overlays, strict=True)
    ]
    tables = _beside(documents, args.tables)
    records = [
        _Record(str(document.path), outputs, place)
        for document, outputs, place in zip(documents, targets, tables, strict=True)
    ]
    began = time.monotonic()
    with _terminated_like_interrupted(), contextlib.closing(Progress(quiet=args.quiet)) as progress:
        _convert(requests, records, settings, args.keep_furniture, progress)
        for record in records:
            for line in record.complaints():
                progress.say(f"octavo: {line}")
    if args.json:
        print(json.dumps(_account(records, time.monotonic() - began), indent=2, ensure_ascii=False))
    return _exit_code(records)


# ---- what goes where


def _planned(args: argparse.Namespace) -> tuple[list[Found], list[list[Output]]]:
    """The documents, and for each the files it is written to. Raises UsageError, UnreadableError."""
    out = Path(args.out)
    formats = _formats(args.format)
    if args.out == "-":
        if args.json:
            raise UsageError("--json and -o - both write to standard output; give -o a file")
        documents, name = _single(args, formats or ["md"], "standard output")
        return documents, [[Output(None, name)]]
    is_folder = out.is_dir() or args.out.endswith(os.sep)
    named_like_file = not is_folder and out.suffix.lower() in {form.suffix for form in FORMATS.values()}
    one_of_each = len(args.inputs) == 1 and not args.inputs[0].is_dir() and len(formats) <= 1
    if named_like_file or (one_of_each and not is_folder):
        default = format_of(out) if named_like_file and not formats else "md"
        documents, name = _single(args, formats or [default], f"the file {out}")
        return documents, _spared(documents, [[Output(out, name)]])
    if out.exists() and not out.is_dir():
        raise UsageError(f"{out} is a file, but several documents or formats need a folder; give -o another name")
    if any(path.is_dir() and os.path.realpath(path) == os.path.realpath(out) for path in args.inputs):
        raise UsageError(f"{out} holds the documents; results there would be read by the next run: give another -o")
    documents = find(args.inputs, leave_out=out)
    targets = plan([document.place for document in documents], out, formats or ["md"])
    return documents, _spared(documents, targets)


def _beside(documents: Sequence[Found], folder: Path | None) -> Sequence[Path | None]:
    """Where in `folder` each document's further files go: paths without suffix, whose folders are made.

    Raises UsageError where a folder cannot be made.
    """
    if folder is None:
        return [None] * len(documents)
    places = [outputs[0].path for outputs in plan([document.place for document in documents], folder, ["md"])]
    starts = [path.with_suffix("") for path in places if path is not None]
    try:
        for start in starts:
            start.parent.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise UsageError(f"{folder} cannot be made a folder: {fault.strerror or fault}") from None
    return starts


def _single(args: argparse.Namespace, formats: Sequence[str], place: str) -> tuple[list[Found], str]:
    documents = find(args.inputs)
    if len(documents) > 1 or len(formats) > 1:
        what = f"{len(documents)} documents" if len(documents) > 1 else f"the formats {', '.join(formats)}"
        raise UsageError(f"{what} cannot go to {place}; give -o a folder")
    return documents, formats[0]


def _formats(text: str | None) -> list[str]:
    names = list(dict.fromkeys(name.strip().lower() for name in (text or "").split(",") if name.strip()))
    for name in names:
        if name not in FORMATS:
            raise UsageError(f"there is no output format {name!r}; known formats: {', '.join(FORMATS)}")
    if text is not None and not names:
        raise UsageError(f"--format names no format; known formats: {', '.join(FORMATS)}")
    return names


def _spared(documents: Sequence[Found], targets: list[list[Output]]) -> list[list[Output]]:
    """The targets, if none of them is a document. Raises UsageError."""
    inputs = {os.path.realpath(document.path) for document in documents}
    for output in (output for outputs in targets for output in outputs):
        if output.path is not None and os.path.realpath(output.path) in inputs:
            raise UsageError(f"{output.path} is an input and would be overwritten; give -o another folder or name")
    return targets


def _password(file: str | None) -> str | None:
    if file is None:
        return None
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as fault:
        raise UsageError(f"the password file {file} cannot be read: {fault}") from None
    if not text:
        raise UsageError(f"the password file {file} is empty; its first line must be the password")
    return text.splitlines()[0]


# ---- the conversion itself


@dataclass(slots=True)
class _Record:
    """What became of one input."""

    path: str
    outputs: Sequence[Output]
    tables: Path | None = None
    source: Source | None = None
    summary: Summary | None = None
    error: OctavoError | None = None
    failed: list[tuple[int, PageError | None]] = field(default_factory=list)
    cached: int = 0
    seconds: float = 0.0

    def complaints(self) -> Iterator[str]:
        """Lines for people about what went wrong, without an input that was refused."""
        if self.summary is None:
            return
        if review := self.summary.review_pages:
            some = ", ".join(map(str, review[:NAMED])) + (" ..." if len(review) > NAMED else "")
            yield f"{self.path}: {len(review)} of {self.summary.pages} pages were read with low confidence: {some}"
        if not self.failed:
            return
        pages = ", ".join(f"{page} ({error.code if error else 'failed'})" for page, error in self.failed[:NAMED])
        more = f" and {len(self.failed) - NAMED} more" if len(self.failed) > NAMED else ""
        yield f"{self.path}: {len(self.failed)} of {self.summary.pages} pages failed: {pages}{more}"

    def account(self) -> dict[str, Any]:
        """For `--json`. `seconds` is the time since the input before it was finished."""
        summary = self.summary or Summary(0)
        rate = summary.pages / self.seconds if self.seconds else 0.0
        return {
            "path": encodable(self.path),
            "source": None
            if self.source is None
            else {f: getattr(self.source, f) for f in self.source.__struct_fields__},
            "outputs": [encodable(str(output.path)) for output in self.outputs] if self.summary else [],
            "pages": summary.pages,
            **{status.value: getattr(summary, status.value) for status in PageStatus},
            "failed_pages": [
                {"page": page, "code": error.code if error else "", "message": error.message if error else ""}
                for page, error in self.failed
            ],
            "review_pages": list(summary.review_pages),
            "cached_pages": self.cached,
            "seconds": round(self.seconds, 3),
            "pages_per_second": round(rate, 3),
            "error": None if self.error is None else {"code": self.error.code, "message": self.error.message},
        }


def _convert(
    requests: Sequence[Request],
    records: Sequence[_Record],
    settings: Settings,
    keep_furniture: bool,
    progress: Progress,
) -> None:
    """Fill the records. Whatever is raised, the workers are stopped and no half file stays behind."""
    with contextlib.closing(Pool(settings)) as pool:
        events = read_documents(requests, pool, settings)
        mark = time.monotonic()
        for record in records:
            _one_document(events, record, keep_furniture, progress)
            mark, record.seconds = time.monotonic(), time.monotonic() - mark
            if record.error is not None and len(records) > 1:
                progress.say(f"octavo: error: {record.error.message}")
        for _ in events:  # lets the reading end in its own way
            pass


def _one_document(events: Iterator[Event], record: _Record, keep_furniture: bool, progress: Progress) -> None:
    first = next(events)
    if isinstance(first, DocumentRefused):
        record.error = first.error
        return
    assert isinstance(first, DocumentStarted)
    record.source = first.source
    progress.expect(len(first.pages))
    warned: set[PageWarning] = set()  # what is said of one page is not said again of the next
    with Outputs(record.outputs, keep_furniture=keep_furniture, tables=record.tables) as outputs:
        outputs.begin(first.source)
        for event in events:
            if isinstance(event, PageFinished):
                result = event.result
                outputs.page(result)
                progress.page(result)
                for warning in result.warnings:
                    if warning.code not in _UNREMARKABLE and warning not in warned:
                        warned.add(warning)
                        progress.say(f"octavo: warning: {first.source.name}, page {result.page}: {warning.message}")
                record.cached += result.usage.cached
                if result.status is PageStatus.FAILED:
                    record.failed.append((result.page, result.error))
            elif isinstance(event, DocumentFinished):
                outputs.finish(event.summary)
                record.summary = event.summary
                return


@contextlib.contextmanager
def _terminated_like_interrupted() -> Iterator[None]:
    """Have SIGTERM stop the workers and remove half files, as Ctrl-C does."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


# ---- the end


def _account(records: Sequence[_Record], seconds: float) -> dict[str, Any]:
    pages = sum(record.summary.pages for record in records if record.summary)
    return {
        "inputs": [record.account() for record in records],
        "pages": pages,
        "failed": sum(len(record.failed) for record in records),
        "refused": sum(record.error is not None for record in records),
        "seconds": round(seconds, 3),
        "pages_per_second": round(pages / seconds, 3) if seconds else 0.0,
    }


def _exit_code(records: Sequence[_Record]) -> int:
    errors = [record.error for record in records if record.error is not None]
    if len(records) == 1 and errors:
        raise errors[0]
    if len(errors) == len(records):
        return errors[0].exit_code
    return 1 if errors or any(record.failed for record in records) else 0
