from __future__ import annotations

import pytest

from octavo import errors
from octavo.errors import DiskFullError, FileTooLargeError, InputError, OctavoError, all_errors, by_code


def test_parents_come_before_children() -> None:
    tree = all_errors()
    assert tree[0] is OctavoError
    for cls in tree[1:]:
        assert tree.index(cls.__base__) < tree.index(cls)


def test_a_class_without_its_own_numbers_has_its_parent_s() -> None:
    assert (errors.UnreadableError.exit_code, errors.UnreadableError.http_status) == (3, 422)
    assert (FileTooLargeError.exit_code, FileTooLargeError.http_status, FileTooLargeError.retryable) == (3, 413, False)
    assert (DiskFullError.exit_code, DiskFullError.http_status) == (5, 507)
    assert (errors.WorkerCrashedError.exit_code, errors.WorkerCrashedError.retryable) == (4, True)


@pytest.mark.parametrize("cls", all_errors())
def test_an_error_carries_its_message(cls: type[OctavoError]) -> None:
    error = cls("page 3 of a.pdf is damaged; export it again")
    assert error.message == str(error) == "page 3 of a.pdf is damaged; export it again"
    assert error.exit_code in (2, 3, 4, 5, 6, 7, 8, 70)
    assert 400 <= error.http_status < 600


def test_codes_lead_back_to_classes() -> None:
    assert by_code("file-too-large") is FileTooLargeError
    assert issubclass(by_code("password-wrong"), InputError)
    assert by_code("never heard of") is OctavoError
