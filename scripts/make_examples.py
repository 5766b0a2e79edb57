"""Makes examples/report-digital.pdf and examples/report-scan.pdf from examples/report.md.

The text is laid out as a printed report; the scan is made from pictures of its pages. Running it again gives the same
bytes with the same versions of the libraries and fonts. It needs Debian's fonts-liberation2 (SIL Open Font License 1.1)
and fonts-wqy-microhei (Apache License 2.0), both of which may be embedded.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path

import numpy as np
import pypdfium2
from markdown_it import MarkdownIt
from markdown_it.token import Token
from PIL import Image, ImageDraw, ImageFilter, ImageFont
from reportlab import rl_config
from reportlab.lib.enums import TA_CENTER, TA_JUSTIFY
from reportlab.lib.pagesizes import B5
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    Flowable,
    Frame,
    ListFlowable,
    ListItem,
    NextPageTemplate,
    PageBreak,
    PageTemplate,
    Paragraph,
    Spacer,
    Table,
    TableStyle,
)
from reportlab.platypus import Image as Picture

EXAMPLES = Path(__file__).parents[1] / "examples"
FONTS = Path("/usr/share/fonts/truetype")
SERIF = FONTS / "liberation2" / "LiberationSerif-Regular.ttf"
FACES = {
    "Serif": (SERIF, 0),
    "Serif-Bold": (SERIF.with_name("LiberationSerif-Bold.ttf"), 0),
    "Serif-Italic": (SERIF.with_name("LiberationSerif-Italic.ttf"), 0),
    "Hei": (FONTS / "wqy" / "wqy-microhei.ttc", 0),
}
HEADER = ("From Rags to Reams", "A short history of paper")

WIDTH, HEIGHT = B5
MARGIN, GUTTER = 21 * mm, 7 * mm
TEXT_WIDTH = WIDTH - 2 * MARGIN

CJK = re.compile("[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]+")


# Styles ---------------------------------------------------------------------------------------------------------


def _style(name: str, size: float, leading: float, **options: object) -> ParagraphStyle:
    return ParagraphStyle(name, **{"fontName": "Serif", "fontSize": size, "leading": leading, **options})


BODY = _style("body", 10.5, 14.5, alignment=TA_JUSTIFY, spaceAfter=7)
CHINESE = _style("chinese", 11, 18, fontName="Hei", wordWrap="CJK", firstLineIndent=22, spaceAfter=7)
ITEM = _style("item", 10.5, 14.5, spaceAfter=3)
CHINESE_ITEM = _style("chinese item", 11, 18, fontName="Hei", wordWrap="CJK")
TITLE = _style("title", 28, 34, alignment=TA_CENTER, spaceAfter=8, fontName="Serif-Bold")
SUBTITLE = _style("subtitle", 13, 18, alignment=TA_CENTER, spaceAfter=14, fontName="Serif-Italic")
AUTHOR = _style("author", 12, 16, alignment=TA_CENTER, spaceAfter=30)
ABSTRACT = _style("abstract", 12, 16, alignment=TA_CENTER, spaceBefore=10, spaceAfter=8, fontName="Serif-Bold")
ABSTRACT_BODY = _style("abstract body", 11, 15.5, alignment=TA_JUSTIFY, spaceAfter=7, leftIndent=24, rightIndent=24)
HEADINGS = {
    "h2": _style("h2", 15, 20, fontName="Serif-Bold", spaceBefore=10, spaceAfter=6, keepWithNext=1),
    "h3": _style("h3", 12, 16, fontName="Serif-Bold", spaceBefore=8, spaceAfter=4, keepWithNext=1),
}
CAPTION = _style("caption", 9.5, 13, alignment=TA_CENTER, spaceBefore=3, spaceAfter=9, fontName="Serif-Italic")
FORMULA = _style("formula", 13, 18, alignment=TA_CENTER, spaceBefore=6, spaceAfter=11)
REFERENCE = _style("reference", 10, 14, leftIndent=18, firstLineIndent=-18, spaceAfter=4)
CELL = _style("cell", 9, 12)
HEAD_CELL = _style("head cell", 9, 12, fontName="Serif-Bold")
RULES = TableStyle(
    [
        ("GRID", (0, 0), (-1, -1), 0.5, "#555555"),
        ("BACKGROUND", (0, 0), (-1, 0), "#e8e8e4"),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("TOPPADDING", (0, 0), (-1, -1), 3),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 4),
    ]
)
COLUMN_WIDTHS = {4: (0.09, 0.17, 0.55, 0.19), 3: (0.22, 0.18, 0.60)}


def _markup(text: str) -> str:
    """Reportlab's markup of plain text, with Chinese in its own font."""
    return CJK.sub(lambda found: f'<font name="Hei">{found[0]}</font>', escape(text, quote=False))


def _is_chinese(text: str) -> bool:
    return len(re.findall("[\u4e00-\u9fff]", text)) * 2 > len(text)


# Story ----------------------------------------------------------------------------------------------------------


