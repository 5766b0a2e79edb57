"""Boxes as they lie on the page when it stands upright, with its lines running from left to right."""

from __future__ import annotations

from octavo.document import Box


def upright(box: Box, width: float, height: float, rotation: int) -> Box:
    """A box of a page of this size, as displayed, on the page after `rotation` clockwise degrees; same unit."""
    x0, y0, x1, y1 = box
    match rotation:
        case 90:
            return (height - y1, x0, height - y0, x1)
        case 180:
            return (width - x1, height - y1, width - x0, height - y0)
        case 270:
            return (y0, width - x1, y1, width - x0)
        case _:
            return box
