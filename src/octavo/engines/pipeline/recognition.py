"""What the text lines say: the PP-OCRv6 recognition network, decoded by CTC."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from octavo.document import Pixels
    from octavo.engines.pipeline.runtime import Array, Network

_HEIGHT = 48  # px, of the network's picture of a line
_SQUEEZE = 0.95  # of a long line's width: a twentieth less to compute, and as many characters right on scans
_BUCKET = 64  # px; widths are rounded up to it so that the runtime prepares few shapes
_WIDEST = 3200  # px; the widest line the network was made for
_SIDE_MARGIN, _SHORT_MARGIN = 0.1, 0.15  # of the line's height: before and behind; above and below the shortest
_LONG_LINE = 20  # times its height
_VERTICAL = 1.5  # times its width: a line that is higher runs downwards
_STRIDE = 8  # px of width per step of the network's answer


@dataclass(frozen=True)
class Reading:
    """The text of one line. `positions` are the places of its characters along the line, 0 to 1; one per character."""

    text: str
    confidence: float
    positions: tuple[float, ...]
    confidences: tuple[float, ...]


EMPTY = Reading("", 0.0, (), ())


def cut(pixels: Pixels, corners: NDArray[np.float32]) -> Pixels:
    """The line inside the rotated box `corners` (4x2, from top left, clockwise) as a level picture.

    Lines at least 1.5 times as high as wide are turned counter-clockwise, as the network was trained on vertical text.
    """
    corners = _grown(corners)
    width = max(1, round(float(np.hypot(*(corners[1] - corners[0])))))
    height = max(1, round(float(np.hypot(*(corners[3] - corners[0])))))
    low, high = corners.min(axis=0), corners.max(axis=0)
    # Nearly level boxes need no resampling here: the resize to the network's height does all of it.
    if abs(corners[1][1] - corners[0][1]) <= max(1.0, 0.06 * height) and width >= height:
        x0, y0 = np.maximum(np.floor(low), 0).astype(int)
        x1, y1 = np.minimum(np.ceil(high), (pixels.shape[1], pixels.shape[0])).astype(int)
        line = pixels[y0:y1, x0:x1]
    else:
        target = np.array(((0, 0), (width, 0), (width, height), (0, height)), np.float32)
        matrix = cv2.getPerspectiveTransform(corners, target)
        turned = cv2.warpPerspective(
            pixels, matrix, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        line = np.asarray(turned, np.uint8)
    if height >= _VERTICAL * width:
        line = np.ascontiguousarray(np.rot90(line))
    return line


def _grown(corners: NDArray[np.float32]) -> NDArray[np.float32]:
    """The box with a margin, as letters touching the edge are read worse. Short lines are found tighter than long ones;
    long ones get no margin above and below, where the neighbours of a curved or tightly set line stand. For a line that
    runs downwards its sides are above and below."""
    along, down = corners[1] - corners[0], corners[3] - corners[0]
    width, height = max(1.0, float(np.hypot(*along))), max(1.0, float(np.hypot(*down)))
    if height >= _VERTICAL * width:
        down, along = _margins(down, height, along, width)
    else:
        along, down = _margins(along, width, down, height)
    return np.asarray(corners + np.array((-along - down, along - down, along + down, down - along)), np.float32)


def _margins(
    along: NDArray[np.float32], length: float, across: NDArray[np.float32], height: float
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """How far to reach out of a line at its ends and at its sides."""
    return (
        along * np.float32(_SIDE_MARGIN * height / length),
        across * np.float32(_SHORT_MARGIN * max(0.0, 1 - length / (_LONG_LINE * height))),
    )


class Recognizer:
    """Reads line pictures with one network and its alphabet (index 0 of the network's answer is the CTC blank)."""

    def __init__(self, network: Network, alphabet: tuple[str, ...]) -> None:
        self._network = network
        self._alphabet = ("", *alphabet)
        self._letters = frozenset("".join(alphabet))
        self._masks: dict[frozenset[str], NDArray[np.bool_]] = {}

    def knows(self, text: str) -> bool:
        """Whether the network can write (nearly) all letters of `text`."""
        letters = [c for c in text if c.isalpha()]
        return sum(c in self._letters for c in letters) >= 0.9 * len(letters)

    def read(self, line: Pixels, among: frozenset[str] | None = None) -> Reading:
        """The text of one level line picture (HxWx3); with `among` in no other characters, and at least one of them."""
        height, width = line.shape[:2]
        if height < 2 or width < 2:
            return EMPTY
        squeeze = _SQUEEZE if width > _LONG_LINE / 2 * height else 1.0
        scaled = min(_WIDEST, max(8, round(squeeze * width * _HEIGHT / height)))
        steps = self._network.run(_padded(line, scaled))[0][0]
        return self._decode(steps if among is None else self._masked(steps, among), scaled)

    def _masked(self, steps: NDArray[np.float32], among: frozenset[str]) -> NDArray[np.float32]:
        """The answer (steps x alphabet) with nothing left of other characters; what is likeliest then comes out."""
        allowed = self._masks.get(among)
        if allowed is None:
            allowed = self._masks[among] = np.array([not entry or entry in among for entry in self._alphabet])
        masked = np.where(allowed, steps[:, : len(allowed)], np.float32(0))
        if not masked.argmax(axis=1).any():
            place = int(masked[:, 1:].max(axis=1).argmax())
            masked[place, 0] = 0
        return masked

    def _decode(self, steps: NDArray[np.float32], scaled: int) -> Reading:
        best = steps.argmax(axis=1)
        # A character is a run of equal indices other than the blank; its place is the middle of the run.
        starts = np.flatnonzero(np.concatenate(([True], best[1:] != best[:-1])))
        peaks = np.maximum.reduceat(steps[np.arange(len(best)), best], starts)
        ends = np.append(starts[1:], len(best))
        written = best[starts] != 0
        places = np.minimum(1.0, (starts + ends)[written] * (_STRIDE / 2 / scaled)).tolist()
        scores = peaks[written].tolist()
        # A few entries of the alphabet are two characters; each has the place and score of the entry.
        entries = [self._alphabet[index] for index in best[starts][written].tolist()]
        if any(len(entry) != 1 for entry in entries):
            places = [place for place, entry in zip(places, entries, strict=True) for _ in entry]
            scores = [score for score, entry in zip(scores, entries, strict=True) for _ in entry]
        confidence = sum(scores) / len(scores) if scores else 0.0
        return _folded(Reading("".join(entries), confidence, tuple(places), tuple(scores)))


def _padded(line: Pixels, scaled: int) -> Array:
    """1x3x48xW float32 in BGR order and -1 to 1, `scaled` wide and padded to a bucket with 0 (mid grey)."""
    small = cv2.resize(line, (scaled, _HEIGHT), interpolation=cv2.INTER_LINEAR)
    out = np.zeros((1, 3, _HEIGHT, -(-scaled // _BUCKET) * _BUCKET), np.float32)
    for channel in range(3):
        np.multiply(small[:, :, 2 - channel], np.float32(2 / 255), out=out[0, channel, :, :scaled], casting="unsafe")
        out[0, channel, :, :scaled] -= 1
    return out


_WIDE = {chr(c): chr(c - 0xFEE0) for c in range(0xFF01, 0xFF5F)} | {"\u3000": " "}


def _folded(reading: Reading) -> Reading:
    """Full-width forms of ASCII in a line without East Asian characters are a slip of the network: made ASCII."""
    if not any(c in _WIDE for c in reading.text) or any(_is_east_asian(c) for c in reading.text):
        return reading
    text = "".join(_WIDE.get(c, c) for c in reading.text)
    return Reading(text, reading.confidence, reading.positions, reading.confidences)


def _is_east_asian(character: str) -> bool:
    return unicodedata.east_asian_width(character) == "W" and character not in _WIDE
