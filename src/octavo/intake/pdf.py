"""PDF files: pages with pixels made by PDFium and with the text they bring along."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
import pypdfium2
import pypdfium2.raw as pdfium

from octavo.document import Page, PageWarning, Source
from octavo.errors import PasswordRequiredError, PasswordWrongError, UnreadableError, UnsupportedError
from octavo.intake.pdf_geometry import geometry
from octavo.intake.pdf_links import links, page_label
from octavo.intake.pdf_objects import drawn
from octavo.intake.pdf_paths import paths
from octavo.intake.pdf_pictures import pictures
from octavo.intake.pdf_repair import Copy, mended
from octavo.intake.pdf_text import text_layer
from octavo.settings import Settings

if TYPE_CHECKING:
    from octavo.document import Pixels

# An open document keeps the bytes of every stream it has touched: 41 to 1,060 MB over a 1 GB scan. Opening it anew
# costs 1 to 4 ms and keeps a worker flat.
_PAGES_PER_OPENING = 100
_COARSEST = 72.0  # dpi below which a page is not rendered for its picture's sake: that of the page unit itself
_LARGEST_PT = 200_000.0  # sides beyond are nonsense; the format allows 14,400
_LETTER = (0.0, 0.0, 612.0, 792.0)


class PdfFile:
    """An open PDF. Raises what `octavo.intake.open_source` does."""

    def __init__(self, path: Path, source: Source, settings: Settings, password: str | None) -> None:
        self._path, self._settings, self._password = path, settings, password
        self._identity = _identity(path)
        self._copy: Copy | None = None
        self._file = self._opened_or_mended()
        self._touched = 0
        self._held: tuple[int, Any] | None = None  # the page loaded last, so that its text and pixels cost one load
        self.source = msgspec.structs.replace(source, pages=len(self._file))

    def page(self, number: int) -> Page:
        if not 1 <= number <= self.source.pages:
            raise UnreadableError(f"{self._path.name} has {self.source.pages} pages, there is no page {number}")
        loaded = self._loaded(number)
        width, height = pdfium.FPDF_GetPageWidthF(loaded), pdfium.FPDF_GetPageHeightF(loaded)
        place = geometry(loaded, width, height)
        objects = drawn(loaded)
        found = pictures(loaded, objects, place)
        layer = text_layer(loaded, objects, place, found, paths(objects, place), links(loaded, place))
        scan = found.only and (layer is None or not layer.visible)
        finest = max(found.dpi, _COARSEST) if scan else float("inf")
        page = Page(number, width, height, "pt", lambda dpi: self._pixels(page, dpi, finest), layer, self._warnings())
        page.label = page_label(self._file, number - 1)
        page.blank = pdfium.FPDFPage_CountObjects(loaded) == 0 and pdfium.FPDFPage_GetAnnotCount(loaded) == 0
        self._fitting(page, min(self._settings.dpi, finest))
        return page

    def close(self) -> None:
        self._release()
        self._file.close()
        if self._copy:
            self._copy.close()

    def _opened_or_mended(self) -> Any:
        try:
            return self._opened(self._path)
        except UnreadableError as fault:
            try:
                self._copy = mended(self._path)
            except OSError:
                raise fault from None
            if self._copy is None:
                raise
            try:
                return self._opened(self._copy.view)
            except UnreadableError:
                self._copy.close()
                raise fault from None

    def _opens_without_password(self, content: Any) -> bool:
        try:
            pypdfium2.PdfDocument(content).close()
        except (pypdfium2.PdfiumError, OSError):
            return False
        return True

    def _opened(self, content: Any) -> Any:
        name = self._path.name
        try:
            file = pypdfium2.PdfDocument(content, password=self._password)
        except FileNotFoundError:
            raise UnreadableError(f"{name} is gone; it was moved or deleted while it was being read") from None
        except pypdfium2.PdfiumError as fault:
            code = getattr(fault, "err_code", None)
            if code == pdfium.FPDF_ERR_PASSWORD and not self._password:
                raise PasswordRequiredError(f"{name} is encrypted; give its password with --password-file") from None
            if code == pdfium.FPDF_ERR_PASSWORD and self._opens_without_password(content):
                self._password = None  # the password is that of another document of the same run
                return self._opened(content)
            if code == pdfium.FPDF_ERR_PASSWORD:
                raise PasswordWrongError(f"the password given does not open {name}") from None
            if code == pdfium.FPDF_ERR_SECURITY:
                raise UnsupportedError(
                    f"{name} is encrypted in a way that is not supported; decrypt it first"
                ) from None
            text = f"no page can be found in {name}; it is damaged, empty or was not copied completely"
            raise UnreadableError(text) from None
        try:
            if file.init_forms():
                pdfium.FPDF_SetFormFieldHighlightAlpha(file.formenv, 0)  # fields as printed, not tinted as on screen
        except pypdfium2.PdfiumError:
            pass  # the page is still drawn, without what was filled in
        return file

    def _loaded(self, number: int) -> Any:
        """The page's handle, valid until the next page is loaded."""
        if self._held and self._held[0] == number:
            return self._held[1]
        self._release()
        if self._touched >= _PAGES_PER_OPENING:
            self._reopen()
        self._touched += 1
        try:
            loaded = self._file.get_page(number - 1)
            if not _plausible(loaded):
                loaded = self._with_media_box(loaded, number)
        except pypdfium2.PdfiumError:
            raise UnreadableError(f"page {number} of {self._path.name} is damaged and cannot be loaded") from None
        self._held = (number, loaded)
        return loaded

    def _with_media_box(self, loaded: Any, number: int) -> Any:
        """The page loaded anew with its crop box replaced by its media box, or by Letter where that is as bad."""
        left, bottom, right, top = (ctypes.c_float() for _ in range(4))
        pdfium.FPDFPage_GetMediaBox(loaded, left, bottom, right, top)
        box = (left.value, bottom.value, right.value, top.value)
        sides = (box[2] - box[0], box[3] - box[1])
        if not all(0 < side < _LARGEST_PT for side in sides):
            box = _LETTER
            pdfium.FPDFPage_SetMediaBox(loaded, *box)
        pdfium.FPDFPage_SetCropBox(loaded, *box)
        loaded.close()
        return self._file.get_page(number - 1)

    def _release(self) -> None:
        if self._held:
            self._held[1].close()
            self._held = None

    def _reopen(self) -> None:
        if self._copy is None and _identity(self._path) != self._identity:
            raise UnreadableError(f"{self._path.name} was changed while it was being read; convert it again")
        self._file.close()
        self._file = self._opened(self._copy.view if self._copy else self._path)
        self._touched = 0

    def _warnings(self) -> tuple[PageWarning, ...]:
        if self._copy is None:
            return ()
        text = f"{self._path.name} is damaged and was repaired; pages at its end may be missing"
        return (PageWarning("file-repaired", text),)

    def _fitting(self, page: Page, dpi: float) -> float:
        """The resolution nearest below `dpi` at which the page stays within the limits; warns where it is lower."""
        area, side = page.width * page.height / 5184, max(page.width, page.height) / 72  # square inches, inches
        most: float = min((self._settings.max_image_mpx * 1e6 / area) ** 0.5, self._settings.max_image_side / side)
        # Rounding a side up to whole pixels must not carry the product over the limit.
        most *= 0.999
        if dpi <= most:
            return dpi
        if all(warning.code != "dpi-lowered" for warning in page.warnings):
            text = f"page {page.number} is {page.width:.0f} x {page.height:.0f} pt and is read at {most:.0f} dpi"
            reason = f"{text} instead of {dpi:.0f}, to stay within max_image_mpx and max_image_side"
            page.warnings += (PageWarning("dpi-lowered", reason),)
        return most

    def _pixels(self, page: Page, dpi: float, finest: float) -> Pixels:
        """The page at `dpi`, or at `finest` where the page is one scan that has no more detail to give.

        Enlarging a scan only makes recognition slower. Who needs the resulting scale takes it from the shape.
        """
        scale = self._fitting(page, min(dpi, finest)) / 72
        loaded = self._loaded(page.number)
        wide, high = max(round(page.width * scale), 1), max(round(page.height * scale), 1)
        pixels = np.full((high, wide, 3), 255, np.uint8)
        bitmap = pdfium.FPDFBitmap_CreateEx(wide, high, pdfium.FPDFBitmap_BGR, pixels.ctypes.data, wide * 3)
        if not bitmap:
            raise UnreadableError(f"page {page.number} of {self._path.name} cannot be drawn at {wide} x {high} pixels")
        # Reversed BGR is RGB. A grey bitmap is no shortcut: on grey JPEG scans it took 2.3 times as long.
        flags = pdfium.FPDF_ANNOT | pdfium.FPDF_REVERSE_BYTE_ORDER
        try:
            pdfium.FPDF_RenderPageBitmap(bitmap, loaded, 0, 0, wide, high, 0, flags)
            if loaded.formenv:
                pdfium.FPDF_FFLDraw(loaded.formenv, bitmap, loaded, 0, 0, wide, high, 0, flags)
        finally:
            pdfium.FPDFBitmap_Destroy(bitmap)
        return pixels


def _plausible(loaded: Any) -> bool:
    sides = (pdfium.FPDF_GetPageWidthF(loaded), pdfium.FPDF_GetPageHeightF(loaded))
    return all(0 < side < _LARGEST_PT for side in sides)


def _identity(path: Path) -> tuple[int, int]:
    try:
        info = os.stat(path)
    except OSError as fault:
        raise UnreadableError(f"{path} cannot be read: {fault.strerror or fault}") from None
    return info.st_size, info.st_mtime_ns
