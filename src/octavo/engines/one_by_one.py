"""For engines that read pages singly: errors become failed results, and each result gets its stamp and usage."""

from __future__ import annotations

import logging
import resource
import time
from collections.abc import Callable, Iterable, Iterator

import msgspec

from octavo.document import Page, PageError, PageResult, PageStatus, Stamp, Usage
from octavo.errors import OctavoError, OutOfMemoryError

_log = logging.getLogger(__name__)


def read_each(pages: Iterable[Page], read: Callable[[Page], PageResult], stamp: Stamp) -> Iterator[PageResult]:
    """One result per page, in order. `read` may raise; it sets neither stamp nor usage."""
    for page in pages:
        started, cpu = time.perf_counter(), _cpu_seconds()
        try:
            result = read(page)
        except OctavoError as fault:
            result = _failed(page, PageError(fault.code, fault.message, fault.retryable))
        except MemoryError:
            what = f"page {page.number} needs more memory than a worker may hold; raise worker_memory_mb"
            result = _failed(page, PageError(OutOfMemoryError.code, what, OutOfMemoryError.retryable))
        except Exception as fault:
            _log.exception("page %d could not be read", page.number)
            what = f"page {page.number} could not be read because of a fault in Octavo ({type(fault).__name__})"
            result = _failed(page, PageError(OctavoError.code, what))
        usage = Usage(round(time.perf_counter() - started, 4), round(_cpu_seconds() - cpu, 4))
        yield msgspec.structs.replace(result, stamp=stamp, usage=usage)


def _cpu_seconds() -> float:
    """Of this process and the programs it has run and waited for."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def _failed(page: Page, error: PageError) -> PageResult:
    return PageResult(
        page.number, PageStatus.FAILED, page.width, page.height, page.unit, error=error, warnings=page.warnings
    )
