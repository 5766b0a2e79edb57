"""Image files through Pillow: one page, or one per frame of a TIFF."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFile, UnidentifiedImageError

from octavo.document import Page, PageWarning, Source
from octavo.errors import DecompressionBombError, ImageTooLargeError, InputError, UnreadableError
from octavo.settings import MIB, Settings

if TYPE_CHECKING:
    from octavo.document import Pixels

# Each kind is opened by its own reader only: Pillow knows many more formats, some of them rarely tested.
_READERS = {
    "image/png": ("PNG",),
    "image/jpeg": ("JPEG", "MPO"),
    "image/tiff": ("TIFF",),
    "image/webp": ("WEBP",),
    "image/bmp": ("BMP", "DIB"),
    "image/gif": ("GIF",),
    "image/jp2": ("JPEG2000",),
}
_BITS = {"1": 1, "LA": 16, "PA": 16, "La": 16, "RGB": 24, "YCbCr": 24, "LAB": 24, "HSV": 24, "I;16": 16, "I;16B": 16}
_DEEP_BITS = 32  # the other modes: RGBA, CMYK, I, F
_ALWAYS_ALLOWED = 16 * MIB  # unpacked; a small image harms nobody, however well it packs
_MOST_FRAMES = 100_000
_ORIENTATION = 0x0112  # EXIF tag
_TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}


class PictureFile:
    """An open image file. Raises what `octavo.intake.open_source` does.

    A page is decoded when it is asked for, so that its faults are known, and handed over at its first `render`.
    """

    def __init__(self, path: Path, source: Source, settings: Settings) -> None:
        self._path, self._source_bytes, self._settings = path, source.bytes, settings
        self._media_type = source.media_type
        frames, self._ends_badly = self._frames()
        self.source = msgspec.structs.replace(source, pages=frames)
        self._held: tuple[int, Pixels] | None = None

    def page(self, number: int) -> Page:
        if not 1 <= number <= self.source.pages:
            raise UnreadableError(f"{self._path.name} has {self.source.pages} pages, there is no page {number}")
        if self._ends_badly and number == self.source.pages:
            raise UnreadableError(f"page {number} of {self._path.name} is damaged; what follows it is lost")
        self._held = None
        pixels, found = self._decoded(number)
        self._held = (number, pixels)
        high, wide = pixels.shape[:2]
        return Page(number, float(wide), float(high), "px", lambda dpi: self._pixels(number), warnings=tuple(found))

    def close(self) -> None:
        self._held = None

    def _pixels(self, number: int) -> Pixels:
        held, self._held = self._held, None
        return held[1] if held and held[0] == number else self._decoded(number)[0]

    def _frames(self) -> tuple[int, bool]:
        """How many pages there are, and whether the last of them is a frame that cannot be found."""
        with self._reading(1, tolerant=False) as image:
            if self._media_type != "image/tiff":
                self._check(image, 1)
                return 1, False
            count = 1
            while count < _MOST_FRAMES:
                try:
                    image.seek(count)
                except EOFError:
                    return count, False
                except Exception:  # see _reading
                    return count + 1, True
                count += 1
            return count, False

    def _decoded(self, number: int) -> tuple[Pixels, list[PageWarning]]:
        try:
            return self._load(number, tolerant=False)
        except UnreadableError:
            pixels, found = self._load(number, tolerant=True)
        text = f"page {number} of {self._path.name} is damaged or cut off; the part that could be decoded was read"
        return pixels, [*found, PageWarning("damaged-image", text)]

    def _load(self, number: int, tolerant: bool) -> tuple[Pixels, list[PageWarning]]:
        found = []
        with self._reading(number, tolerant) as image:
            if self._media_type == "image/tiff":
                image.seek(number - 1)
            elif getattr(image, "is_animated", False) and image.format != "MPO":
                text = f"{self._path.name} is an animation; only its first picture was read"
                found.append(PageWarning("animation", text))
            self._check(image, number)
            image.load()
            return _rgb(_upright(image)), found

    @contextmanager
    def _reading(self, number: int, tolerant: bool) -> Iterator[Image.Image]:
        """The opened image. What goes wrong inside becomes an error that names page `number`.

        On damaged files Pillow's parsers raise anything from OSError and SyntaxError to struct.error, IndexError and
        MemoryError.
        """
        silence = _silent() if self._media_type == "image/tiff" else nullcontext()
        try:
            with silence, _pillow(tolerant), Image.open(self._path, formats=_READERS[self._media_type]) as image:
                yield image
        except InputError:
            raise
        except UnidentifiedImageError:
            raise UnreadableError(f"{self._path.name} is damaged: its beginning makes no sense") from None
        except Exception as fault:
            reason = str(fault) or type(fault).__name__
            raise UnreadableError(f"page {number} of {self._path.name} cannot be decoded: {reason}") from None

    def _check(self, image: Image.Image, number: int) -> None:
        """The limits, from the header alone, before memory is asked for."""
        wide, high = image.size
        name, limits = f"page {number} of {self._path.name}", self._settings
        bits = 8 if image.mode in ("L", "P") else _BITS.get(image.mode, _DEEP_BITS)
        unpacked = wide * high * bits / 8
        # At the image's own depth, or every blank fax page would be a bomb.
        if unpacked > max(_ALWAYS_ALLOWED, limits.max_unpack_ratio * self._source_bytes):
            raise DecompressionBombError(
                f"{name} claims {wide} x {high} pixels in a file of {self._source_bytes} bytes, more than "
                f"{limits.max_unpack_ratio} times its size; raise max_unpack_ratio if you trust it"
            )
        if max(wide, high) > limits.max_image_side:
            raise ImageTooLargeError(
                f"{name} is {wide} x {high} pixels and a side may have {limits.max_image_side}; "
                "raise max_image_side or scale it down"
            )
        if wide * high > limits.max_image_mpx * 1_000_000:
            raise ImageTooLargeError(
                f"{name} is {wide} x {high} pixels, more than the {limits.max_image_mpx} Mpx allowed; "
                "raise max_image_mpx or scale it down"
            )


@contextmanager
def _pillow(tolerant: bool) -> Iterator[None]:
    """Pillow with its own size limit off, since ours are checked, and with or without patience for lost ends."""
    limit, patience = Image.MAX_IMAGE_PIXELS, ImageFile.LOAD_TRUNCATED_IMAGES
    Image.MAX_IMAGE_PIXELS, ImageFile.LOAD_TRUNCATED_IMAGES = None, tolerant
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what they tell of bad metadata concerns no reader of the text
            yield
    finally:
        Image.MAX_IMAGE_PIXELS, ImageFile.LOAD_TRUNCATED_IMAGES = limit, patience


@contextmanager
def _silent() -> Iterator[None]:
    """Closes the error stream: libtiff prints hundreds of lines on a damaged file and cannot be told not to."""
    try:
        kept = os.dup(2)
    except OSError:  # there is no error stream
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(nowhere)
        os.close(kept)


def _upright(image: Image.Image) -> Image.Image:
    """The image turned as its EXIF says; Pillow turns TIFFs itself. Broken EXIF counts as none."""
    if image.format == "TIFF":
        return image
    try:
        turn = _TURNS.get(image.getexif().get(_ORIENTATION, 1))
    except Exception:  # any of those that `_reading` names
        return image
    return image if turn is None else image.transpose(turn)


def _rgb(image: Image.Image) -> Pixels:
    """Height x width x 3, uint8. Transparency lies on white; deep greys are scaled to 8 bits."""
    if image.mode.startswith("I;16"):
        return _grey(np.asarray(image).astype(np.float64) / 257)
    if image.mode in ("I", "F"):
        return _grey(_scaled(np.asarray(image).astype(np.float64)))
    if image.mode in ("LA", "PA", "La", "RGBA", "RGBa") or "transparency" in image.info:
        layer = image.convert("RGBA")
        if layer.getchannel("A").getextrema() != (255, 255):
            layer = Image.alpha_composite(Image.new("RGBA", layer.size, "white"), layer)
        image = layer
    return np.asarray(image if image.mode == "RGB" else image.convert("RGB"))  # converting to the same mode copies


def _scaled(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Greys of unknown range to 0 to 255: 8 and 16 bits are taken as they are, anything else is stretched."""
    values = np.nan_to_num(values)
    low, high = float(values.min()), float(values.max())
    if low >= 0 and 1 < high <= 65535:
        return values if high <= 255 else values / 257
    return (values - low) * (255 / (high - low)) if high > low else np.full_like(values, 255 if high > 0 else 0)


def _grey(values: NDArray[np.float64]) -> Pixels:
    return np.repeat(np.clip(values + 0.5, 0, 255).astype(np.uint8)[:, :, None], 3, axis=2)
