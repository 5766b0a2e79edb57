"""What a document is made of: the types that travel from intake to the writers.

Everything here is frozen, has no behaviour beyond reading itself, and imports nothing heavy.
Page numbers are 1-based everywhere. Boxes are ``(x0, y0, x1, y1)`` in the page's own unit, origin at the
top left of the page *as displayed* (after a PDF's ``/Rotate`` or a photograph's EXIF turn). Confidences are 0 to 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

import msgspec

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Pixels = NDArray[np.uint8]  # height x width x 3, RGB

SCHEMA_VERSION = "1.1"

Box = tuple[float, float, float, float]
Unit = Literal["pt", "px"]
TextSource = Literal["ocr", "text-layer", "none"]


class Kind(StrEnum):
    """What a block is."""

    TITLE = "title"
    HEADING = "heading"
    TEXT = "text"
    LIST_ITEM = "list_item"
    TABLE = "table"
    FIGURE = "figure"
    CAPTION = "caption"
    FORMULA = "formula"
    CODE = "code"
    HEADER = "header"
    FOOTER = "footer"
    PAGE_NUMBER = "page_number"
    FOOTNOTE = "footnote"
    REFERENCE = "reference"
    SEAL = "seal"


class PageStatus(StrEnum):
    """How reading a page ended; every page that went in has exactly one."""

    OK = "ok"
    FALLBACK = "fallback"  # read, but not by the way asked for; a warning says how
    BLANK = "blank"  # nothing to read
    FAILED = "failed"  # `error` says why


class Record(msgspec.Struct, frozen=True, omit_defaults=True):
    """Base of the types that are written to JSON."""


class Word(Record, frozen=True):
    """`style` holds letters of STYLES, in their order; `link` is the address the word leads to."""

    text: str
    box: Box
    confidence: float = 1.0
    style: str = ""
    link: str = ""


STYLES = {"b": "bold", "i": "italic", "m": "monospaced", "s": "superscript", "u": "subscript"}
"""The letters of `Word.style` and `Span.style`."""


class Span(Record, frozen=True):
    """A part of a block's text, from character `start` to before `end`, that is set otherwise, leads somewhere, or is a
    formula, which `latex` then is without dollar signs."""

    start: int
    end: int
    style: str = ""
    link: str = ""
    latex: str = ""


class Line(Record, frozen=True):
    text: str
    box: Box
    confidence: float = 1.0
    words: tuple[Word, ...] = ()
    lang: str = ""  # the code of the language it was read as, where it is known


class Cell(Record, frozen=True):
    """A table cell; `row` and `column` are 0-based positions of its top left corner in the grid."""

    row: int
    column: int
    text: str
    box: Box
    row_span: int = 1
    column_span: int = 1
    header: bool = False


class Block(Record, frozen=True):
    """A region of a page. `text` is its plain text with one line feed between paragraphs' lines already joined."""

    kind: Kind
    box: Box
    text: str = ""
    confidence: float = 1.0
    level: int = 0  # headings and list items: 1 is the outermost; 0 where it has no meaning
    lines: tuple[Line, ...] = ()
    cells: tuple[Cell, ...] = ()
    latex: str = ""
    spans: tuple[Span, ...] = ()  # of `text`, ascending, none over another
    target: int | None = None  # 0-based, of the page's block that a caption, or a footnote's mark, belongs to
    picture: bytes = b""  # PNG of a formula, for readers that know better


class Stamp(Record, frozen=True):
    """What produced a result. Two results with equal stamps and equal pictures are equal."""

    engine: str
    version: str
    weights: str  # digest over the weight files used, or the version of an outside program
    runtime: str  # for example "openvino 2026.4 bf16"
    settings: dict[str, str] = {}  # those that change the answer


class PageWarning(Record, frozen=True):
    """Something the reader of a result should know: a stable code and a sentence."""

    code: str
    message: str


class PageError(Record, frozen=True):
    """Why a page failed; `code` is one of those in docs/errors.md."""

    code: str
    message: str
    retryable: bool = False


