from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.errors import UsageError
from octavo.intake import parse_pages


@pytest.mark.parametrize(
    ("text", "pages"),
    [
        ("1-3,5,10-", [1, 2, 3, 5, 10, 11, 12]),
        ("-2", [1, 2]),
        ("12", [12]),
        (" 3 , 1 - 2 ", [1, 2, 3]),
        ("5,5,4-6", [4, 5, 6]),
        ("all", list(range(1, 13))),
        ("12-", [12]),
    ],
)
def test_reads_the_forms_people_write(text: str, pages: list[int]) -> None:
    assert parse_pages(text, 12) == pages


@pytest.mark.parametrize(
    "text", ["", ",", "1,,2", "-", "a", "1-2-3", "1.5", "0", "0-3", "-0", "3-1", "+1", "²", "1" * 5000]
)
def test_refuses_what_is_no_range(text: str) -> None:
    with pytest.raises(UsageError):
        parse_pages(text, 12)


@pytest.mark.parametrize("text", ["13", "13-", "1-13", "-13", "2,99"])
def test_a_page_beyond_the_end_is_an_error_that_names_the_count(text: str) -> None:
    with pytest.raises(UsageError, match="the document has 12 pages"):
        parse_pages(text, 12)


@given(st.sets(st.integers(1, 60), min_size=1), st.randoms(use_true_random=False))
def test_any_set_of_pages_can_be_written_in_any_order(pages: set[int], random: object) -> None:
    parts = [str(page) for page in pages] + [f"{page}-{page}" for page in pages]
    random.shuffle(parts)  # type: ignore[attr-defined]
    assert parse_pages(",".join(parts), 60) == sorted(pages)


@given(st.text(alphabet="0123456789-, ", max_size=12))
def test_answers_pages_of_the_document_or_a_usage_error(text: str) -> None:
    try:
        pages = parse_pages(text, 30)
    except UsageError:
        return
    assert pages
    assert pages == sorted(set(pages))
    assert 1 <= pages[0] <= pages[-1] <= 30
