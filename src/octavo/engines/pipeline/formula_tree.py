"""From signs and their places to the tree of a formula: what stands in a row, above, below, within.

Radicals, fractions and accents are put together first, the outermost first; what is left stands in rows. A row has a
size and a baseline, which most of its largest letters agree on; what does not stand on it is a script of what stands
before it, or a limit of the sum above or below which it stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from octavo.engines.pipeline.formula_nodes import (
    EMPTY,
    LIMITED,
    Accent,
    Atom,
    Fenced,
    Fraction,
    Grid,
    Name,
    Node,
    Root,
    Row,
    Scripts,
    spelt,
)
from octavo.engines.pipeline.formula_parts import Part, em_of, is_large, is_tall, on_row, row_of, settled
from octavo.engines.pipeline.lines import bounds

_AXIS = 0.25  # ems above the baseline
_SCRIPT = 0.7  # of the size of what it belongs to
_PAIRS = {"(": ")", "[": "]", "{": "}", "|": "|", "∥": "∥", "⟨": "⟩", "⌊": "⌋", "⌈": "⌉"}
_MARKS = {"∼": "∼", "^": "^", "Λ": "^", "A": "^", "∧": "^", "→": "→", ".": "."}
_ACCENTED = 0.3  # ems: an accent is at most that high, and that far above its letter


def tree(parts: Sequence[Part]) -> Node:
    """The formula that the parts make up."""
    return _tree(list(parts), em_of(parts)) if parts else EMPTY


def _tree(parts: list[Part], em: float) -> Node:
    parts = _accents(_fractions(_radicals(parts, em), em), em)
    return _grouped(parts, em)


# ---- what holds other things


def _radicals(parts: list[Part], em: float) -> list[Part]:
    roots = [p for p in parts if p.text == "√"]
    for root in sorted(roots, key=lambda p: -p.width):
        if root not in parts:
            continue  # within another one
        x0, y0, x1, y1 = root.box
        near = 0.25 * em
        inside = [
            p
            for p in parts
            if p is not root and x0 - near < p.box[0] and p.box[2] < x1 + near and x0 < p.x < x1 and y0 <= p.y < y1
        ]
        hook = x0 + 0.5 * min(root.height, 0.7 * root.width)
        index = [p for p in inside if p.box[2] < hook and p.y < (y0 + y1) / 2 and p.height < 0.5 * root.height]
        held = [p for p in inside if p not in index]
        if not held:
            continue
        node = Root(_tree(held, em), _tree(index, em) if index else EMPTY)
        gone = {id(p) for p in (root, *inside)}
        base = _base(held, em)
        parts = [p for p in parts if id(p) not in gone] + [Part(node, bounds(p.box for p in (root, *held)), None, base)]
    return parts


def _base(parts: Sequence[Part], em: float) -> float | None:
    row = row_of(parts, em)
    return row[1] if row else None


def _fractions(parts: list[Part], em: float) -> list[Part]:
    bars = sorted((p for p in parts if p.text == "−"), key=lambda p: -p.width)
    for bar in bars:
        if not any(p is bar for p in parts):
            continue
        above, below = _over(bar, parts, em, up=True), _over(bar, parts, em, up=False)
        if above and below:
            node: Node = Fraction(_tree(above, em), _tree(below, em))
        elif below and not above and _spans(bar, below):
            node = Accent("‾" if len(below) > 1 else "−", _tree(below, em))
        else:
            continue
        gone = {id(p) for p in (bar, *above, *below)}
        box = bounds(p.box for p in (bar, *above, *below))
        made = Part(node, box, None, bar.y + _AXIS * em if above else _base(below, em))
        parts = [p for p in parts if id(p) not in gone] + [made]
    return parts


def _over(bar: Part, parts: Sequence[Part], em: float, *, up: bool) -> list[Part]:
    """What stands on the bar, or hangs under it: from the nearest on, without a gap."""
    reach = 0.12 * em
    candidates = [
        p
        for p in parts
        if p is not bar
        and bar.box[0] - reach < p.x < bar.box[2] + reach
        and (p.y < bar.y if up else p.y > bar.y)
        and (p.box[3] < bar.y + 0.1 * em if up else p.box[1] > bar.y - 0.1 * em)
    ]
    candidates.sort(key=lambda p: -p.box[3] if up else p.box[1])
    found: list[Part] = []
    edge = bar.y
    for part in candidates:
        gap = edge - part.box[3] if up else part.box[1] - edge
        if gap > (0.55 if not found else 0.4) * em:
            break
        found.append(part)
        edge = min(edge, part.box[1]) if up else max(edge, part.box[3])
    return found


def _spans(bar: Part, below: Sequence[Part]) -> bool:
    """Whether a bar is a line over what stands under it, and no minus sign above something."""
    x0, y0, x1, _ = bounds(p.box for p in below)
    centred = abs((x0 + x1) / 2 - bar.x) < 0.35 * bar.width and 0.6 < (x1 - x0) / bar.width < 1.7
    return centred and y0 - bar.box[3] < 0.6 * max(p.height for p in below)


def _accents(parts: list[Part], em: float) -> list[Part]:
    """Marks right above a letter put over it."""
    for mark in [p for p in parts if p.text in _MARKS and p.height < _ACCENTED * em]:
        bases = [p for p in parts if p is not mark and _carries(p, mark, em)]
        if bases:
            base = min(bases, key=lambda p: p.box[1] - mark.box[3])
            letter = next((p for p in (base, *base.others) if p.text.isalpha() and p.text.islower()), base)
            made = replace(
                letter, node=Accent(_MARKS[mark.text], letter.node), box=bounds((base.box, mark.box)), others=()
            )
            parts = [p for p in parts if p is not mark and p is not base] + [made]
    return parts


def _carries(part: Part, mark: Part, em: float) -> bool:
    """Whether the mark stands right above a letter (or a letter with another mark)."""
    letter = isinstance(part.node, Accent) or any(p.text.isalpha() for p in (part, *part.others))
    gap = part.box[1] - mark.box[3]
    centred = abs(part.x - mark.x) < 0.4 * max(part.width, mark.width) and mark.width < 1.6 * part.width
    return letter and centred and not is_large(part, em) and -0.1 * em < gap < _ACCENTED * em


# ---- several rows


def _grouped(parts: list[Part], em: float) -> Node:
    """The parts as one row, or as the rows of a matrix, of cases, or of a formula in several lines."""
    parts = _matrices(parts, em)
    rows = _rows(parts, em)
    # What is much narrower than the rest is a limit that stands far off, and no line of its own.
    widths = [max(p.box[2] for p in row) - min(p.box[0] for p in row) if row else 0 for row in rows]
    if len(rows) > 1 and min(widths) > 0.35 * max(widths):
        return Grid("", tuple((_row(row, em),) for row in rows), "")
    return _row(parts, em)


def _rows(parts: Sequence[Part], em: float) -> list[list[Part]]:
    """The parts by the baselines of their full-sized letters, where those stand a line apart."""
    found = row_of(parts, em)
    if found is None:
        return [list(parts)]
    size = found[0]
    bases = sorted(p.base for p in parts if p.base is not None and (p.size is None or p.size > 0.85 * size))
    lines: list[list[float]] = []
    for base in bases:
        if lines and base - lines[-1][-1] < 0.8 * size:
            lines[-1].append(base)
        else:
            lines.append([base])
    places = [line[len(line) // 2] for line in lines]
    if len(places) < 2 or any(b - a < 1.05 * size for a, b in pairwise(places)):
        return [list(parts)]
    rows: list[list[Part]] = [[] for _ in places]
    for part in parts:
        where = part.base if part.base is not None and part.size and part.size > 0.85 * size else part.y + _AXIS * size
        rows[min(range(len(places)), key=lambda i: abs(places[i] - where))].append(part)
    return rows


def _matrices(parts: list[Part], em: float) -> list[Part]:
    """What stands in several rows between tall brackets, or behind one, put together."""
    for left in sorted((p for p in parts if is_tall(p, 1.6 * em) and p.text in _PAIRS), key=lambda p: p.box[0]):
        if not any(p is left for p in parts):
            continue
        closing = [
            p
            for p in parts
            if p is not left and p.text == _PAIRS[left.text] and p.x > left.x and abs(p.height - left.height) < 0.3 * em
        ]
        right = min(closing, key=lambda p: p.x, default=None)
        if right is None and left.text != "{":
            continue
        edge = right.x if right else float("inf")
        inside = [p for p in parts if left.x < p.x < edge and left.box[1] - 0.3 * em < p.y < left.box[3] + 0.3 * em]
        rows = _rows(inside, em) if inside else []
        if len(rows) < 2:
            continue
        cells = tuple(tuple(_row(cell, em) for cell in _cells(row, inside, em)) for row in rows)
        held = [left, *inside, *([right] if right else [])]
        gone = {id(p) for p in held}
        node = Grid(left.text, cells, right.text if right else "")
        made = Part(node, bounds(p.box for p in held), None, left.y + _AXIS * em)
        parts = [p for p in parts if id(p) not in gone] + [made]
    return parts


def _cells(row: Sequence[Part], inside: Sequence[Part], em: float) -> list[list[Part]]:
    """A row parted where all rows of the matrix have a gap."""
    edges: list[float] = []
    reach = float("-inf")
    for part in sorted(inside, key=lambda p: p.box[0]):
        if part.box[0] - reach > 0.8 * em and reach > float("-inf"):
            edges.append((part.box[0] + reach) / 2)
        reach = max(reach, part.box[2])
    cells: list[list[Part]] = [[] for _ in range(len(edges) + 1)]
    for part in row:
        cells[sum(part.x > edge for edge in edges)].append(part)
    return cells


# ---- one row


def _row(parts: Sequence[Part], em: float) -> Row:
    """Parts of one row, with scripts and limits put to what they belong to."""
    found = row_of(parts, em)
    ordered = sorted(parts, key=lambda p: p.box[0])
    if found is None:
        return Row(tuple(p.node for p in ordered))
    size, base = found
    ordered = [settled(p, size, base) for p in ordered]
    main = [p for p in ordered if on_row(p, size, base) or is_large(p, size)]
    if not main:
        return Row(tuple(p.node for p in ordered))
    rest = [p for p in ordered if not any(p is m for m in main)]
    main = _bars(_names(main, size), size)
    scripts: dict[int, tuple[list[Part], list[Part]]] = {}
    for part, owner in _owned(rest, main, size):
        axis = base - _AXIS * size
        above, below = scripts.setdefault(owner, ([], []))
        (above if part.y < axis else below).append(part)
    items: list[tuple[Part | None, Node]] = []
    if -1 in scripts:
        items.append((None, _scripted(EMPTY, *scripts[-1], size)))
    edge = 0.0
    for place, part in enumerate(main):
        node = part.node
        if isinstance(node, Atom):
            node = replace(node, gap=max(0.0, part.box[0] - edge) / size if place else 0.0)
        above, below = scripts.get(place, ([], []))
        items.append((part, _scripted(node, above, below, size) if above or below else node))
        edge = max(p.box[2] for p in (part, *above, *below))
    return Row(tuple(_dots(_fenced(items, size))))


def _names(main: Sequence[Part], size: float) -> list[Part]:
    """The row with letters that spell a name put together, so that limits stand under the whole of it."""
    out: list[Part] = []
    for start, end, name in spelt([p.text for p in main]):
        if name:
            out.append(Part(Name(name), bounds(p.box for p in main[start:end])))
        else:
            out += main[start:end]
    return out


def _bars(main: Sequence[Part], size: float) -> list[Part]:
    """Two upright bars side by side as one sign."""
    out: list[Part] = []
    for part in main:
        if out and out[-1].text == part.text == "|" and part.box[0] - out[-1].box[2] < 0.35 * size:
            out[-1] = Part(Atom("∥"), bounds((out[-1].box, part.box)))
        else:
            out.append(part)
    return out


def _owned(rest: Sequence[Part], main: Sequence[Part], size: float) -> list[tuple[Part, int]]:
    """Each script with the place, in the row, of what it belongs to; -1 where it stands before everything."""
    owners: dict[int, int] = {}
    for place, sign in enumerate(main):
        if not (is_large(sign, size) or _is_limited(sign)):
            continue
        for up in (True, False):
            side = [
                p
                for p in rest
                if (p.box[3] <= sign.box[1] + 0.2 * size if up else p.box[1] >= sign.box[3] - 0.2 * size)
            ]
            held = [p for p in side if sign.box[0] < p.x < sign.box[2]]
            while held:
                x0, x1 = min(p.box[0] for p in held), max(p.box[2] for p in held)
                more = [p for p in side if p not in held and x0 - 0.4 * size < p.x < x1 + 0.4 * size]
                if not more:
                    break
                held += more
            owners |= {id(p): place for p in held}
    found = []
    for part in rest:
        before = [i for i, sign in enumerate(main) if sign.x < part.x and sign.box[0] < part.box[0] + 0.1 * size]
        found.append((part, owners.get(id(part), before[-1] if before else -1)))
    return found


def _is_limited(part: Part) -> bool:
    return isinstance(part.node, Name) and part.node.text in LIMITED


def _scripted(base: Node, above: list[Part], below: list[Part], size: float) -> Node:
    return Scripts(base, _script(below, size), _script([_prime(p, size) for p in above], size))


def _script(parts: list[Part], size: float) -> Row:
    if not parts:
        return EMPTY
    node = _tree(parts, _SCRIPT * size)
    return node if isinstance(node, Row) else Row((node,))


def _prime(part: Part, size: float) -> Part:
    """A short stroke raised above the row is a prime, whatever letter it was taken for."""
    if (
        part.text in ("1", "l", "/", ",", "|", "′", "\\", "'", "i", "r", "I")
        and 0.25 * size < part.height < 0.42 * size
        and part.width < 0.25 * size
    ):
        return Part(Atom("′"), part.box)
    return part


def _fenced(items: Sequence[tuple[Part | None, Node]], size: float) -> list[Node]:
    """Tall brackets with what stands between them; one without its mate stays a sign."""
    out: list[Node] = []
    opened: list[tuple[str, int]] = []
    for part, node in items:
        base = node.base if isinstance(node, Scripts) else node
        tall = part is not None and is_tall(part, size) and isinstance(base, Atom)
        text = part.text if part is not None else ""
        mate = next((i for i in range(len(opened) - 1, -1, -1) if _PAIRS[opened[i][0]] == text), None) if tall else None
        if mate is not None:
            left, start = opened[mate]
            inside = Row(tuple(_dots(out[start + 1 :])))
            del out[start:], opened[mate:]
            made = Fenced(left, inside, text)
            out.append(replace(node, base=made) if isinstance(node, Scripts) else made)
            continue
        if tall and text in _PAIRS and not isinstance(node, Scripts):
            opened.append((text, len(out)))
        out.append(node)
    return out


def _dots(items: Sequence[Node]) -> list[Node]:
    """Three dots in a row as one sign."""
    out: list[Node] = []
    for node in items:
        out.append(node)
        last = out[-3:]
        if len(last) == 3 and all(isinstance(n, Atom) and n.text == "." for n in last):
            first = last[0]
            out[-3:] = [replace(first, text="…") if isinstance(first, Atom) else first]
        elif len(last) == 3 and all(isinstance(n, Atom) and n.text == "·" for n in last):
            first = last[0]
            out[-3:] = [replace(first, text="⋯") if isinstance(first, Atom) else first]
    return out
