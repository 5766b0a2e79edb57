from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

Drawing = Callable[[Canvas], None]


@pytest.fixture
def pdf(tmp_path: Path) -> Callable[..., Path]:
    """Makes a PDF: one function per page draws on it; the page is `size` points."""

    def make(
        *pages: Drawing, size: tuple[float, float] = (600, 800), name: str = "made.pdf", **options: object
    ) -> Path:
        path = tmp_path / name
        canvas = Canvas(str(path), pagesize=size, **options)
        for draw in pages:
            draw(canvas)
            canvas.showPage()
        canvas.save()
        return path

    return make
