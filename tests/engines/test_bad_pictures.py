"""Pictures that are hard to read, made from a page that is not: each must say nearly the same."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from loaded import loaded
from rapidfuzz.distance import Levenshtein

from octavo.document import Page, PageResult
from octavo.engines.engine import Task
from octavo.intake import open_source
from octavo.settings import Settings

if TYPE_CHECKING:
    from octavo.document import Pixels

REPORT = Path(__file__).resolve().parents[2] / "examples/report-digital.pdf"


@cache
def report_page() -> Pixels:
    """A page in two columns, as a scanner without faults would give it."""
    return open_source(REPORT, Settings()).page(2).render(150)


def _uneven(pixels: Pixels) -> Pixels:
    light = 0.4 + 0.6 * np.linspace(0, 1, pixels.shape[1])[None, :, None]
    return (pixels * light).astype(np.uint8)


def _low_contrast(pixels: Pixels) -> Pixels:
    return (pixels * 0.2 + 100).astype(np.uint8)


def _faint(pixels: Pixels) -> Pixels:
    return (255 - (255 - pixels.astype(int)) * 0.25).astype(np.uint8)


def _compressed(pixels: Pixels) -> Pixels:
    _, data = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, 8])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def _shone_through(pixels: Pixels) -> Pixels:
    back = cv2.GaussianBlur(pixels[:, ::-1], (0, 0), 1.5)
    return np.minimum(pixels, (255 - (255 - back.astype(int)) * 0.35).astype(np.uint8))


def _photographed(pixels: Pixels) -> Pixels:
    height, width = pixels.shape[:2]
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    seen = np.array([(0.1, 0.05), (1.0, 0.02), (1.06, 1.06), (0.04, 1.03)], np.float32) * (width, height)
    matrix = cv2.getPerspectiveTransform(corners, seen.astype(np.float32))
    size = (int(1.1 * width), int(1.1 * height))
    return np.asarray(cv2.warpPerspective(pixels, matrix, size, borderValue=(70, 70, 70)), np.uint8)


def _on_a_table(pixels: Pixels) -> Pixels:
    photograph = np.random.default_rng(1).normal(90, 10, (2600, 2200, 3)).clip(0, 255).astype(np.uint8)
    photograph[500 : 500 + pixels.shape[0], 500 : 500 + pixels.shape[1]] = pixels
    return photograph


FAULTS: dict[str, Callable[[Pixels], Pixels]] = {
    "inverted": lambda pixels: 255 - pixels,
    "uneven light": _uneven,
    "low contrast": _low_contrast,
    "faint": _faint,
    "jpeg blocks": _compressed,
    "yellow paper": lambda pixels: np.minimum(pixels, np.array((250, 200, 90), np.uint8)),
    "the other side shines through": _shone_through,
    "photographed askew": _photographed,
    "small in a photograph": _on_a_table,
}


def said(result: PageResult) -> list[str]:
    return sorted(re.sub(r"\W+", "", line.text).lower() for block in result.blocks for line in block.lines)


def read(pixels: Pixels, models_dir: Path) -> PageResult:
    page = Page(1, pixels.shape[1], pixels.shape[0], "px", lambda dpi: pixels)
    (result,) = loaded("standard", models_dir).recognize(iter((page,)), Task())
    return result


@pytest.fixture(scope="module")
def clean(models_dir: Path) -> str:
    return "".join(said(read(report_page(), models_dir)))


@pytest.mark.parametrize("fault", FAULTS)
def test_a_bad_picture_says_what_the_good_one_says(fault: str, clean: str, models_dir: Path) -> None:
    result = read(np.ascontiguousarray(FAULTS[fault](report_page())), models_dir)
    assert Levenshtein.normalized_similarity("".join(said(result)), clean) > 0.97
