"""Where the links on a PDF page lead, and the labels of its pages."""

from __future__ import annotations

import ctypes
import re
from typing import Any, NamedTuple

import numpy as np
import pypdfium2.raw as pdfium

from octavo.document import Box
from octavo.intake.pdf_geometry import Geometry

_MOST = 1000  # links of a page
_LONGEST = 4096  # bytes of an address
_SAFE = re.compile(r"(?:https?://|mailto:)\S+", re.IGNORECASE)


class Link(NamedTuple):
    """A place on the displayed page and the address it leads to: on the web, of mail, or `#page-` and a number."""

    box: Box
    address: str


def links(page: Any, geometry: Geometry) -> list[Link]:
    """The links of a loaded page that lead to the web, to a mail address or to another of the document's pages."""
    addresses: list[str] = []
    corners: list[Box] = []
    place, link = ctypes.c_int(0), pdfium.FPDF_LINK()
    while len(addresses) < _MOST and pdfium.FPDFLink_Enumerate(page, place, link):
        if address := _address(page.pdf, link):
            boxes = _boxes(link)
            corners += boxes
            addresses += [address] * len(boxes)
    if not corners:
        return []
    shown = geometry.boxes(np.array(corners, np.float64)).tolist()
    return [Link((x0, y0, x1, y1), address) for (x0, y0, x1, y1), address in zip(shown, addresses, strict=True)]


def _address(file: Any, link: Any) -> str:
    target = pdfium.FPDFLink_GetDest(file, link)
    action = pdfium.FPDFLink_GetAction(link)
    if not target and action:
        kind = pdfium.FPDFAction_GetType(action)
        if kind == pdfium.PDFACTION_URI:
            return _web(file, action)
        if kind == pdfium.PDFACTION_GOTO:
            target = pdfium.FPDFAction_GetDest(file, action)
    index = pdfium.FPDFDest_GetDestPageIndex(file, target) if target else -1
    return f"#page-{index + 1}" if index >= 0 else ""


def _web(file: Any, action: Any) -> str:
    """The address of a link to the web, percent-encoded where it has to be; empty for other schemes."""
    size = pdfium.FPDFAction_GetURIPath(file, action, None, 0)
    if not 1 < size <= _LONGEST:
        return ""
    buffer = ctypes.create_string_buffer(size)
    pdfium.FPDFAction_GetURIPath(file, action, buffer, size)
    raw = buffer.raw[: size - 1].rstrip(b"\0")
    text = "".join(chr(byte) if 0x20 < byte < 0x7F and byte not in b'"<>' else f"%{byte:02X}" for byte in raw.strip())
    return text if _SAFE.fullmatch(text) else ""


def _boxes(link: Any) -> list[Box]:
    """The link's boxes in PDF coordinates: one per line of its text where the file says so, else the one around it."""
    quad = pdfium.FS_QUADPOINTSF()
    found: list[Box] = []
    for number in range(min(max(pdfium.FPDFLink_CountQuadPoints(link), 0), _MOST)):
        if pdfium.FPDFLink_GetQuadPoints(link, number, quad):
            xs, ys = (quad.x1, quad.x2, quad.x3, quad.x4), (quad.y1, quad.y2, quad.y3, quad.y4)
            found.append((min(xs), min(ys), max(xs), max(ys)))
    rect = pdfium.FS_RECTF()
    if not found and pdfium.FPDFLink_GetAnnotRect(link, rect):
        found.append((rect.left, rect.bottom, rect.right, rect.top))
    return found


def page_label(file: Any, index: int) -> str:
    """What the file calls the page at `index` (from 0); empty where it gives no labels."""
    size = pdfium.FPDF_GetPageLabel(file, index, None, 0)
    if not 2 < size <= _LONGEST:
        return ""
    buffer = ctypes.create_string_buffer(size)
    pdfium.FPDF_GetPageLabel(file, index, buffer, size)
    text = buffer.raw[: size - 2].decode("utf-16-le", "replace")
    return "".join(character for character in text if character.isprintable()).strip()
