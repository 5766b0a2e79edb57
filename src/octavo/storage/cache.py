"""The page cache: results of pages, kept on disk under what they were made from and how.

One compressed file per page, in 256 folders by the first digits of its key. Files appear whole, by renaming, so any
number of processes may share the folder. Nothing here ever fails a conversion: an entry that is damaged is removed and
made again, and a full disk only means that less is kept.
"""

from __future__ import annotations

import contextlib
import logging
import os
import random
import re
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path

import blake3
import msgspec

from octavo.document import SCHEMA_VERSION, PageResult, PageStatus, Stamp

log = logging.getLogger(__name__)

LAYOUT = "1"  # of the key and the files; entries of another layout are never found and age away
SHARDS, SAMPLE = 256, 8
STALE = 3600.0  # seconds after which a temporary file has lost its writer
_SHARD = re.compile("[0-9a-f]{2}")  # a folder given by mistake holds other things, which are not ours to remove

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(PageResult).decode


def cache_key(page_digest: str, task: msgspec.Struct, stamp: Stamp) -> str:
    """64 hex digits: the page, what was asked of it, and what answers."""
    what = (LAYOUT, SCHEMA_VERSION, page_digest, msgspec.to_builtins(task), msgspec.to_builtins(stamp))
    return blake3.blake3(msgspec.json.encode(what, order="deterministic")).hexdigest()


class PageCache:
    """Results by key in the folder `folder`, which is made when the first result is kept."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._complained = False

    def get(self, key: str) -> PageResult | None:
        """The result kept under `key`, with the page number it had then; None where there is none."""
        path = self._path(key)
        try:
            packed = path.read_bytes()
        except OSError:
            return None
        try:
            result = _decode(zlib.decompress(packed))
        except (zlib.error, msgspec.MsgspecError, UnicodeDecodeError):
            log.warning("removed the damaged cache entry %s", path)
            with contextlib.suppress(OSError):
                path.unlink()
            return None
        with contextlib.suppress(OSError):
            os.utime(path)
        return result

    def put(self, key: str, result: PageResult) -> None:
        """Keep a result; one with status `failed` is not kept, nor any where the disk refuses (logged once)."""
        if result.status is PageStatus.FAILED:
            return
        packed = zlib.compress(_encode(result), 3)
        path = self._path(key)
        temporary = ""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            descriptor, temporary = tempfile.mkstemp(".part", "", path.parent)
            with open(descriptor, "wb") as file:
                file.write(packed)
            os.replace(temporary, path)
        except OSError as fault:
            if temporary:
                with contextlib.suppress(OSError):
                    os.unlink(temporary)
            if not self._complained:
                self._complained = True
                log.warning("pages are not kept in the cache %s: %s", self.folder, fault)

    def prune(self, limit: int) -> int:
        """Remove entries, longest unused first, until at most `limit` bytes are left. Returns the bytes removed.

        A large cache is first judged by a sample, and left alone where that is well below the limit.
        """
        shards = [shard.path for shard in _scan(self.folder) if _SHARD.fullmatch(shard.name)]
        if len(shards) == SHARDS:  # keys are spread evenly, and a walk over a million files takes seconds
            sample = sum(size for shard in random.sample(shards, SAMPLE) for _, size, _ in _entries(shard))
            if sample * SHARDS / SAMPLE < 0.8 * limit:
                return 0
        entries = sorted(entry for shard in shards for entry in _entries(shard))
        excess = sum(size for _, size, _ in entries) - limit
        removed = 0
        newest = entries[-1][0] if entries else 0.0
        for used, size, path in entries:
            if removed >= excess and not (path.endswith(".part") and used < newest - STALE):
                continue
            with contextlib.suppress(OSError):
                os.unlink(path)
                removed += size
        return removed

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / key[2:]


def _entries(shard: str) -> Iterator[tuple[float, int, str]]:
    """Last use, bytes on disk and path of each file."""
    for entry in _scan(shard):
        with contextlib.suppress(OSError):  # another process may prune as well
            status = entry.stat(follow_symlinks=False)
            yield status.st_mtime, max(status.st_size, status.st_blocks * 512), entry.path


def _scan(folder: Path | str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []
