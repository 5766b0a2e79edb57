"""What each block is, where the layout network cannot know it or errs: told by its text, its place and its type.

The network knows ten classes. Here headings are put right, captions are tied to their figure or table and footnotes to
their mark, and list items, code and references are told from other text. The order of the lines never changes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

from octavo.document import Box, Kind
from octavo.engines.pipeline import lists, paragraphs
from octavo.engines.pipeline.drafts import Draft, merged
from octavo.engines.pipeline.lines import TextLine, bounds
from octavo.engines.pipeline.order import is_prose

_MARGIN = {Kind.HEADER, Kind.FOOTER}
_PAGE_NUMBER = re.compile(r"[-–—\s]*(?:\d{1,5}|[ivxlcdm]{1,8})[-–—\s]*", re.IGNORECASE)

_CAPTION = re.compile(
    r"(?:(?:fig(?:ure|\.|s\.)?|table|tab\.|chart|plate|scheme|listing|abb(?:ildung|\.)|tabelle|tableau|figura|tabla|"
    r"tabela|ábra|obr(?:ázek|\.)|rys\.|рис(?:унок|\.)|табл(?:ица|\.)|그림|표|図|表|图|圖|附图|附表)\s*"
    r"(?:[\dA-Z]{0,2}\d+(?:[.\-–]\d+)*|[IVX]{1,6}\b))",
    re.IGNORECASE,
)
_NUMBERING = re.compile(r"(\d{1,2}(?:\.\d{1,2}){0,4})\.?\s+(?=[^\W\d_])")
_SECTION = re.compile(r"\d{1,2}(?:\.\d{1,2}){1,4}\.?\s+(?=[^\W\d_])")
_CHAPTER = re.compile(
    r"(?:第[一二三四五六七八九十百\d]+[章节篇部]|chapter\s+\d+|kapitel\s+\d+|chapitre\s+\d+|глава\s+\d+)", re.IGNORECASE
)
_ALONE = frozenset({
    "abstract", "summary", "introduction", "conclusion", "conclusions", "acknowledgements", "acknowledgments",
    "references", "bibliography", "appendix", "contents", "zusammenfassung", "einleitung", "literatur",
    "literaturverzeichnis", "inhalt", "inhaltsverzeichnis", "résumé", "bibliographie", "références", "resumen",
    "bibliografía", "referencias", "摘要", "目录", "目錄", "参考文献", "參考文獻", "引言", "结论", "要旨", "目次",
    "аннотация", "введение", "заключение", "литература", "содержание",
})  # fmt: skip
_REFERENCES = frozenset({
    "references", "bibliography", "literature cited", "works cited", "literatur", "literaturverzeichnis",
    "bibliographie", "références", "bibliografía", "referencias", "bibliografia", "参考文献", "參考文獻", "литература",
    "список литературы", "참고문헌",
})  # fmt: skip
_ENTRY = re.compile(r"\[\d{1,3}\]|\d{1,3}\.\s|[A-ZÀ-Ý][^\W\d_]+,\s")
_YEAR = re.compile(r"(?<!\d)(?:1[89]|20)\d\d[a-z]?(?!\d)")
_NOTE = re.compile(r"(?:\[?(\d{1,3})\]?[.)]?\s*(?=[^\W\d])|([*†‡§¶]{1,3})\s*|([¹²³⁴-⁹⁰]{1,3})\s*)")
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_SENTENCE_END = (".", "!", "?", "。", "！", "？", ";", "；", ",", "，")

_LARGE = 1.2  # of the body's height: a short line that much larger is a heading
_BESIDE = 4  # of its own height: what is nearer to a heading stands in its row
_SMALL = 0.93  # of the body's height: a footnote is at most that large
_NEAR = 3.0  # lines of the caption's own height between it and what it describes
_FOOT = 0.5  # of the page's height: no footnote stands above


def settled(drafts: Sequence[Draft], page_height: float) -> list[Draft]:
    """The drafts, in reading order, each with its kind and level; paragraphs and list items as drafts of their own."""
    body = _body_height(drafts)
    found = [_page_number(draft, page_height) for draft in drafts]
    found = [part for draft in found for part in _first_line_apart(draft, body)]
    found = merged([_heading(draft, body, found) for draft in found], _goes_on, Kind.TEXT)
    found = lists.marked(merged([part for draft in found for part in _code(draft)], _follows))
    found = [part for draft in found for part in _paragraphs(draft)]
    found = _references(found)
    found = _footnotes(found, body, page_height)
    return _with_notes(_captions(found))


def _body_height(drafts: Sequence[Draft]) -> float:
    """The height of most lines of running text, by letters."""
    heights = sorted(
        (line.height, len(line.text)) for draft in drafts if draft.kind is Kind.TEXT for line in draft.lines
    ) or sorted((line.height, len(line.text)) for draft in drafts for line in draft.lines)
    total, passed = sum(letters for _, letters in heights), 0
    for height, letters in heights:
        passed += letters
        if passed * 2 >= total:
            return height
    return 1.0


def _height(draft: Draft) -> float:
    return median(line.height for line in draft.lines)


def _page_number(draft: Draft, page_height: float) -> Draft:
    at_margin = draft.box[1] > 0.9 * page_height or draft.box[3] < 0.1 * page_height
    may_be = draft.kind in _MARGIN or (draft.kind is Kind.TEXT and at_margin)
    return replace(draft, kind=Kind.PAGE_NUMBER) if may_be and _PAGE_NUMBER.fullmatch(draft.text) else draft


# ---- headings


def _heading(draft: Draft, body: float, drafts: Sequence[Draft]) -> Draft:
    if draft.kind is Kind.HEADING:
        return replace(draft, level=_level(draft, body)) if not _is_sentence(draft) else replace(draft, kind=Kind.TEXT)
    if (
        draft.kind is Kind.TEXT
        and draft.lines
        and _looks_like_heading(draft, body)
        and _stands_over_text(draft, drafts)
    ):
        return replace(draft, kind=Kind.HEADING, level=_level(draft, body))
    return draft


def _first_line_apart(draft: Draft, body: float) -> list[Draft]:
    """A heading that the network took for the first line of its text, as a draft of its own: set larger, in bold, or
    numbered like a section and further from the next line than that from its own next."""
    if draft.kind is not Kind.TEXT or len(draft.lines) < 2:
        return [draft]
    first, second, *rest = draft.lines
    head = replace(draft, box=first.box, lines=(first,))
    short = draft.box[2] - first.box[2] > 2 * first.height and second.box[1] > first.middle
    if not short or not _looks_like_heading(head, body):
        return [draft]
    larger = first.height >= 1.12 * second.height
    step, usual = second.middle - first.middle, rest[0].middle - second.middle if rest else float("inf")
    apart = step > 1.2 * usual and bool(_SECTION.match(first.text) or _CHAPTER.match(first.text))
    bold = _is_bold(head) and not _is_bold(replace(draft, lines=(second,)))
    if not (larger or apart or bold):
        return [draft]
    lines = draft.lines[1:]
    heading = replace(head, kind=Kind.HEADING)
    return [heading, replace(draft, box=bounds(line.box for line in lines), lines=lines)]


def _stands_over_text(draft: Draft, drafts: Sequence[Draft]) -> bool:
    """Whether the page has paragraphs and nothing is beside the draft: in a row, large letters are those of a form."""
    middle, height = (draft.box[1] + draft.box[3]) / 2, _height(draft)
    beside = any(
        other is not draft
        and other.box[1] < middle < other.box[3]
        and max(draft.box[0] - other.box[2], other.box[0] - draft.box[2]) < _BESIDE * height
        for other in drafts
    )
    return not beside and any(
        other.kind is Kind.TEXT and len(other.lines) > 3 and is_prose([line.box for line in other.lines])
        for other in drafts
    )


def _goes_on(heading: Draft, text: Draft) -> bool:
    """Whether a heading is the first line of the text right below it: its sentence goes on there."""
    if heading.kind is not Kind.HEADING or text.kind is not Kind.TEXT:
        return False
    last, first = heading.lines[-1], text.lines[0]
    gap = first.box[1] - last.box[3]
    alike = 0.8 < last.height / max(1e-6, first.height) < 1.25
    return alike and -0.5 * first.height < gap < 0.8 * first.height and first.text[:1].islower()


def _is_sentence(draft: Draft) -> bool:
    """Whether a heading is none: several lines that end as sentences do, or no letter at all."""
    text = draft.text
    ends = text.rstrip().endswith((".", "。", ";", "；"))
    return (len(draft.lines) > 2 and ends and len(text) > 120) or not any(character.isalpha() for character in text)


def _looks_like_heading(draft: Draft, body: float) -> bool:
    text = " ".join(draft.text.split())
    letters = sum(character.isalpha() for character in text)
    if len(draft.lines) > 3 or len(text) > 150 or letters < 2 or letters < 0.5 * len(text.replace(" ", "")):
        return False
    if text.casefold().rstrip(":：") in _ALONE:
        return True
    if text.endswith(_SENTENCE_END) or not (text[0].isupper() or not text[0].islower()):
        return False
    if any(line.box[1] < before.middle for before, line in pairwise(draft.lines)):
        return False  # a row of pieces
    one_row = len(draft.lines) == 1
    if one_row and _is_bold(draft) and _height(draft) >= 0.95 * body:
        return True
    if one_row and _SECTION.match(text):
        return _height(draft) >= 0.95 * body
    numbered = bool(_NUMBERING.match(text) or _CHAPTER.match(text))
    return _height(draft) >= (1.1 if numbered and one_row else _LARGE) * body


def _is_bold(draft: Draft) -> bool:
    words = [word for line in draft.lines for word in line.words if any(c.isalpha() for c in word.text)]
    return bool(words) and all("b" in word.style for word in words)


def _level(draft: Draft, body: float) -> int:
    if numbering := _NUMBERING.match(draft.lines[0].text):
        return numbering[1].count(".") + 1
    return 1 if _height(draft) >= 1.5 * body or _CHAPTER.match(draft.text) else 2


# ---- text that is more than text


def _paragraphs(draft: Draft) -> list[Draft]:
    if draft.kind is not Kind.TEXT or len(draft.lines) < 3:
        return [draft]
    parts = paragraphs.parted(draft.lines, draft.box)
    if len(parts) == 1:
        return [draft]
    return [replace(draft, box=bounds(line.box for line in part), lines=tuple(part)) for part in parts]


def _code(draft: Draft) -> list[Draft]:
    """The runs of lines in monospaced type as code, where there are two or more or nothing else."""
    if draft.kind not in (Kind.TEXT, Kind.FIGURE) or not draft.lines:
        return [draft]
    is_code = [_is_monospaced(line) for line in draft.lines]
    if not any(is_code) or (is_code.count(True) < 2 and len(draft.lines) > 1):
        return [draft]
    parts: list[Draft] = []
    for place, line in enumerate(draft.lines):
        kind = Kind.CODE if is_code[place] else Kind.TEXT
        if parts and parts[-1].kind is kind:
            parts[-1] = replace(parts[-1], lines=(*parts[-1].lines, line))
        else:
            parts.append(replace(draft, kind=kind, lines=(line,)))
    return [replace(part, box=bounds(line.box for line in part.lines)) for part in parts]


def _follows(above: Draft, below: Draft) -> bool:
    """Whether code goes on below an empty line, or a short one that the network saw no text in."""
    if not above.kind is below.kind is Kind.CODE:
        return False
    gap = below.box[1] - above.box[3]
    overlap = min(above.box[2], below.box[2]) - max(above.box[0], below.box[0])
    return -0.5 * _height(below) < gap < 3 * _height(below) and overlap > 0


def _is_monospaced(line: TextLine) -> bool:
    return bool(line.words) and all("m" in word.style for word in line.words)


def _references(drafts: Sequence[Draft]) -> list[Draft]:
    """What follows a heading that says so, up to the next one; what the network took for references and is none, is
    text."""
    found: list[Draft] = []
    under = False
    for draft in drafts:
        if draft.kind in (Kind.HEADING, Kind.TITLE):
            under = _NUMBERING.sub("", draft.text).strip(" :：.").casefold() in _REFERENCES
        if draft.kind is Kind.REFERENCE or (under and draft.kind in (Kind.TEXT, Kind.LIST_ITEM)):
            parts = _entries(draft)
            cites = sum(bool(_YEAR.search(part.text) or _ENTRY.match(part.text)) for part in parts) * 2 >= len(parts)
            kind = Kind.REFERENCE if cites else Kind.TEXT if draft.kind is Kind.REFERENCE else draft.kind
            found += [replace(part, kind=kind, level=0 if kind is Kind.REFERENCE else part.level) for part in parts]
        else:
            found.append(draft)
    return found


def _entries(draft: Draft) -> list[Draft]:
    """The entries of a list of references, parted at marks like [1] or where a line hangs out to the left."""
    if len(draft.lines) < 2:
        return [draft]
    left = min(line.box[0] for line in draft.lines)
    numbered = re.compile(r"\[\d{1,3}\]|\d{1,3}\.\s")
    by_number = sum(bool(numbered.match(line.text)) for line in draft.lines) >= 2
    indent = median(line.height for line in draft.lines) * 0.8
    hangs = any(line.box[0] > left + indent for line in draft.lines)
    parts: list[list[TextLine]] = []
    for line in draft.lines:
        starts = bool(numbered.match(line.text)) if by_number else hangs and line.box[0] < left + 0.5 * indent
        if starts or not parts:
            parts.append([])
        parts[-1].append(line)
    if len(parts) == 1:
        return [draft]
    return [replace(draft, box=bounds(line.box for line in part), lines=tuple(part)) for part in parts]


# ---- what belongs to something else


def _captions(drafts: Sequence[Draft]) -> list[Draft]:
    """Captions tied to the nearest figure or table; what the network took for one and stands by none is text."""
    found = list(drafts)
    pictures = [i for i, draft in enumerate(found) if draft.kind in (Kind.FIGURE, Kind.TABLE)]
    for index, draft in enumerate(found):
        says_so = bool(draft.lines) and _CAPTION.match(draft.lines[0].text) is not None
        may_be = draft.kind is Kind.CAPTION or (draft.kind in (Kind.TEXT, Kind.HEADING) and says_so)
        if not may_be or not draft.lines:
            continue
        near = [(_distance(draft.box, found[i].box), i) for i in pictures]
        distance, target = min(near, default=(float("inf"), None))
        if distance <= _NEAR * _height(draft):
            found[index] = replace(draft, kind=Kind.CAPTION, level=0, target=target)
        elif draft.kind is Kind.CAPTION and not says_so:
            found[index] = replace(draft, kind=Kind.TEXT)
    return found


def _distance(caption: Box, picture: Box) -> float:
    """Between a caption and what stands above or below it; without end where they do not overlap in width."""
    overlap = min(caption[2], picture[2]) - max(caption[0], picture[0])
    if overlap < 0.3 * min(caption[2] - caption[0], picture[2] - picture[0]):
        return float("inf")
    return max(0.0, caption[1] - picture[3], picture[1] - caption[3])


def _footnotes(drafts: Sequence[Draft], body: float, page_height: float) -> list[Draft]:
    """The last text of the page, or of a column, in smaller type that begins with a mark."""
    found = list(drafts)
    below = True
    for index in range(len(found) - 1, -1, -1):
        draft = found[index]
        if draft.kind in _MARGIN or draft.kind is Kind.PAGE_NUMBER:
            continue
        is_text = draft.kind in (Kind.TEXT, Kind.LIST_ITEM, Kind.REFERENCE, Kind.CAPTION) and bool(draft.lines)
        small = is_text and _height(draft) <= _SMALL * body and draft.box[1] > _FOOT * page_height
        marked = small and _NOTE.match(draft.lines[0].text) is not None
        if below and marked and draft.kind is not Kind.REFERENCE:
            found[index] = replace(draft, kind=Kind.FOOTNOTE, level=0)
        # Another column may end in footnotes too; the rest of a note stands in the same small type.
        below = small or (draft.kind is Kind.FOOTNOTE) or _ends_column(found, index)
    return found


def _ends_column(drafts: Sequence[Draft], index: int) -> bool:
    """Whether the block before, in reading order, stands lower on the page: the end of the column to the left."""
    return index > 0 and drafts[index - 1].box[1] > drafts[index].box[1] + 0.2 * (drafts[index].box[3] or 1.0)


def _with_notes(drafts: Sequence[Draft]) -> list[Draft]:
    """Footnotes tied to the one block above that has their mark as a superscript."""
    found = list(drafts)
    for index, draft in enumerate(found):
        if draft.kind is not Kind.FOOTNOTE:
            continue
        mark = _NOTE.match(draft.lines[0].text)
        assert mark is not None
        sign = next(group for group in mark.groups() if group).translate(_SUPERSCRIPTS)
        holders = [i for i, other in enumerate(found[:index]) if _has_mark(other, sign)]
        if len(holders) == 1:
            found[index] = replace(draft, target=holders[0])
    return found


def _has_mark(draft: Draft, sign: str) -> bool:
    if draft.kind is Kind.FOOTNOTE:
        return False
    if any("s" in word.style and word.text.strip("()[],. ") == sign for line in draft.lines for word in line.words):
        return True
    text = draft.text.translate(_SUPERSCRIPTS)
    if sign.isdigit():  # a number glued to the end of a word
        return re.search(rf"[^\W\d_]{{2}}[.,;:!?)”\"']?{sign}(?!\d)", text) is not None
    return sign in text
