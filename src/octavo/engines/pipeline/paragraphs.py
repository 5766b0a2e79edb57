"""From printed lines to running text: where a paragraph ends, which breaks and hyphens stay, what is set otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from msgspec.structs import replace

from octavo.document import Box, Span
from octavo.engines.pipeline import formula_inline
from octavo.engines.pipeline.lines import TextLine

_CELLS = 1.5  # of a line's height between pieces of a row that are cells rather than parts of a line


def parted(lines: Sequence[TextLine], box: Box) -> list[list[TextLine]]:
    """The lines (at least one) parted where one is indented after a line that ended short."""
    left, right = box[0], box[2]
    parts: list[list[TextLine]] = [[lines[0]]]
    for before, line in pairwise(lines):
        indent = line.box[0] - left
        ended_short = right - before.box[2] > 2 * line.height
        if ended_short and line.height < indent < 4 * line.height and line.box[1] > before.middle:
            parts.append([])
        parts[-1].append(line)
    return parts


def joined(lines: Sequence[TextLine], box: Box) -> str:
    """The lines as running text.

    A line break stays where the next line's first word would still have fitted behind the line: there the author
    broke it. A hyphen before a small letter at a line's end is taken for a syllable break and dropped.
    """
    return set_text(lines, box)[0]


def set_text(lines: Sequence[TextLine], box: Box) -> tuple[str, tuple[Span, ...]]:
    """The lines as running text, as `joined` gives it, and which parts of it have a style or a link."""
    if not lines:
        return "", ()
    text = lines[0].text
    spans = _spans(lines[0], 0)
    in_row = in_cells = False
    for before, line in pairwise(lines):
        was_in_cells, in_row = in_cells, abs(line.middle - before.middle) < 0.5 * min(line.height, before.height)
        # Pieces that stand apart are those of a form; a raised number parts a line too, and its line goes on.
        in_cells = in_row and line.box[0] - before.box[2] > _CELLS * line.height
        if in_row:
            text += " "
        elif was_in_cells or box[2] - before.box[2] > _first_word(line) + 0.5 * line.height:
            text += "\n"
        elif _hyphenated(text, line.text):
            text = text[:-1]
        elif not (_spaceless(text[-1:]) and _spaceless(line.text[:1])):
            text += " "
        spans += _spans(line, len(text))
        text += line.text
    return text, _merged(spans, text)


def code_text(lines: Sequence[TextLine]) -> str:
    """Lines of monospaced type with their breaks, their indents in spaces, and an empty line where one is left out."""
    if not lines:
        return ""
    pitch = min(line.width / max(1, len(line.text)) for line in lines) or 1.0
    left = min(line.box[0] for line in lines)
    rows: list[str] = []
    before: TextLine | None = None
    for line in lines:
        column = round((line.box[0] - left) / pitch)
        if before is not None and abs(line.middle - before.middle) < 0.5 * min(line.height, before.height):
            rows[-1] = rows[-1].ljust(max(column, len(rows[-1]) + 1)) + line.text
        else:
            if before is not None and line.middle - before.middle > 1.9 * line.height:
                rows.append("")
            rows.append(" " * column + line.text)
        before = line
    return "\n".join(rows)


def _spans(line: TextLine, offset: int) -> list[Span]:
    """The styled and linked words, and the formulas, of a line whose text begins at `offset`."""
    formulas = [Span(offset + f.start, offset + f.end, latex=f.latex) for f in formula_inline.find(line)]
    words = [w for w in _words(line, offset) if not any(w.start < f.end and f.start < w.end for f in formulas)]
    return sorted(words + formulas, key=lambda span: span.start)


def _words(line: TextLine, offset: int) -> list[Span]:
    spans = []
    place = 0
    for word in line.words:
        start = line.text.find(word.text, place)
        if start < 0:
            continue
        place = start + len(word.text)
        if word.style or word.link:
            spans.append(Span(offset + start, offset + place, word.style, word.link))
    return spans


def _merged(spans: Sequence[Span], text: str) -> tuple[Span, ...]:
    """Neighbouring words of one style as one span; what a dropped hyphen cut off is cut off here too."""
    merged: list[Span] = []
    for span in spans:
        before = merged[-1] if merged else None
        if before is not None and before.end > span.start:  # the hyphen that was dropped
            before = merged[-1] = replace(before, end=span.start)
        is_formula = span.latex or (before is not None and before.latex)
        alike = before is not None and (before.style, before.link) == (span.style, span.link) and not is_formula
        if before is not None and alike and not text[before.end : span.start].strip(" "):
            merged[-1] = Span(before.start, span.end, span.style, span.link)
        else:
            merged.append(span)
    return tuple(span for span in merged if span.end > span.start)


def _first_word(line: TextLine) -> float:
    word = line.text.split(" ", 1)[0]
    if _spaceless(line.text[:1]):
        return 2 * line.height
    return line.width * len(word) / max(1, len(line.text))


def _hyphenated(before: str, after: str) -> bool:
    return len(before) > 1 and before[-1] in "-‐\u00ad" and before[-2].isalpha() and after[:1].islower()


def _spaceless(character: str) -> bool:
    """Whether words of this character's script are written without spaces between them."""
    return bool(character) and ("\u2e80" <= character <= "\ua4cf" or "\uf900" <= character <= "\uffef")