class Usage(Record, frozen=True):
    seconds: float = 0.0  # wall clock
    cpu_seconds: float = 0.0
    attempts: int = 1
    cached: bool = False
    visual_tokens: int = 0
    output_tokens: int = 0


class PageResult(Record, frozen=True):
    """What was read on one page: the unit of checkpoint, cache and retry. Blocks stand in reading order."""

    page: int
    status: PageStatus
    width: float = 0.0
    height: float = 0.0
    unit: Unit = "px"
    rotation: int = 0  # clockwise quarter turns, in degrees, that make the displayed page upright
    skew: float = 0.0  # degrees by which upright text lines fall to the right; small
    text_source: TextSource = "none"
    confidence: float = 1.0
    blocks: tuple[Block, ...] = ()
    stamp: Stamp | None = None
    error: PageError | None = None
    warnings: tuple[PageWarning, ...] = ()
    usage: Usage = Usage()
    label: str = ""  # what the document calls the page, for example "iv" or "A-3"; empty where it is not known
    languages: tuple[str, ...] = ()  # codes of those found or told, the most used first


class Source(Record, frozen=True):
    """Where a document's bytes are and what they are."""

    name: str
    media_type: str
    bytes: int
    digest: str  # "blake3:" and 64 hex digits of the whole file
    pages: int = 0  # pages in the file, whatever page range was asked for


class Fragment(Record, frozen=True):
    """One piece of a flow item: the block at `block` (0-based) of page `page`, and its box there.

    `join` tells how its text goes on the text of the fragment before: "" for the first, "space", "none" where the
    script has no spaces, "hyphen" where the hyphen before is dropped, "rows" for the rows of a table, whose first
    `skip_rows` repeat the header, or "line" for a new line.
    """

    page: int
    block: int
    box: Box
    join: Literal["", "space", "none", "hyphen", "rows", "line"] = ""
    skip_rows: int = 0


class FlowItem(Record, frozen=True):
    """One item of the stitched reading order. Several fragments mean that it was merged over page breaks.

    `kind` and `level` hold for the whole document; the blocks keep what was seen on their page alone.
    """

    kind: Kind
    fragments: tuple[Fragment, ...]
    level: int = 0


class Summary(Record, frozen=True):
    """The account of a finished document: `pages` equals the sum of the counts from `ok` to `failed`."""

    pages: int
    ok: int = 0
    fallback: int = 0
    blank: int = 0
    failed: int = 0
    failed_pages: tuple[int, ...] = ()
    review_pages: tuple[int, ...] = ()  # read, but with a confidence that asks for a second look


@dataclass(frozen=True, slots=True)
class TextLayer:
    """The text a page brings along, in page units as displayed.

    `visible` is False where the text is drawn in no colour over a picture, as OCR programs leave it behind.
    `blocks` is set where the structure is known and need not be found (pages rendered from Markdown).
    `rulings` are the straight lines drawn on the page, as thin boxes: the borders of tables, underlines, rules.
    """

    lines: tuple[Line, ...]
    visible: bool = True
    image_cover: float = 0.0  # share of the page that pictures cover, 0 to 1
    unmapped: int = 0  # glyphs without a Unicode value
    blocks: tuple[Block, ...] = ()
    rulings: tuple[Box, ...] = ()
    pictures: tuple[Box, ...] = ()  # where they stand


@dataclass(slots=True)
class Page:
    """A page to be read. Pixels are made when asked for and not kept.

    `render(dpi)` returns RGB pixels of the page as displayed, height x width x 3, uint8; for images (unit "px")
    the dpi is ignored and the image's own pixels come back. It raises errors from `octavo.errors`.
    """

    number: int
    width: float
    height: float
    unit: Unit
    render: Callable[[float], Pixels]
    text_layer: TextLayer | None = None
    warnings: tuple[PageWarning, ...] = field(default=())
    label: str = ""  # what the file itself calls the page
    blank: bool = False  # the file draws nothing on it
