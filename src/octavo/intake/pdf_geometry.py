"""Where things of a PDF page stand on the page as displayed."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

import numpy as np
import pypdfium2.raw as pdfium
from numpy.typing import NDArray

_FINE = 10_000_000  # device units a side; PDFium answers in whole ones


@dataclass(frozen=True)
class Geometry:
    """Size of the displayed page in pt, and the map to it: shown = point @ linear + shift, y down."""

    width: float
    height: float
    linear: NDArray[np.float64]  # 2 x 2
    shift: NDArray[np.float64]  # 2

    def boxes(self, found: NDArray[Any]) -> NDArray[np.float64]:
        """n x 4 boxes, any two opposite corners in PDF coordinates, as x0, y0, x1, y1 on the displayed page."""
        one = found[:, :2] @ self.linear + self.shift
        two = found[:, 2:] @ self.linear + self.shift
        return np.hstack([np.minimum(one, two), np.maximum(one, two)])


def geometry(page: Any, width: float, height: float) -> Geometry:
    """The geometry of a loaded page, asked of PDFium itself, so that crop box and /Rotate are as it draws them."""
    side = max(width, height)
    corners = ((0.0, 0.0), (side, 0.0), (0.0, side))
    origin, right, up = (np.array(_shown(page, x, y)) * (width / _FINE, height / _FINE) for x, y in corners)
    return Geometry(width, height, np.array([(right - origin) / side, (up - origin) / side]), origin)


def _shown(page: Any, x: float, y: float) -> tuple[int, int]:
    column, row = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDF_PageToDevice(page, 0, 0, _FINE, _FINE, 0, x, y, column, row)
    return column.value, row.value
