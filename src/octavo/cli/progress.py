"""How far a conversion is, on standard error: a bar on a terminal, else a line from time to time."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

from octavo.document import PageResult, PageStatus

if TYPE_CHECKING:
    from tqdm import tqdm

EVERY = 10.0  # seconds between lines


class Progress:
    """Counts pages. The total grows as documents are opened."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._total = self._done = self._failed = 0
        self._began = self._told = time.monotonic()
        self._bar: tqdm[Any] | None = None
        if not quiet and sys.stderr.isatty():
            from tqdm import tqdm

            self._bar = tqdm(total=0, unit="page", dynamic_ncols=True, smoothing=0.05, file=sys.stderr)

    def expect(self, pages: int) -> None:
        """So many pages more will come."""
        self._total += pages
        if self._bar is not None:
            self._bar.total = self._total
            self._bar.refresh()

    def page(self, result: PageResult) -> None:
        self._done += 1
        if result.status is PageStatus.FAILED:
            self._failed += 1
        if self._bar is not None:
            if self._failed:
                self._bar.set_postfix_str(f"{self._failed} failed", refresh=False)
            self._bar.update()
        elif not self._quiet and time.monotonic() - self._told >= EVERY:
            self._told = time.monotonic()
            print(self._line(), file=sys.stderr, flush=True)

    def say(self, line: str) -> None:
        """A line above the bar."""
        if self._bar is not None:
            self._bar.write(line, file=sys.stderr)
        else:
            print(line, file=sys.stderr, flush=True)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()

    def _line(self) -> str:
        rate = self._done / max(time.monotonic() - self._began, 1e-9)
        minutes, seconds = divmod(round((self._total - self._done) / rate), 60)
        failed = f", {self._failed} failed" if self._failed else ""
        left = f"{minutes} min {seconds} s left"
        return f"octavo: {self._done} of {self._total} pages, {rate:.2f} pages/s, {left}{failed}"
