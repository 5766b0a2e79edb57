"""All errors that Octavo raises on purpose.

    OctavoError                                exit  HTTP
    ├── UsageError                               2   400
    ├── InputError                               3   422   the document is at fault
    │   ├── UnreadableError                                 not a document we can open, or damaged beyond use
    │   ├── UnsupportedError                         415   a kind of file we do not read
    │   ├── PasswordRequiredError, PasswordWrongError
    │   ├── TooLargeError                            413
    │   │   ├── FileTooLargeError, TooManyPagesError, ImageTooLargeError, DecompressionBombError
    │   └── PageTimeoutError
    ├── EngineError                              4   503   the reader is at fault
    │   ├── ModelMissingError, ModelDamagedError, EngineMissingError, LanguageMissingError
    │   ├── WorkerCrashedError                        502
    │   └── OutOfMemoryError
    ├── StorageError                             5   500
    │   └── DiskFullError                             507
    ├── BusyError                                6   429
    ├── AccessError                              7   403
    └── NotFoundError                            8   404

A message says what happened, to which file and page, and what to do about it. Codes are stable: clients branch on them.
"""

from __future__ import annotations

from typing import ClassVar


class OctavoError(Exception):
    """Base of the tree. `code` is stable, `exit_code` ends a command, `http_status` answers a request."""

    code: ClassVar[str] = "internal"
    exit_code: ClassVar[int] = 70
    http_status: ClassVar[int] = 500
    retryable: ClassVar[bool] = False

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class UsageError(OctavoError):
    code, exit_code, http_status = "usage", 2, 400


class InputError(OctavoError):
    code, exit_code, http_status = "input", 3, 422


class UnreadableError(InputError):
    code = "unreadable"


class UnsupportedError(InputError):
    code, http_status = "unsupported", 415


class PasswordRequiredError(InputError):
    code = "password-required"


class PasswordWrongError(InputError):
    code = "password-wrong"


class TooLargeError(InputError):
    code, http_status = "too-large", 413


class FileTooLargeError(TooLargeError):
    code = "file-too-large"


class TooManyPagesError(TooLargeError):
    code = "too-many-pages"


class ImageTooLargeError(TooLargeError):
    code = "image-too-large"


class DecompressionBombError(TooLargeError):
    code = "decompression-bomb"


class PageTimeoutError(InputError):
    code, retryable = "page-timeout", True


class EngineError(OctavoError):
    code, exit_code, http_status = "engine", 4, 503


class ModelMissingError(EngineError):
    code = "model-missing"


class ModelDamagedError(EngineError):
    code = "model-damaged"


class EngineMissingError(EngineError):
    code = "engine-missing"


class LanguageMissingError(EngineError):
    code = "language-missing"


class WorkerCrashedError(EngineError):
    code, http_status, retryable = "worker-crashed", 502, True


class OutOfMemoryError(EngineError):
    code, retryable = "out-of-memory", True


class StorageError(OctavoError):
    code, exit_code, http_status = "storage", 5, 500


class DiskFullError(StorageError):
    code, http_status = "disk-full", 507


class BusyError(OctavoError):
    code, exit_code, http_status, retryable = "busy", 6, 429, True


class AccessError(OctavoError):
    code, exit_code, http_status = "access", 7, 403


class NotFoundError(OctavoError):
    code, exit_code, http_status = "not-found", 8, 404


def all_errors() -> list[type[OctavoError]]:
    """Every class of the tree, parents before children, for the documentation and its test."""

    def walk(cls: type[OctavoError]) -> list[type[OctavoError]]:
        return [cls, *(found for child in cls.__subclasses__() for found in walk(child))]

    return walk(OctavoError)


def by_code(code: str) -> type[OctavoError]:
    """The class with this code; OctavoError itself where the code is not known."""
    return next((cls for cls in all_errors() if cls.code == code), OctavoError)
