"""The parts of a page with text of its own, from geometry alone: sizes and weights of type, gaps, rulings, pictures.

No network is asked and nothing is rendered. Where exact boxes, sizes and rulings are known this is as good as the
layout network on pages of one or two columns, and takes a hundredth of its time. The regions have the shape in which
that network gives its own, and what is not told here is told by the same rules afterwards: ruled tables, captions,
lists, code, display formulas.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from octavo.document import Box, Kind
from octavo.engines.pipeline.drafts import area, share
from octavo.engines.pipeline.grid import column_gaps, parted_at_gaps
from octavo.engines.pipeline.lattice import levels_of
from octavo.engines.pipeline.layout import Region
from octavo.engines.pipeline.leaders import LEADERS
from octavo.engines.pipeline.lines import TextLine, bounds
from octavo.engines.pipeline.margins import margins
from octavo.engines.pipeline.order import is_prose

_SCORE = 0.8  # of every region; those that rulings show are surer

_ALIKE = 0.12  # share by which the type of two lines of one paragraph may differ in size
_APART = 0.8  # of a line's height, from one line to the next of a paragraph, unless the page is set wider
_WIDER = 0.35  # of a line's height by which a gap may be wider than the one before it
_WIDEST = 2.0  # of a line's height: set wider than that nothing is a paragraph

_LARGE = 1.15  # of the body's size, from which a line of larger type is a heading
_LONGEST_HEADING = 150  # letters
_WORD = re.compile(r"[^\W\d_]{3}|[\u2e80-\ud7ff]")
_BESIDE = 4  # of its own height: what is nearer to a heading stands in its row
_ENDS = (".", "。", ";", "；", ",", "，", "-")  # a question may well be a heading

_MARK = re.compile(
    r"[•‣⁃◦▪▫●○■□◆◇►▶➢✓❖·∙–—*+-]|\(?[\dA-Za-z]{1,3}[.)]|[ivxIVX]{1,5}[.)]|\d{1,2}(?:\.\d{1,2}){0,4}\.?|\[\d{1,3}\]"
)
_LONGEST_MARK = 14  # letters
_REACH = 3.0  # of its height, between a mark and what it marks
_LEVEL = 0.4  # of its height, between the middles of the two

_ICON = 1.5  # of a line's height: a picture that is smaller a side is an ornament
_GROUND = 0.8  # share of the page from which a picture is its ground
_MOST_PICTURES = 60  # more are tiles of a ground, or pieces of one drawing

_ROWS = 3  # of text in columns, from which they may be a table
_ROW_GAP = 2.2  # of a line's height, between the rows of an unruled table
_NUMERIC = 0.6  # share of a column's cells that are numbers, where a table has just two columns
_FILLS = 0.75  # share of its column's width that a line of running text fills
_NUMBER = re.compile(r"[-+−–(]?[\d.,\s]*\d[\d.,\s]*[)%‰°€$£¥]?")


@dataclass
class _Run:
    """Lines that follow each other in one column, in type of one size."""

    lines: list[TextLine]
    bold: bool
    height: float  # of the type of its last line
    gap: float | None = None  # between its lines, in heights of a line
    box: Box = field(init=False)

    def __post_init__(self) -> None:
        self.box = bounds(line.box for line in self.lines)

    def add(self, line: TextLine, height: float) -> None:
        gap = _gap(self.lines[-1], line)
        self.lines.append(line)
        self.height = height
        self.gap = gap if self.gap is None else max(self.gap, gap)
        x0, y0, x1, y1 = self.box
        self.box = (min(x0, line.box[0]), min(y0, line.box[1]), max(x1, line.box[2]), max(y1, line.box[3]))


def regions(
    lines: Sequence[TextLine], rulings: Sequence[Box], pictures: Sequence[Box], size: tuple[float, float]
) -> list[Region]:
    """The parts of an upright page of `size`, all in its pixels or, where it was not rendered, in page units.

    `lines` are those of its text layer, with words; `rulings` are thin boxes.
    """
    found = _figures(pictures, lines, size)
    if not lines:
        return found
    level = [line for line in lines if line.width >= line.height or len(line.text) < 3]
    header, footer = margins(level, rulings, size[1])
    # Each piece by itself: a page number is told from what stands beside it.
    found += [Region(Kind.HEADER, line.box, _SCORE) for line in header]
    found += [Region(Kind.FOOTER, line.box, _SCORE) for line in footer]
    apart = {id(line) for line in (*header, *footer)}
    rest = [line for line in level if id(line) not in apart]
    tables = _tables(rest)
    found += [Region(Kind.TABLE, box, _SCORE) for box in tables]
    rest = [line for line in rest if not any(share(line.box, box) >= 0.5 for box in tables)]
    runs = _runs(rest, [box for box in rulings if box[2] - box[0] > 4 * (box[3] - box[1])])
    body = body_height(rest)
    page_is_bold = sum(run.bold for run in runs) * 2 > len(runs)
    for run in runs:
        if _is_heading(run, body, rest, page_is_bold):
            found.append(Region(Kind.HEADING, run.box, _SCORE))
        elif len(run.lines) > 1:
            found.append(Region(Kind.TEXT, run.box, _SCORE))
    return found


def doubt(lines: Sequence[TextLine], found: Sequence[Region]) -> float:
    """The share of the letters, 0 to 1, that stand in rows beside others, neither in a table of `found` nor in columns
    of running text: what belongs together there, geometry can only guess."""
    tables = [region.box for region in found if region.kind is Kind.TABLE]
    rest = [line for line in lines if not any(share(line.box, box) >= 0.5 for box in tables)]
    prose = {
        id(line)
        for run in _runs(rest, ())
        if len(run.lines) > 2 and is_prose([line.box for line in run.lines])
        for line in run.lines
    }
    beside = [line for level in levels_of(rest) if len(level) > 1 for line in level if id(line) not in prose]
    return sum(len(line.text) for line in beside) / max(1, sum(len(line.text) for line in lines))


def body_height(lines: Sequence[TextLine]) -> float:
    """The height of the line that the median letter stands in; 1 where there is none."""
    heights = sorted((line.height, len(line.text)) for line in lines)
    total, passed = sum(letters for _, letters in heights), 0
    for height, letters in heights:
        passed += letters
        if passed * 2 >= total:
            return max(height, 1e-6)
    return 1.0


# ---- figures


def _figures(pictures: Sequence[Box], lines: Sequence[TextLine], size: tuple[float, float]) -> list[Region]:
    """The pictures that are no ornaments and no grounds, overlapping and touching ones made one."""
    least = _ICON * body_height(lines)
    whole = size[0] * size[1]
    wanted = [box for box in pictures if min(box[2] - box[0], box[3] - box[1]) >= least and area(box) < _GROUND * whole]
    if len(pictures) > _MOST_PICTURES:
        return []
    joined: list[Box] = []
    for box in wanted:
        while near := [other for other in joined if _touch(box, other)]:
            joined = [other for other in joined if other not in near]
            box = bounds([box, *near])
        joined.append(box)
    return [Region(Kind.FIGURE, box, _SCORE) for box in joined if area(box) < _GROUND * whole]


def _touch(one: Box, other: Box) -> bool:
    return one[0] <= other[2] + 1 and other[0] <= one[2] + 1 and one[1] <= other[3] + 1 and other[1] <= one[3] + 1


# ---- paragraphs and headings


def _runs(lines: Sequence[TextLine], rulings: Sequence[Box]) -> list[_Run]:
    """Every line in one run: under a line of like size and weight, no farther from it than the page is set, and with
    no level ruling between them. A mark of a list or a number of a heading is in the run of what it marks."""
    marks = _marks(lines)
    marked = {id(mark) for mark in marks.values()}
    usual = _usual_gap(lines)
    heights = sorted(rulings, key=lambda box: box[1])
    runs: list[_Run] = []
    open_runs: list[_Run] = []
    for line in sorted(lines, key=lambda t: t.box[1]):
        if id(line) in marked:
            continue
        bold, height = _is_bold(line), _type_height(line)
        # What ended far above goes on nowhere.
        open_runs = [run for run in open_runs if line.box[1] - run.lines[-1].box[3] <= _WIDEST * line.height]
        best = next((run for run in reversed(open_runs) if _goes_on(run, line, bold, height, usual)), None)
        if best is not None and (id(line) in marks or _ruled_off(best.lines[-1], line, heights)):
            best = None
        if best is None:
            best = _Run([line], bold, height)
            runs.append(best)
            open_runs.append(best)
        else:
            best.add(line, height)
        if mark := marks.get(id(line)):
            best.box = bounds([best.box, mark.box])
    return runs


def _marks(lines: Sequence[TextLine]) -> dict[int, TextLine]:
    """The marks that stand by themselves to the left of a line, by that line's id."""
    marks = [line for line in lines if len(line.text) < _LONGEST_MARK and _MARK.fullmatch(line.text)]
    if not marks:
        return {}
    by_middle = sorted(lines, key=lambda line: line.middle)
    middles = [line.middle for line in by_middle]
    found = {}
    for mark in marks:
        level = _LEVEL * mark.height
        near = by_middle[bisect_left(middles, mark.middle - level) : bisect_right(middles, mark.middle + level)]
        behind = [line for line in near if line is not mark and -1 <= line.box[0] - mark.box[2] < _REACH * mark.height]
        nearest = min(behind, key=lambda line: line.box[0], default=None)
        if nearest is not None and any(c.isalpha() for c in nearest.text):
            found[id(nearest)] = mark
    return found


