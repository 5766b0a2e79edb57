"""HTML: one file that needs nothing else, to be read on a screen or printed."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files
from typing import BinaryIO

from octavo.assembly.flow import Event, Flow, Passage
from octavo.assembly.places import FURNITURE
from octavo.assembly.schema import GENERATOR
from octavo.assembly.writers import table
from octavo.assembly.writers.blocks import code_text, own_label, printed_lines, reason
from octavo.assembly.writers.characters import clean_code, one_line
from octavo.assembly.writers.html_lists import Nest
from octavo.assembly.writers.html_runs import inline
from octavo.assembly.writers.runs import lines_of
from octavo.assembly.writers.runs import one_line as one_line_of
from octavo.document import Block, Kind, PageResult, PageStatus, Source, Summary

_CLASSES = {
    Kind.CAPTION: "caption",
    Kind.FOOTNOTE: "footnote",
    Kind.REFERENCE: "reference",
    Kind.FORMULA: "formula",
    Kind.HEADER: "furniture header",
    Kind.FOOTER: "furniture footer",
    Kind.PAGE_NUMBER: "furniture page-number",
}


class HtmlWriter:
    """Writes UTF-8: a section with the id `page-N` for every page, and the account of the document at the end.

    What goes on over a page break stands whole in the section of the page where it begins. Captions stand in the figure
    or table that they are tied to, footnotes and their marks lead to each other. Text is escaped, and there is no
    script. `dir="auto"` lets every block run in the direction of its writing, and `lang` is set on blocks in Chinese,
    Japanese and Korean, whose shared characters are drawn differently.
    """

    def __init__(self, out: BinaryIO, *, keep_furniture: bool = False) -> None:
        self._out = out
        self._keep_furniture = keep_furniture
        self._flow = Flow(keep_furniture=keep_furniture)
        self._in_section = False
        self._nest = Nest()

    def begin(self, source: Source) -> None:
        self._flow = Flow(source, keep_furniture=self._keep_furniture)
        style = files(__package__).joinpath("html.css").read_text(encoding="utf-8")
        self._write(
            [
                '<!DOCTYPE html>\n<html lang="und">\n<head>\n<meta charset="utf-8">',
                '<meta name="viewport" content="width=device-width, initial-scale=1">',
                f'<meta name="generator" content="{escape(GENERATOR)}">',
                f"<title>{_text(source.name)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>",
            ]
        )

    def page(self, result: PageResult) -> None:
        self._take(self._flow.page(result))

    def end(self, summary: Summary) -> None:
        self._take(self._flow.end())
        self._close_section()
        counts = [f"{summary.ok + summary.fallback} read"]
        counts += [f"{summary.blank} blank"] if summary.blank else []
        if summary.failed:
            links = ", ".join(f'<a href="#page-{page}">{page}</a>' for page in summary.failed_pages)
            counts.append(f"{summary.failed} failed ({links})" if links else f"{summary.failed} failed")
        pages = "1 page" if summary.pages == 1 else f"{summary.pages} pages"
        account = f"{pages}: {', '.join(counts)} · {escape(GENERATOR)}"
        self._write([f"</main>\n<footer>{account}</footer>\n</body>\n</html>"])

    def _take(self, events: Iterable[Event]) -> None:
        for event in events:
            if isinstance(event, PageResult):
                self._close_section()
                self._in_section = True
                self._write(_opening(event))
            elif event.block.kind is Kind.LIST_ITEM:
                self._nest.add(event.block, _attributes(event.block), goes_on=event.goes_on)
            else:
                self._write([*self._nest.close(), *_block(event)])

    def _close_section(self) -> None:
        if self._in_section:
            self._write([*self._nest.close(), "</section>"])
        self._in_section = False

    def _write(self, parts: Iterable[str]) -> None:
        self._out.write("".join(f"{part}\n" for part in parts).encode())


def _opening(result: PageResult) -> list[str]:
    """The beginning of a page's section, with what the reader must know of the page as a whole."""
    number, label = result.page, _text(own_label(result))
    called = f", called {label}" if label else ""
    return [
        f'<section class="page" id="page-{number}" data-status="{result.status}" aria-label="Page {number}{called}">',
        f'<a class="label" href="#page-{number}">{f"{label} ({number})" if label else number}</a>',
        *_notices(result),
    ]


def _notices(result: PageResult) -> list[str]:
    if result.status is PageStatus.FAILED:
        text = f"<strong>Page {result.page} could not be read.</strong> {_text(reason(result.error))}"
        return [f'<p class="notice failed" role="alert">{text}</p>']
    if result.status is PageStatus.BLANK:
        return ['<p class="notice">Blank page</p>']
    if result.status is PageStatus.FALLBACK:
        return [f'<p class="notice">{_text(warning.message)}</p>' for warning in result.warnings]
    return []


