"""A long scan made from a few real pages: no two pictures in it are the same, so no stream is shared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from benchmarks.bench_pages import CHOSEN, DPI
from benchmarks.evaluation_set import DEV, cases
from benchmarks.scan_file import ScanFile
from benchmarks.surroundings import ROOT, default_settings
from octavo.intake import open_source

Grey = NDArray[np.uint8]

PICTURE_BYTES = 525_000  # what a page should take: 2,000 pages are then about 1 GB
NOISE = 8  # grey levels up or down that a pixel may be off, as in a real scan
PAGE_WIDTH = 8.27  # inches, of A4


@dataclass(frozen=True)
class Template:
    """A real page, and the JPEG quality at which it takes about PICTURE_BYTES with its noise."""

    picture: Grey
    quality: int

    def variant(self, number: int) -> bytes:
        """The page as a JPEG with noise that only `number` has."""
        return _jpeg(_noisy(self.picture, number), self.quality)


def write_long_scan(path: Path, pages: int) -> int:
    """Write a PDF of that many pages, the templates in turn, and return its size in bytes."""
    templates = [Template(picture, _quality(picture)) for picture in _pictures()]
    with ScanFile(path) as file:
        for number in tqdm(range(pages), unit="page", desc="making the scan", disable=None):
            template = templates[number % len(templates)]
            height, width = template.picture.shape
            file.add(template.variant(number), width, height, width / PAGE_WIDTH)
    return path.stat().st_size


def _pictures() -> Iterator[Grey]:
    """The pages of the example scan and, where the evaluation set is, those that are benchmarked."""
    settings = default_settings()
    files = [ROOT / "examples/report-scan.pdf"]
    if (DEV / "manifest.jsonl").exists():
        files += [case.input for case in cases(DEV) if case.id in CHOSEN]
    for file in files:
        document = open_source(file, settings)
        for number in range(1, document.source.pages + 1):
            picture = document.page(number).render(DPI)
            yield cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY).astype(np.uint8, copy=False)
        document.close()


def _noisy(picture: Grey, seed: int) -> Grey:
    noise = np.random.default_rng(seed).integers(-NOISE, NOISE + 1, picture.shape, np.int16)
    noisy: Grey = np.clip(picture + noise, 0, 255).astype(np.uint8)
    return noisy


def _quality(picture: Grey) -> int:
    """The best JPEG quality whose file is not larger than PICTURE_BYTES."""
    noisy = _noisy(picture, 0)
    return next((quality for quality in range(95, 20, -5) if len(_jpeg(noisy, quality)) <= PICTURE_BYTES), 20)


def _jpeg(picture: Grey, quality: int) -> bytes:
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert done
    return data.tobytes()