def _ruled_off(above: TextLine, line: TextLine, rulings: Sequence[Box]) -> bool:
    """Whether one of the level rulings, sorted by height, stands between two lines along most of the second."""
    first = bisect_left(rulings, above.middle, key=lambda box: box[1])
    for x0, y0, x1, _ in rulings[first:]:
        if y0 > line.middle:
            return False
        if min(x1, line.box[2]) - max(x0, line.box[0]) > 0.5 * line.width:
            return True
    return False


def _gap(above: TextLine, line: TextLine) -> float:
    return (line.box[1] - above.box[3]) / max(line.height, 1e-6)


def _usual_gap(lines: Sequence[TextLine]) -> float:
    """The gap, in heights of a line, that the page's lines have below them at most: more for pages set wide."""
    gaps = []
    ordered = sorted(lines, key=lambda t: t.box[1])
    for place, line in enumerate(ordered):
        below = [
            other
            for other in ordered[place + 1 : place + 12]
            if other.box[1] > line.middle and min(other.box[2], line.box[2]) > max(other.box[0], line.box[0])
        ]
        if below and (gap := _gap(line, below[0])) < _WIDEST:
            gaps.append(gap)
    gaps.sort()
    return gaps[len(gaps) // 2] if gaps else 0.0


def _goes_on(run: _Run, line: TextLine, bold: bool, height: float, usual: float) -> bool:
    last = run.lines[-1]
    if run.bold != bold or abs(height / max(run.height, 1e-6) - 1) > _ALIKE:
        return False
    gap = _gap(last, line)
    widest = max(_APART, usual + _WIDER) if run.gap is None else max(run.gap, usual if usual < run.gap else 0) + _WIDER
    if not -0.5 < gap < min(widest, _WIDEST):
        return False
    overlap = min(line.box[2], last.box[2]) - max(line.box[0], last.box[0])
    return overlap > 0.5 * min(line.width, last.width)


def _type_height(line: TextLine) -> float:
    """The height of most of its words: signs and superscripts make a line higher."""
    heights = sorted(word.box[3] - word.box[1] for word in line.words)
    return heights[len(heights) // 2] if heights else line.height


def _is_bold(line: TextLine) -> bool:
    """Whether all that could be bold in the line is."""
    words = [word for word in line.words if any(c.isalpha() for c in word.text)]
    return bool(words) and all("b" in word.style for word in words)


def _is_heading(run: _Run, body: float, lines: Sequence[TextLine], page_is_bold: bool) -> bool:
    text = " ".join(line.text for line in run.lines)
    height = run.lines[0].height
    letters = sum(c.isalpha() for c in text)
    if len(run.lines) > 3 or len(text) > _LONGEST_HEADING or letters < max(2, 0.4 * len(text.replace(" ", ""))):
        return False
    if text.endswith(_ENDS) or LEADERS.search(text) or not _WORD.search(text):
        return False
    stands_out = height >= _LARGE * body or (run.bold and not page_is_bold and height >= 0.95 * body)
    return stands_out and not any(_stands_beside(run.box, line, height) for line in lines)


def _stands_beside(box: Box, line: TextLine, height: float) -> bool:
    """Whether a line that is not in the box stands in its row, and near: then large type is that of a form."""
    if not box[1] < line.middle < box[3]:
        return False
    gap = max(box[0] - line.box[2], line.box[0] - box[2])
    return 0 < gap < _BESIDE * height


# ---- tables without rulings


def _tables(lines: Sequence[TextLine]) -> list[Box]:
    """The boxes of stretches of rows whose pieces stand in columns that are none of running text."""
    pieces = [piece for line in lines for piece in parted_at_gaps(line)]
    stretches: list[list[list[TextLine]]] = [[]]
    for level in levels_of(pieces):
        rich = len(level) > 1 and not any(LEADERS.search(piece.text) for piece in level)
        if stretches[-1] and (not rich or _top(level) - _bottom(stretches[-1][-1]) > _ROW_GAP * level[0].height):
            stretches.append([])
        if rich:
            stretches[-1].append(level)
    return [
        bounds(piece.box for level in stretch for piece in level)
        for stretch in stretches
        if len(stretch) >= _ROWS and _is_table(stretch)
    ]


def _top(level: Sequence[TextLine]) -> float:
    return min(piece.box[1] for piece in level)


def _bottom(level: Sequence[TextLine]) -> float:
    return max(piece.box[3] for piece in level)


def _is_table(levels: Sequence[list[TextLine]]) -> bool:
    height = body_height([piece for level in levels for piece in level])
    gaps = column_gaps(levels, height)
    if not gaps:
        return False
    edges = [float("-inf"), *((low + high) / 2 for low, high in gaps), float("inf")]
    columns = [
        [piece for level in levels for piece in level if low < (piece.box[0] + piece.box[2]) / 2 < high]
        for low, high in pairwise(edges)
    ]
    if sum(_is_running(column) for column in columns) > (len(columns) > 2):
        return False
    numeric = [sum(bool(_NUMBER.fullmatch(p.text)) for p in column) >= _NUMERIC * len(column) for column in columns]
    return any(numeric[1:]) and (len(columns) > 2 or not numeric[0])


def _is_running(column: Sequence[TextLine]) -> bool:
    """Whether most lines of a column have several words and fill it."""
    x0, _, x1, _ = bounds(piece.box for piece in column)
    full = sum(piece.width > _FILLS * (x1 - x0) and len(piece.text.split()) > 3 for piece in column)
    return full * 2 > len(column)
