"""Whether the text of one block goes on in another one, at the top of the next page or column."""

from __future__ import annotations

import re
import unicodedata
from itertools import islice

from octavo.assembly.joins import spaceless
from octavo.assembly.pieces import Piece
from octavo.document import Block, Kind

_ALIKE = 1.25  # ratio of the sizes of one paragraph's lines
_PROSE = 12.0  # line heights: no column of running text is narrower
_LETTERS = 25  # of a line that may be the only one of its paragraph on a page; a third as many Chinese characters
_ENDS = frozenset(".!?:;…。！？：；…‼⁇؟۔।॥።։")
_CLOSING = frozenset("\"'”’»›)]}」』）】》〉*¹²³⁴⁵⁶⁷⁸⁹⁰")
_GOES_ON = frozenset(",，、;；)]}）】」』%")  # no sentence begins with one
# The mark of a list item, a note or a reference: what begins with it is something of its own.
_MARK = re.compile(
    r"[•‣⁃◦▪▫●○■□◆◇►▶➢✓·∙*†‡§]|[-–—+](?=\s)|\[\d{1,3}\]|[(（]?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)）、．](?:\s|$)|[①-⑳⑴-⒇]"
)
_SECTION = re.compile(r"\d{1,2}(?:\.\d{1,2})+\.?\s+[^\W\d_]|\d{1,2}\.\s+[^\W\d_]")
_LEADERS = re.compile(r"(?:[.…·]\s?){5}")  # of a table of contents
_WORD = re.compile(r"\S+")


def goes_on(before: Piece, after: Piece, *, interrupted: bool) -> bool:
    """Whether `after` is more of the paragraph, item, reference or listing of `before`.

    Both are of kinds that may go on, and no other running text stands between them. `interrupted` tells, of two on one
    page, that something else does or that a new column begins; on one page nothing goes on without it.
    """
    first, second = before.block, after.block
    same_page = before.page == after.page
    if first.kind is Kind.CODE or second.kind is Kind.CODE:
        return first.kind is second.kind and not same_page
    if not first.text.strip() or not second.text.strip() or (same_page and not interrupted):
        return False
    if second.kind is Kind.LIST_ITEM or (second.kind is Kind.REFERENCE and first.kind is not Kind.REFERENCE):
        return False
    if _MARK.match(second.text.lstrip()) or _LEADERS.search(first.text[-200:]) or _LEADERS.search(second.text[:200]):
        return False
    return _same_setting(before, after, same_page=same_page) and _reads_on(before, after)


def _same_setting(before: Piece, after: Piece, *, same_page: bool) -> bool:
    """Whether the lines allow it: as large, and columns of prose."""
    a, b = before.shape, after.shape
    if _is_monospaced(before.block) != _is_monospaced(after.block):
        return False
    if a is None or b is None:
        return not same_page
    ratio = (a.size / before.unit) / max(1e-9, b.size / after.unit)
    if not 1 / _ALIKE < ratio < _ALIKE:
        return False
    if a.measure < _PROSE * a.size:
        return False
    return not same_page or (len(a.lines) > 1 and abs(a.measure - b.measure) < 0.35 * max(a.measure, b.measure))


def _reads_on(before: Piece, after: Piece) -> bool:
    text, following = before.block.text.rstrip(), after.block.text.lstrip()
    if _is_hyphenated(text, following):
        return True
    shape = before.shape
    if shape is not None:
        unit = before.unit / after.unit
        measure = after.shape.measure * unit if after.shape is not None and not shape.is_whole else 0.0
        if not shape.is_full(_first_word(following), measure):
            return False
    last_letters = shape.letters if shape is not None else len(text)
    if last_letters < _letters(text[-1]):
        return False
    first = following[0]
    small = first.islower() or first in _GOES_ON
    if _is_ended(text):
        # "… as e.g." goes on all the same; a mark of any other kind ends the sentence.
        return shape is not None and text[-1] == "." and first.islower()
    if small or text[-1] in ",，、":
        return True
    # A capital or a figure begins a new paragraph as often as not: only the setting of the lines can tell.
    if before.block.kind is Kind.LIST_ITEM or shape is None or after.shape is None:
        return False
    if _SECTION.match(following):
        return False
    is_more = len(after.shape.lines) > 1 or after.shape.letters >= _letters(first)
    return is_more and not after.shape.is_indented


def _is_monospaced(block: Block) -> bool:
    return sum(span.end - span.start for span in block.spans if "m" in span.style) > 0.9 * len(block.text)


def heading_goes_on(before: Piece, after: Piece) -> bool:
    """Whether a heading is the rest of the one right before it on its page, as where the engine parted its lines."""
    a, b = before.shape, after.shape
    if before.page != after.page or a is None or b is None or not 1 / _ALIKE < a.size / max(1e-9, b.size) < _ALIKE:
        return False
    text, following = before.block.text.rstrip(), after.block.text.lstrip()
    return (
        bool(text and following)
        and following[0].islower()
        and not _is_ended(text)
        and after.sheet[1] >= before.sheet[1]
    )


def _letters(character: str) -> int:
    """How long a line is at least that may stand for its paragraph."""
    return _LETTERS // 3 if spaceless(character) else _LETTERS


def _is_hyphenated(text: str, following: str) -> bool:
    ends = text[-1] in "-‐\u00ad¬⸗" and len(text) > 1 and text[-2].isalpha()
    return ends and following[0].isalpha() and (following[0].islower() or _begins_capital(text))


def _begins_capital(text: str) -> bool:
    """Whether the last word has a capital letter, as in "Baden-": a capital may follow its hyphen."""
    return text.split()[-1][:1].isupper()


def _is_ended(text: str) -> bool:
    for character in reversed(text):
        if character not in _CLOSING:
            return character in _ENDS
    return False


def _first_word(text: str) -> str:
    if spaceless(text[0]):
        return text[0]
    found = _WORD.match(text)
    word = found[0] if found else ""
    return "".join(islice((c for c in word if not unicodedata.combining(c)), 40))