class Story:
    """The report's flowables, built from the tokens of its Markdown.

    Comments direct the layout: `layout: cover|columns|plain` begins a page, `figure: NAME` places a picture, and
    `formula` sets the next paragraph as a display formula.
    """

    def __init__(self, markdown: str) -> None:
        self._tokens = iter(MarkdownIt("commonmark").enable("table").parse(markdown))
        self._layout = ""
        self._section = ""
        self._next: ParagraphStyle | None = None
        self.flowables: list[Flowable] = []
        for token in self._tokens:
            self._take(token)

    def _take(self, token: Token) -> None:
        match token.type:
            case "html_block":
                self._direct(*(part.strip() for part in token.content.strip()[4:-3].partition(":")[::2]))
            case "heading_open":
                self._heading(token.tag, next(self._tokens).content)
            case "paragraph_open":
                self._paragraph(next(self._tokens).content)
            case "bullet_list_open" | "ordered_list_open":
                self._list(token)
            case "table_open":
                self._table()

    def _direct(self, name: str, value: str) -> None:
        if name == "layout":
            if self.flowables:
                self.flowables += [NextPageTemplate(value), PageBreak()]
            self._layout = value
        elif name == "figure":
            drawing = FIGURES[value]()
            width = TEXT_WIDTH * 0.78
            self.flowables += [Spacer(1, 6), Picture(drawing, width, width * FIGURE_SIZE[1] / FIGURE_SIZE[0])]
        elif name == "formula":
            self._next = FORMULA

    def _heading(self, tag: str, text: str) -> None:
        self._section = text
        if tag == "h1":
            self._next = SUBTITLE
            self.flowables.append(Spacer(1, 30 * mm))
        style = TITLE if tag == "h1" else ABSTRACT if self._layout == "cover" else HEADINGS[tag]
        self.flowables.append(Paragraph(_markup(text), style))

    def _paragraph(self, text: str) -> None:
        style, self._next = self._next or self._body(text), AUTHOR if self._next is SUBTITLE else None
        self.flowables.append(Paragraph(_markup(text), style))

    def _body(self, text: str) -> ParagraphStyle:
        if re.match(r"(Figure|Table) \d+\.", text):
            return CAPTION
        if self._section == "References":
            return REFERENCE
        if self._layout == "cover":
            return ABSTRACT_BODY
        return CHINESE if _is_chinese(text) else BODY

    def _list(self, opened: Token) -> None:
        close = opened.type.replace("open", "close")
        texts = []
        while (token := next(self._tokens)).type != close:
            if token.type == "inline":
                texts.append(token.content)
        styles = [CHINESE_ITEM if _is_chinese(text) else ITEM for text in texts]
        paragraphs = [Paragraph(_markup(text), style) for text, style in zip(texts, styles, strict=True)]
        items = [ListItem(paragraph, leftIndent=20) for paragraph in paragraphs]
        ordered = opened.type.startswith("ordered")
        kind = {"bulletType": "1", "bulletFormat": "%s."} if ordered else {"bulletType": "bullet", "start": "•"}
        self.flowables.append(ListFlowable(items, bulletFontName="Serif", bulletFontSize=11, leftIndent=20, **kind))
        self.flowables.append(Spacer(1, 7))

    def _table(self) -> None:
        rows: list[list[Paragraph]] = []
        while (token := next(self._tokens)).type != "table_close":
            if token.type == "tr_open":
                rows.append([])
            elif token.type == "inline":
                rows[-1].append(Paragraph(_markup(token.content), CELL if len(rows) > 1 else HEAD_CELL))
        widths = [share * TEXT_WIDTH for share in COLUMN_WIDTHS[len(rows[0])]]
        self.flowables += [Table(rows, widths, repeatRows=1, style=RULES, spaceAfter=10)]


# Figure ---------------------------------------------------------------------------------------------------------

FIGURE_SIZE = (1200, 560)
OUTPUT = {1800: (11, 0), 1820: (18, 4), 1840: (11, 32), 1860: (4, 96), 1880: (4, 230), 1900: (4, 648)}


def _draw_output() -> io.BytesIO:
    """A bar chart of `OUTPUT`: by hand below, by machine above."""
    width, height = FIGURE_SIZE
    image = Image.new("L", FIGURE_SIZE, 255)
    draw = ImageDraw.Draw(image)
    font = ImageFont.truetype(SERIF, 30)
    left, right, top, bottom = 110, width - 30, 40, height - 70

    def level(tons: float) -> float:
        return bottom - (bottom - top) * tons / 700

    for tons in range(0, 701, 100):
        draw.line((left, level(tons), right, level(tons)), fill=200 if tons else 0, width=2)
        if tons % 200 == 0:
            draw.text((left - 14, level(tons)), str(tons), fill=0, font=font, anchor="rm")
    step = (right - left) / len(OUTPUT)
    for index, (year, (hand, machine)) in enumerate(OUTPUT.items()):
        x = left + step * (index + 0.5)
        draw.rectangle((x - 48, level(hand), x + 48, bottom), fill=60)
        if machine:
            draw.rectangle((x - 48, level(hand + machine), x + 48, level(hand)), fill=160, outline=60, width=2)
        draw.text((x, bottom + 14), str(year), fill=0, font=font, anchor="mt")
    for row, (name, shade) in enumerate((("by machine", 160), ("by hand", 60))):
        y = top + 30 + 48 * row
        draw.rectangle((left + 60, y, left + 100, y + 28), fill=shade, outline=60, width=2)
        draw.text((left + 116, y + 14), name, fill=0, font=font, anchor="lm")
    png = io.BytesIO()
    image.quantize(16).save(png, "PNG", optimize=True)
    png.seek(0)
    return png


