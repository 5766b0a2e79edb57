from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.engines.calibration import calibrated, name, raw

READERS = ["small", "tiny", "tesseract"]
shares = st.floats(0, 1)


@pytest.mark.parametrize("name", READERS)
@given(shares, shares)
def test_who_is_surer_is_said_to_be_right_more_often(name: str, one: float, other: float) -> None:
    low, high = sorted((calibrated(min(one, other), name), calibrated(max(one, other), name)))
    assert calibrated(min(one, other), name) == low
    assert 0 <= low <= high <= 1


@pytest.mark.parametrize("name", READERS)
@given(shares)
def test_the_way_back(name: str, said: float) -> None:
    assert raw(calibrated(said, name), name) == pytest.approx(said, abs=1e-6)


def test_networks_are_less_often_right_than_they_say() -> None:
    assert calibrated(0.99, "small") < 0.96
    assert calibrated(0.999, "small") > 0.98


@pytest.mark.parametrize(
    ("reader", "tier", "expected"),
    [
        ("network", "standard", "small"),
        ("network", "fast", "tiny"),
        ("tesseract", "standard", "tesseract"),
        ("tesseract", "fast", "tesseract"),
    ],
)
def test_names(reader: str, tier: str, expected: str) -> None:
    assert name(reader, tier) == expected
