from __future__ import annotations

from pathlib import Path

import pytest

from octavo.errors import ModelDamagedError, ModelMissingError
from octavo.models import supplied
from octavo.models.pull import pull
from octavo.settings import Settings

MODEL = supplied.SUPPLIED[0]


def put(settings: Settings, *names: str) -> None:
    folder = supplied.place(MODEL, settings)
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / name).write_bytes(name.encode())


def test_no_files_are_no_model_and_no_fault(tiny: Settings) -> None:
    assert supplied.present(MODEL, tiny) == ()
    assert supplied.digest(MODEL, tiny) == ""


def test_all_files_are_the_model(tiny: Settings, tmp_path: Path) -> None:
    put(tiny, *MODEL.files)
    folder = tmp_path / "models" / "formula-latex"
    assert supplied.present(MODEL, tiny) == (folder / "formula.onnx", folder / "tokens.txt")


def test_a_part_of_the_files_is_a_fault(tiny: Settings) -> None:
    put(tiny, "formula.onnx")
    with pytest.raises(ModelDamagedError, match=r"formula-latex in .* lacks tokens\.txt; docs/formulas\.md"):
        supplied.present(MODEL, tiny)


def test_the_digest_follows_the_files(tiny: Settings) -> None:
    put(tiny, *MODEL.files)
    before = supplied.digest(MODEL, tiny)
    assert len(before) == 64
    (supplied.place(MODEL, tiny) / "tokens.txt").write_bytes(b"others")
    assert supplied.digest(MODEL, tiny) not in ("", before)


def test_pulling_it_says_where_its_files_belong(tiny: Settings, tmp_path: Path) -> None:
    with pytest.raises(ModelMissingError) as caught:
        pull(["formula-latex"], tiny)
    assert f"put formula.onnx and tokens.txt into {tmp_path / 'models' / 'formula-latex'}" in caught.value.message
    assert "docs/formulas.md" in caught.value.message


def test_pulling_everything_does_not_ask_for_it(tiny: Settings, wheels: Path) -> None:
    assert "formula-latex" not in {one.model for one in pull([], tiny, folder=wheels)}
