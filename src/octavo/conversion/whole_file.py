"""A file that appears whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import stat
from pathlib import Path
from typing import BinaryIO

import blake3

from octavo.errors import DiskFullError, StorageError

_FULL = (errno.ENOSPC, errno.EDQUOT)


def storage_error(fault: OSError, path: Path | str) -> StorageError:
    """The typed error for a failed write to `path`."""
    reason = fault.strerror or str(fault)
    if fault.errno in _FULL:
        return DiskFullError(f"{path} cannot be written: {reason}; free space and run the command again")
    return StorageError(f"{path} cannot be written: {reason}; check the folder or choose another")


class WholeFile:
    """Writes to a hidden file beside `path` and renames it at the end: `complete`, then `appear`, or else `discard`.

    The hidden file's name follows from the name of `path` alone, so what a killed run left behind is taken over by the
    next, and a lock on it tells of another run that is writing the same file at this moment. A device or a pipe is
    written to directly, and a link's target is written, not the link.
    """

    def __init__(self, path: Path) -> None:
        """Makes the folder if need be and opens the hidden file. Raises StorageError."""
        self.path = path
        self._final = os.path.realpath(path)
        self._temporary: str | None = None
        self._done = False
        try:
            self.stream: BinaryIO = self._open()
        except OSError as fault:
            raise storage_error(fault, path) from fault

    def complete(self) -> None:
        """Bring everything written to the disk. Raises StorageError."""
        try:
            self.stream.flush()
            if self._temporary is not None:
                os.fsync(self.stream.fileno())
        except OSError as fault:
            raise storage_error(fault, self.path) from fault

    def appear(self) -> None:
        """Put the file in its place. Raises StorageError."""
        try:
            if self._temporary is not None:
                os.replace(self._temporary, self._final)
                _sync_folder(os.path.dirname(self._final))
            self._done = True
            self.stream.close()
        except OSError as fault:
            raise storage_error(fault, self.path) from fault

    def discard(self) -> None:
        """Leave nothing behind; without effect once the file has appeared."""
        if self._done:
            return
        self._done = True
        if self._temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(self._temporary)
        with contextlib.suppress(OSError):  # what is in the buffer may not fit
            self.stream.close()

    def _open(self) -> BinaryIO:
        folder, name = os.path.split(self._final)
        os.makedirs(folder, exist_ok=True)
        with contextlib.suppress(FileNotFoundError):
            mode = os.stat(self._final).st_mode
            if stat.S_ISDIR(mode):
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            if not stat.S_ISREG(mode):
                return open(self._final, "wb")
        temporary = os.path.join(folder, f".octavo-{blake3.blake3(os.fsencode(name)).hexdigest(8)}.part")
        while True:
            descriptor = os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
            try:
                if self._lock(descriptor) and _is_at(descriptor, temporary):
                    os.ftruncate(descriptor, 0)
                    self._temporary = temporary
                    return os.fdopen(descriptor, "wb")
            except BaseException:
                os.close(descriptor)
                raise
            os.close(descriptor)  # it was renamed or removed between opening and locking

    def _lock(self, descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StorageError(f"{self.path} is being written by another run of octavo; wait for it to end") from None
        except OSError:
            pass  # a file system without locks
        return True


def _is_at(descriptor: int, path: str) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(path))
    except FileNotFoundError:
        return False


def _sync_folder(folder: str) -> None:
    """Make the renaming itself last; not every file system can."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
