"""Which of a PDF page's text objects are shown: not those drawn in no colour, under something, or as their ground.

Nothing is rendered: what is painted before and after the text tells. Where that is not plain, the text counts as shown.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pypdfium2.raw as pdfium
from numpy.typing import NDArray

from octavo.intake import pdf_native
from octavo.intake.pdf_objects import Drawn, Painted
from octavo.intake.pdf_paths import Paths
from octavo.intake.pdf_pictures import Pictures

_INVISIBLE = (3, 7)  # text rendering modes that paint nothing
_OUTLINED = (1, 5)  # those that paint the outline only, whose colour is another
_ALIKE = 6  # of 255 by which each channel of text may differ from its ground and not be seen
_UNDER = 0.9  # share of a text object that an opaque thing over it covers
_ANYWHERE = (-np.inf, -np.inf, np.inf, np.inf)

Bools = NDArray[np.bool_]


def unseen(
    owners: NDArray[np.uint64], boxes: NDArray[np.float64], objects: Sequence[Drawn], paths: Paths, pictures: Pictures
) -> Bools:
    """For each text object, by its address and its box on the displayed page, whether it is not shown."""
    modes = pdf_native.render_modes(owners)
    places = _places(owners, objects)
    painted = [*paths.fills, *pictures.painted]
    hidden = np.isin(modes, _INVISIBLE) | _under(boxes, places, painted)
    if paths.complete:
        painted += [
            Painted(_ANYWHERE, None, False, place)
            for place, one in enumerate(objects)
            if one.kind == pdfium.FPDF_PAGEOBJ_SHADING
        ]
        hidden |= _as_ground(owners, boxes, places, painted) & ~np.isin(modes, _OUTLINED)
    return hidden


def _under(boxes: NDArray[np.float64], places: NDArray[np.intp], painted: Sequence[Painted]) -> Bools:
    """Which text lies under something opaque that is painted later."""
    hidden = np.zeros(len(boxes), np.bool_)
    first = int(places[places >= 0].min(initial=np.iinfo(np.intp).max))
    for one in painted:
        if one.opaque and one.place > first:
            hidden |= (places >= 0) & (places < one.place) & (_covered(boxes, one.box) >= _UNDER)
    return hidden


def _places(owners: NDArray[np.uint64], objects: Sequence[Drawn]) -> NDArray[np.intp]:
    """Where among the page's objects each of these stands; -1 for those not among them."""
    place = {one.handle: number for number, one in enumerate(objects) if one.kind == pdfium.FPDF_PAGEOBJ_TEXT}
    return np.array([place.get(owner, -1) for owner in owners.tolist()], np.intp)


def _covered(boxes: NDArray[np.float64], over: Sequence[float]) -> NDArray[np.float64]:
    """The share of each box that lies in the one over it."""
    sides = np.maximum(np.minimum(boxes[:, 2:], over[2:]) - np.maximum(boxes[:, :2], over[:2]), 0)
    whole = np.maximum(boxes[:, 2:] - boxes[:, :2], 1e-6)
    share: NDArray[np.float64] = (sides / whole).prod(axis=1)
    return share


def _as_ground(
    owners: NDArray[np.uint64], boxes: NDArray[np.float64], places: NDArray[np.intp], painted: Sequence[Painted]
) -> Bools:
    """Which text has the colour of what it is drawn on, or is clear. The page is white."""
    colours = pdf_native.fill_colours(owners)
    clear: Bools = colours[:, 3] == 0
    if not painted and not (colours[:, :3] >= 255 - _ALIKE).all(axis=1).any():
        return clear
    ground = np.full((len(owners), 3), 255.0)
    ground[places < 0] = np.nan
    middle = (boxes[:, :2] + boxes[:, 2:]) / 2
    for one in sorted(painted, key=lambda one: one.place):
        inside = (middle >= one.box[:2]).all(axis=1) & (middle <= one.box[2:]).all(axis=1) & (places > one.place)
        ground[inside] = np.nan if one.colour is None else one.colour
    same = (np.abs(colours[:, :3] - ground) <= _ALIKE).all(axis=1) & (colours[:, 3] >= 0)
    hidden: Bools = clear | same
    return hidden
