from __future__ import annotations

import contextlib
import os
from pathlib import Path, PurePath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.conversion.outputs import NAME_LIMIT, Output, Outputs, format_of, plan
from octavo.document import PageResult, PageStatus, Source, Summary
from octavo.errors import StorageError, UsageError

OUT = Path("out")


def planned(*places: str, formats: tuple[str, ...] = ("md",)) -> list[str]:
    return [
        str(output.path.relative_to(OUT))
        for outputs in plan([PurePath(place) for place in places], OUT, formats)
        for output in outputs
        if output.path is not None
    ]


def test_a_document_keeps_its_name_and_folder() -> None:
    assert planned("a.pdf", "sub/b.PNG", "report.v2") == ["a.md", "sub/b.md", "report.v2.md"]
    assert planned("a.pdf", formats=("md", "json")) == ["a.md", "a.json"]


def test_names_that_would_collide_are_told_apart() -> None:
    assert planned("x.pdf", "x.png", "y.pdf") == ["x.pdf.md", "x.png.md", "y.md"]
    assert planned("x.pdf", "x.pdf") == ["x.pdf.md", "x.pdf-2.md"]
    assert planned("a/x.pdf", "b/x.pdf") == ["a/x.md", "b/x.md"]
    assert planned("x.pdf", "x.png", "x.pdf.txt") == ["x.pdf-2.md", "x.png.md", "x.pdf.md"]
    assert planned("X.pdf", "x.png") == ["X.pdf.md", "x.png.md"]


def test_an_overlong_name_is_cut_between_characters() -> None:
    name = "目" * 83 + "ab" + ".pdf"
    assert len(os.fsencode(name)) == 255
    (short,) = planned(name, formats=("json",))
    assert len(os.fsencode(short)) <= NAME_LIMIT
    assert short.startswith("目" * 70)
    assert planned("目" * 83 + "ab.pdf") == ["目" * 83 + "ab.md"]


NAMES = st.text("aA目.é", min_size=1, max_size=4).map(lambda stem: "x" + stem)
PLACES = st.builds(
    lambda stem, suffix, times: stem * times + suffix,
    NAMES,
    st.sampled_from([".pdf", ".png", ""]),
    st.sampled_from([1, 60]),
)


@given(st.lists(PLACES, max_size=8))
def test_no_two_documents_get_the_same_file(places: list[str]) -> None:
    names = planned(*places, formats=("md", "html"))
    assert len({name.casefold() for name in names}) == 2 * len(places)
    assert all(len(os.fsencode(name)) <= NAME_LIMIT + 10 for name in names)


def test_the_suffix_tells_the_format() -> None:
    assert [format_of(Path(name)) for name in ("a.md", "b.JSON", "c.html", "d.txt")] == ["md", "json", "html", "txt"]
    with pytest.raises(UsageError, match="does not tell"):
        format_of(Path("a.pdf"))


def write(outputs: Outputs, pages: int) -> None:
    outputs.begin(Source("a.pdf", "application/pdf", 1, "blake3:0", pages))
    for page in range(1, pages + 1):
        outputs.page(PageResult(page, PageStatus.BLANK))


def test_files_appear_together_at_the_end(tmp_path: Path) -> None:
    targets = [Output(tmp_path / "a.md", "md"), Output(tmp_path / "a.json", "json")]
    with Outputs(targets) as outputs:
        write(outputs, 2)
        assert not any(target.path.exists() for target in targets if target.path)
        outputs.finish(Summary(2, blank=2))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.json", "a.md"]


def test_nothing_is_left_of_a_document_that_was_not_finished(tmp_path: Path) -> None:
    old = tmp_path / "a.md"
    old.write_text("old", encoding="utf-8")
    targets = [Output(old, "md"), Output(tmp_path / "a.txt", "txt")]
    with contextlib.suppress(KeyboardInterrupt), Outputs(targets) as outputs:
        write(outputs, 2)
        raise KeyboardInterrupt
    assert old.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [old]


def test_nothing_is_left_when_the_second_file_cannot_be_opened(tmp_path: Path) -> None:
    (tmp_path / "b.txt").mkdir()
    with pytest.raises(StorageError, match=r"b\.txt"):
        Outputs([Output(tmp_path / "a.md", "md"), Output(tmp_path / "b.txt", "txt")])
    assert [path.name for path in tmp_path.iterdir()] == ["b.txt"]
