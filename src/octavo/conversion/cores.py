"""How many cores this process may use."""

from __future__ import annotations

import math
import os
from pathlib import Path


def cores() -> int:
    """Cores of the affinity mask, or fewer where a container's CPU quota (cgroup v2 or v1) gives fewer; at least 1.

    `os.cpu_count()` sees the host's cores inside `docker run --cpus 2`, and a worker for each would fill the memory.
    """
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    quota = _quota(Path("/sys/fs/cgroup"))
    return max(1, allowed if quota is None else min(allowed, math.ceil(quota)))


def _quota(root: Path) -> float | None:
    """CPUs that the control group grants, None where it sets no limit."""
    for files in (("cpu.max",), ("cpu/cpu.cfs_quota_us", "cpu/cpu.cfs_period_us")):
        try:
            words = " ".join((root / file).read_text() for file in files).split()
            quota, period = float(words[0]), float(words[1])
        except (OSError, ValueError, IndexError):
            continue
        return quota / period if quota > 0 and period > 0 else None
    return None
