"""What figures depend on besides the code: the machine, the versions, and settings that owe nothing to its user."""

from __future__ import annotations

import datetime
import os
import platform
import re
import shutil
import subprocess
from importlib import metadata
from pathlib import Path
from typing import Any

import psutil

from octavo.conversion.cores import cores
from octavo.settings import Settings, load

ROOT = Path(__file__).resolve().parents[1]

_LOAD = os.getloadavg()[0]  # when the program starts: what else is running makes wall times longer

# As the workers are started: one thread per process.
ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "OMP_THREAD_LIMIT": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "2",
}


def default_settings(**flags: Any) -> Settings:
    """The defaults with `flags` over them and no page cache. Of the user's own settings only the models' folder counts.

    Raises UsageError for a flag that is no setting.
    """
    own = {"models_dir": str(load().folder("models")), "cache_mb": 0}
    return load({**own, **flags}, environ={"OCTAVO_CONFIG": os.devnull})


def child_environment(**more: str) -> dict[str, str]:
    """For child processes that import this package and Octavo from the checkout."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT / "src"), str(ROOT))), **more}


def machine(*distributions: str) -> str:
    """One paragraph: processor, cores, memory, system, versions of Octavo, its runtimes and `distributions`, date."""
    memory = psutil.virtual_memory().total / (1 << 30)
    versions = [f"Python {platform.python_version()}"]
    versions += [f"{name} {version_of(name)}" for name in ("octavo", "openvino", "onnxruntime", *distributions)]
    today = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d")
    return (
        f"Machine: {_processor()}, {cores()} cores, {memory:.0f} GB of memory, "
        f"{platform.system()} {platform.release()}. {', '.join(versions)}. "
        f"Measured on {today}; load average before the start {_LOAD:.1f}."
    )


def version_of(name: str) -> str:
    """The version of a Python distribution, or of Tesseract; "(missing)" where it is not installed."""
    if name == "tesseract":
        return _tesseract_version()
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "(missing)"


def _tesseract_version() -> str:
    program = shutil.which("tesseract")
    if program is None:
        return "(missing)"
    words = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout.split()
    return words[1] if len(words) > 1 else "(unknown)"


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    text = info.read_text(encoding="utf-8", errors="replace") if info.exists() else ""
    found = re.search(r"^model name\s*:\s*(.+)$", text, re.MULTILINE)
    name = found[1].strip() if found else platform.processor() or platform.machine()
    flags = [flag for flag in ("avx2", "avx512f", "avx512_bf16", "amx_bf16") if re.search(rf"\b{flag}\b", text)]
    return f"{name} ({', '.join(flags)})" if flags else name
