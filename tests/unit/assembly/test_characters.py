from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from octavo.assembly.writers.characters import clean, clean_code, lines_of, one_line

ANY = st.text(st.characters(categories=None))


def test_line_ends_tabs_and_controls() -> None:
    assert clean("a\r\nb\rc\x0bd\x0ce\u2028f\tg\x00\ufeff\ud800h") == "a\nb\nc\nd\ne\nf gh"
    assert lines_of(" a \n\n\u3000b\n \n") == ["a", "b"]
    assert one_line("a\n b\r\nc") == "a b c"
    assert clean_code("\n\n\tif x:  \r\n\n\t\ty\x07\n\n") == "\tif x:\n\n\t\ty"


@given(ANY)
def test_whatever_was_read_can_be_written(text: str) -> None:
    for cleaned in (clean(text), clean_code(text)):
        assert cleaned.encode().decode() == cleaned
        assert not set(cleaned) & set("\r\x0b\x0c\x00\x1b\x7f\x85\u2028\u2029")
        assert clean_code(cleaned) == cleaned.strip("\n") or "\t" not in cleaned