def _text(text: str) -> str:
    return escape(one_line(text))


def _block(passage: Passage) -> list[str]:
    """The elements for a passage that is no list item."""
    block = passage.block
    attributes = _attributes(block)
    match block.kind:
        case Kind.TITLE | Kind.HEADING:
            tag = "h1" if block.kind is Kind.TITLE else f"h{min(max(block.level, 1) + 1, 6)}"
            text = inline(one_line_of(block))
            return [f"<{tag}{attributes}>{text}</{tag}>"] if text else []
        case Kind.TABLE:
            return _table(block, attributes, passage.captions)
        case Kind.CODE:
            code = clean_code(code_text(block))
            return [f'<pre dir="ltr"><code>{escape(code, quote=False)}</code></pre>'] if code else []
        case Kind.FORMULA:
            return _formula(block, attributes)
        case Kind.FIGURE | Kind.SEAL:
            name = block.kind.value
            inside = "".join(f"<p{attributes}>{inline(line)}</p>" for line in lines_of(block))
            caption = _caption("figcaption", passage.captions)
            return [f'<figure class="{name}"><span class="tag">{name.capitalize()}</span>{inside}{caption}</figure>']
        case Kind.CAPTION if passage.tied:
            return []
        case _:
            return _paragraphs(passage, attributes)


def _paragraphs(passage: Passage, attributes: str) -> list[str]:
    kind, first = passage.block.kind, passage.item.fragments[0]
    name = _CLASSES.get(kind, "")
    attributes = (f' class="{name}"' if name else "") + attributes
    tag = "div" if kind in FURNITURE else "p"
    identity = f' id="note-{first.page}-{first.block}"' if kind is Kind.FOOTNOTE else ""
    elements = []
    for line in lines_of(passage.block):
        elements.append(f"<{tag}{identity}{attributes}>{inline(line)}</{tag}>")
        identity = ""
    return elements


def _formula(block: Block, attributes: str) -> list[str]:
    if block.latex.strip():
        return [f'<p class="formula" dir="ltr"><code class="latex">{_text(block.latex)}</code></p>']
    if lines := lines_of(block):
        return [f'<p class="formula"{attributes}>{inline(line)}</p>' for line in lines]
    if block.picture:
        picture = f"data:image/png;base64,{b64encode(block.picture).decode()}"
        return [f'<p class="formula"><img alt="Formula" src="{picture}"></p>']
    return []


def _caption(tag: str, captions: Sequence[Block]) -> str:
    lines = [inline(line) for caption in captions for line in lines_of(caption)]
    return f'<{tag} dir="auto">{"<br>".join(lines)}</{tag}>' if lines else ""


def _table(block: Block, attributes: str, captions: Sequence[Block]) -> list[str]:
    if not block.cells:
        lines = [_text(line) for line in printed_lines(block)]
        rows = [f'<p class="rows"{attributes}>{"<br>".join(lines)}</p>'] if lines else []
        caption = _caption("figcaption", captions)
        return [f"<figure>{''.join(rows)}{caption}</figure>"] if caption else rows
    grid = table.grid(block.cells)
    markup = table.html_rows(grid, ' dir="auto"')
    heads = next((index for index, row in enumerate(grid) if not all(cell.header for cell in row)), len(grid))
    if any(index + cell.row_span > heads for index, row in enumerate(grid[:heads]) for cell in row):
        heads = 0
    head = ["<thead>", *markup[:heads], "</thead>"] if heads else []
    body = ["<tbody>", *markup[heads:], "</tbody>"] if heads < len(grid) else []
    caption = _caption("caption", captions)
    return [f'<div class="table"{attributes}><table>{caption}', *head, *body, "</table></div>"]


_KANA = re.compile("[\u3040-\u30ff]")
_HANGUL = re.compile("[\uac00-\ud7af\u1100-\u11ff]")
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")


def _attributes(block: Block) -> str:
    """Direction and, for Chinese, Japanese and Korean, language of a block's text."""
    text = block.text or " ".join(cell.text for cell in block.cells)
    kana, hangul, han = (len(signs.findall(text)) for signs in (_KANA, _HANGUL, _HAN))
    if (kana + hangul + han) * 3 < len(text) or not text:
        return ' dir="auto"'
    language = "ko" if hangul > kana else "ja" if kana * 10 > han else "zh"
    return f' dir="auto" lang="{language}"'