FIGURES: dict[str, Callable[[], io.BytesIO]] = {"output": _draw_output}


# Digital PDF ----------------------------------------------------------------------------------------------------


def _running(canvas: Canvas, document: BaseDocTemplate) -> None:
    """Draws the running header and the page number."""
    canvas.saveState()
    canvas.setFont("Serif-Italic", 9.5)
    canvas.drawString(MARGIN, HEIGHT - 16 * mm, HEADER[0])
    canvas.drawRightString(WIDTH - MARGIN, HEIGHT - 16 * mm, HEADER[1])
    canvas.setLineWidth(0.4)
    canvas.line(MARGIN, HEIGHT - 17.5 * mm, WIDTH - MARGIN, HEIGHT - 17.5 * mm)
    canvas.setFont("Serif", 10)
    canvas.drawCentredString(WIDTH / 2, 13 * mm, str(document.page))
    canvas.restoreState()


def make_digital(markdown: str, path: Path) -> None:
    for name, (file, index) in FACES.items():
        pdfmetrics.registerFont(TTFont(name, file, subfontIndex=index))
    top, bottom = 22 * mm, 19 * mm
    tall = HEIGHT - top - bottom
    column = (TEXT_WIDTH - GUTTER) / 2

    def frame(x: float, width: float) -> Frame:
        return Frame(x, bottom, width, tall, leftPadding=0, rightPadding=0, topPadding=0, bottomPadding=0)

    document = BaseDocTemplate(
        str(path), pagesize=B5, title="From Rags to Reams", author="The Octavo project", invariant=1, lang="en"
    )
    document.addPageTemplates(
        [
            PageTemplate("cover", [frame(MARGIN, TEXT_WIDTH)]),
            PageTemplate("columns", [frame(MARGIN, column), frame(MARGIN + column + GUTTER, column)], onPage=_running),
            PageTemplate("plain", [frame(MARGIN, TEXT_WIDTH)], onPage=_running),
        ]
    )
    document.build(Story(markdown).flowables)


# Scan -----------------------------------------------------------------------------------------------------------

SCAN_DPI = 200
JPEG_QUALITY = 55
SKEWS = (0.4, -0.7, 0.3, 0.5, -0.4, 0.8)  # degrees, counter-clockwise, page by page
TURNED = 4  # the page that lay on the glass by its side


def _scanned(digital: Path) -> Iterator[Image.Image]:
    """Grey pictures of the pages as a scanner with a dusty glass and a careless user would give them."""
    noise = np.random.default_rng(1450)
    document = pypdfium2.PdfDocument(digital)
    try:
        for index, skew in zip(range(len(document)), SKEWS, strict=True):
            image = document[index].render(scale=SCAN_DPI / 72).to_pil().convert("L")
            image = image.rotate(skew, Image.Resampling.BICUBIC, fillcolor=255).filter(ImageFilter.GaussianBlur(0.7))
            grey = np.asarray(image, np.float32) * (225 / 255) + 18
            grey += noise.normal(0, 1.3, grey.shape)
            image = Image.fromarray(grey.clip(0, 255).astype(np.uint8))
            yield image.transpose(Image.Transpose.ROTATE_270) if index + 1 == TURNED else image
    finally:
        document.close()


def make_scan(digital: Path, path: Path) -> None:
    canvas = Canvas(str(path), invariant=1)
    canvas.setTitle("From Rags to Reams (scan)")
    for image in _scanned(digital):
        jpeg = io.BytesIO()
        image.save(jpeg, "JPEG", quality=JPEG_QUALITY, optimize=True, dpi=(SCAN_DPI, SCAN_DPI))
        size = (image.width * 72 / SCAN_DPI, image.height * 72 / SCAN_DPI)
        canvas.setPageSize(size)
        canvas.drawImage(ImageReader(jpeg), 0, 0, *size)
        canvas.showPage()
    canvas.save()


def main() -> None:
    rl_config.useA85 = 0  # streams as plain bytes, a fifth smaller
    digital, scan = EXAMPLES / "report-digital.pdf", EXAMPLES / "report-scan.pdf"
    make_digital((EXAMPLES / "report.md").read_text(encoding="utf-8"), digital)
    make_scan(digital, scan)
    for path in (digital, scan):
        print(f"{path.relative_to(EXAMPLES.parent)}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
