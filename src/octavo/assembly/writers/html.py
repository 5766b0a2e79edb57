"""HTML: one file that needs nothing else, to be read on a screen or printed."""

from __future__ import annotations

import re
from html import escape
from importlib.resources import files
from typing import BinaryIO

from octavo.assembly.flow import FURNITURE
from octavo.assembly.schema import GENERATOR
from octavo.assembly.writers import lists, table
from octavo.assembly.writers.blocks import code_text, paragraphs, printed_lines, reason, shown
from octavo.assembly.writers.characters import clean_code, one_line
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

    Text is escaped, and there is no script. `dir="auto"` lets every block run in the direction of its writing, and
    `lang` is set on blocks in Chinese, Japanese and Korean, whose shared characters are drawn differently.
    """

    def __init__(self, out: BinaryIO, *, keep_furniture: bool = False) -> None:
        self._out = out
        self._keep_furniture = keep_furniture

    def begin(self, source: Source) -> None:
        style = files(__package__).joinpath("html.css").read_text(encoding="utf-8")
        self._write(
            '<!DOCTYPE html>\n<html lang="und">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f'<meta name="generator" content="{escape(GENERATOR)}">\n'
            f"<title>{_text(source.name)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n"
        )

    def page(self, result: PageResult) -> None:
        number = result.page
        parts = [
            f'<section class="page" id="page-{number}" data-status="{result.status}" aria-label="Page {number}">',
            f'<a class="label" href="#page-{number}">{number}</a>',
            *_notices(result),
        ]
        nest = _Nest()
        for block in shown(result, self._keep_furniture):
            if block.kind is Kind.LIST_ITEM:
                nest.add(block)
            else:
                parts += [*nest.close(), *_block(block)]
        parts += [*nest.close(), "</section>"]
        self._write("".join(f"{part}\n" for part in parts))

    def end(self, summary: Summary) -> None:
        counts = [f"{summary.ok + summary.fallback} read"]
        counts += [f"{summary.blank} blank"] if summary.blank else []
        if summary.failed:
            links = ", ".join(f'<a href="#page-{page}">{page}</a>' for page in summary.failed_pages)
            counts.append(f"{summary.failed} failed ({links})" if links else f"{summary.failed} failed")
        pages = "1 page" if summary.pages == 1 else f"{summary.pages} pages"
        self._write(f"</main>\n<footer>{pages}: {', '.join(counts)} · {escape(GENERATOR)}</footer>\n</body>\n</html>\n")

    def _write(self, text: str) -> None:
        self._out.write(text.encode())


class _Nest:
    """The list items that follow each other on a page, as lists inside the items of lists."""

    def __init__(self) -> None:
        self._markup = ""
        self._tags: list[str] = []  # of the open lists, outermost first; the last item of each is open too

    def add(self, block: Block) -> None:
        """Adds an item at its level; one without text is left out."""
        text = paragraphs(block)
        if not text:
            return
        item = lists.parse(text[0])
        tag = "ul" if item.number is None else "ol"
        depth = lists.depth_of(block.level, len(self._tags))
        self._close(depth)
        if len(self._tags) == depth and self._tags[-1] != tag:
            self._close(depth - 1)
        if len(self._tags) == depth:
            self._markup += "</li>\n"
        else:
            self._markup += f"\n<{tag}>\n"
            self._tags.append(tag)
        value = f' value="{item.number}"' if item.number is not None else "" if item.mark else ' class="marked"'
        lines = "<br>".join(map(_text, [item.text, *text[1:]]))
        self._markup += f"<li{value}{_attributes(block)}>{lines}"

    def close(self) -> list[str]:
        """The outermost lists, finished, and none where no item was added."""
        self._close(0)
        markup, self._markup = self._markup.strip("\n"), ""
        return [markup] if markup else []

    def _close(self, depth: int) -> None:
        tags, self._tags = self._tags[depth:], self._tags[:depth]
        self._markup += "".join(f"</li>\n</{tag}>" for tag in reversed(tags))


def _text(text: str) -> str:
    return escape(one_line(text))


def _notices(result: PageResult) -> list[str]:
    """What the reader must know of the page as a whole."""
    if result.status is PageStatus.FAILED:
        text = f"<strong>Page {result.page} could not be read.</strong> {_text(reason(result.error))}"
        return [f'<p class="notice failed" role="alert">{text}</p>']
    if result.status is PageStatus.BLANK:
        return ['<p class="notice">Blank page</p>']
    if result.status is PageStatus.FALLBACK:
        return [f'<p class="notice">{_text(warning.message)}</p>' for warning in result.warnings]
    return []


def _block(block: Block) -> list[str]:
    """The elements for a block that is no list item."""
    attributes = _attributes(block)
    text = [_text(line) for line in paragraphs(block)]
    match block.kind:
        case Kind.TITLE | Kind.HEADING:
            tag = "h1" if block.kind is Kind.TITLE else f"h{min(max(block.level, 1) + 1, 6)}"
            return [f"<{tag}{attributes}>{' '.join(text)}</{tag}>"] if text else []
        case Kind.TABLE:
            return _table(block, attributes)
        case Kind.CODE:
            code = clean_code(code_text(block))
            return [f'<pre dir="ltr"><code>{escape(code, quote=False)}</code></pre>'] if code else []
        case Kind.FORMULA if block.latex.strip():
            return [f'<p class="formula" dir="ltr"><code class="latex">{_text(block.latex)}</code></p>']
        case Kind.FIGURE | Kind.SEAL:
            name = block.kind.value
            inside = "".join(f"<p{attributes}>{line}</p>" for line in text)
            return [f'<figure class="{name}"><span class="tag">{name.capitalize()}</span>{inside}</figure>']
        case _:
            name = _CLASSES.get(block.kind, "")
            attributes = (f' class="{name}"' if name else "") + attributes
            tag = "div" if block.kind in FURNITURE else "p"
            return [f"<{tag}{attributes}>{line}</{tag}>" for line in text]


def _table(block: Block, attributes: str) -> list[str]:
    if not block.cells:
        lines = [_text(line) for line in printed_lines(block)]
        return [f'<p class="rows"{attributes}>{"<br>".join(lines)}</p>'] if lines else []
    rows = table.grid(block.cells)
    markup = table.html_rows(rows, ' dir="auto"')
    heads = next((index for index, row in enumerate(rows) if not all(cell.header for cell in row)), len(rows))
    if any(index + cell.row_span > heads for index, row in enumerate(rows[:heads]) for cell in row):
        heads = 0
    head = ["<thead>", *markup[:heads], "</thead>"] if heads else []
    body = ["<tbody>", *markup[heads:], "</tbody>"] if heads < len(rows) else []
    return [f'<div class="table"{attributes}><table>', *head, *body, "</table></div>"]


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
