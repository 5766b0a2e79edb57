from __future__ import annotations

import errno
import json
import logging
import subprocess
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from octavo import __version__
from octavo.cli import main
from octavo.cli.main import run
from octavo.errors import FileTooLargeError, all_errors
from octavo.models import CATALOGUE
from octavo.models.catalogue import Model
from octavo.models.store import place
from octavo.models.supplied import SUPPLIED
from octavo.settings import load, rules


@pytest.fixture(autouse=True)
def _logging_as_it_was() -> Iterator[None]:
    root, own = logging.getLogger(), logging.getLogger("octavo")
    outputs, levels = list(root.handlers), (root.level, own.level)
    yield
    root.handlers[:] = outputs
    root.setLevel(levels[0])
    own.setLevel(levels[1])
    logging.captureWarnings(False)


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[Namespace], int]], None]:
    """Puts a command `try` into the program that does what the given function does."""

    def install(run: Callable[[Namespace], int]) -> None:
        module = SimpleNamespace(add=lambda subparsers: subparsers.add_parser("try"), run=run)
        monkeypatch.setitem(sys.modules, "octavo.cli.test_try", module)  # type: ignore[arg-type]
        monkeypatch.setitem(main.COMMANDS, "try", "octavo.cli.test_try")

    return install


def raising(error: BaseException) -> Callable[[Namespace], int]:
    def run(args: Namespace) -> int:
        raise error

    return run


@pytest.mark.parametrize("cls", all_errors())
def test_each_error_is_one_line_and_its_exit_code(command: Any, capsys: pytest.CaptureFixture[str], cls: Any) -> None:
    command(raising(cls("page 3 of a.pdf\nis damaged; export it again")))
    assert run(["try"]) == cls.exit_code
    assert capsys.readouterr() == ("", "octavo: error: page 3 of a.pdf is damaged; export it again\n")


def test_what_a_command_returns_is_the_exit_code(command: Any) -> None:
    command(lambda args: 1)
    assert run(["try"]) == 1


def test_a_bug_leaves_its_traceback_in_the_log(command: Any, capsys: pytest.CaptureFixture[str]) -> None:
    command(raising(ZeroDivisionError("division by zero")))
    assert run(["--log-format", "json", "try"]) == 70
    logged, said = capsys.readouterr().err.splitlines()
    assert "ZeroDivisionError: division by zero" in json.loads(logged)["traceback"]
    assert said.startswith("octavo: internal error: ZeroDivisionError")


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (KeyboardInterrupt(), 130, ""),
        (BrokenPipeError(), 141, ""),
        (MemoryError(), 4, "octavo: error: out of memory"),
        (
            OSError(errno.ENOSPC, "No space left on device", "/x/out.md"),
            5,
            "octavo: error: the disk is full while writing /x",
        ),
        (PermissionError(errno.EACCES, "Permission denied"), 70, "PermissionError"),
    ],
)
def test_what_the_system_raises(
    command: Any, capfd: pytest.CaptureFixture[str], error: BaseException, code: int, message: str
) -> None:
    command(raising(error))
    assert run(["try"]) == code
    assert message in capfd.readouterr().err


def test_a_typed_error_shows_its_traceback_at_debug_level(command: Any, capsys: pytest.CaptureFixture[str]) -> None:
    command(raising(FileTooLargeError("a.pdf is too large")))
    assert run(["--log-level", "debug", "--log-format", "text", "try"]) == 3
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "no command given; `octavo --help` lists them"),
        (["modles"], "unknown command 'modles'; did you mean 'models'?"),
        (["qqq"], "unknown command 'qqq'; `octavo --help` tells more"),
        (["models", "pul"], "unknown command 'pul'; did you mean 'pull'?"),
        (["models"], "the following arguments are required: COMMAND; `octavo models --help` tells more"),
        (["models", "list", "--jsno"], "unknown argument '--jsno'; did you mean '--json'?"),
        (["models", "list", "--js"], "unknown argument '--js'"),
        (["models", "pull", "--form=x"], "unknown argument '--form=x'; did you mean '--from'?"),
        (["settings", "extra"], "unknown argument 'extra'"),
        (["--verison"], "unknown argument '--verison'; did you mean '--version'?"),
        (["--log-level", "wanring", "settings"], "unknown value 'wanring' for --log-level; did you mean 'warning'?"),
        (["models", "path", "layout-cdl"], "there is no model 'layout-cdl'; did you mean 'layout-cdla'?"),
    ],
)
def test_a_mistake_in_the_command_line(capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    assert run(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("octavo: error: ")
    assert err.count("\n") == 1
    assert message in err


def test_a_mistake_in_the_environment(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("OCTAVO_LOG_LEVEL", "loud")
    assert run(["settings"]) == 2
    assert "setting log_level must be one of debug, info, warning, error" in capsys.readouterr().err


@pytest.mark.parametrize("flag", ["--version", "--help"])
def test_version_and_help(capsys: pytest.CaptureFixture[str], flag: str) -> None:
    assert run([flag]) == 0
    out = capsys.readouterr().out
    assert out == f"octavo {__version__}\n" if flag == "--version" else all(name in out for name in main.COMMANDS)


def program(*arguments: str, **options: Any) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "octavo", *arguments],
        stderr=subprocess.PIPE,
        text=True,
        **{"stdout": subprocess.PIPE} | options,
    )


def test_the_program_itself() -> None:
    with program("--version") as started:
        assert started.communicate(timeout=60) == (f"octavo {__version__}\n", "")
        assert started.returncode == 0
    with program("nothing") as started:
        assert started.communicate(timeout=60)[1].startswith("octavo: error: unknown command 'nothing'")
        assert started.returncode == 2


def test_a_reader_that_goes_away_is_no_fault() -> None:
    with program("settings", "--json") as started:
        assert started.stdout is not None
        started.stdout.close()
        assert started.stderr is not None
        assert started.stderr.read() == ""
        assert started.wait(60) == 141


def test_standard_output_on_a_full_disk() -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("this system has no /dev/full")
    with full.open("w") as out, program("settings", stdout=out) as started:
        assert started.stderr is not None
        assert started.stderr.read().startswith("octavo: error: the disk is full while writing standard output")
        assert started.wait(60) == 5


def test_settings_as_json(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("OCTAVO_DPI", "333")
    assert run(["settings", "--json"]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert list(rows) == list(rules())
    assert (rows["dpi"]["value"], rows["dpi"]["default"], rows["dpi"]["unit"]) == (333, 200, "dpi")
    assert (rows["dpi"]["low"], rows["dpi"]["high"], rows["dpi"]["variable"]) == (50, 1200, "OCTAVO_DPI")
    assert rows["tier"]["choices"] == ["standard", "fast"]


def test_settings_for_people(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("OCTAVO_DPI", "333")
    assert run(["settings"]) == 0
    out = capsys.readouterr().out
    assert "dpi              = 333 dpi (default 200)\n" in out
    assert "tier             = standard\n" in out
    for name, (_, _, rule) in rules().items():
        assert f"{name} " in out
        assert rule.help in out


@pytest.fixture
def empty_models(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("OCTAVO_MODELS_DIR", str(tmp_path / "models"))
    return tmp_path / "models"


def put(model: Model, content: bytes) -> None:
    path = place(model, model.files[0], load())
    path.parent.mkdir(parents=True)
    path.write_bytes(content)


def test_models_list_tells_the_state(empty_models: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(CATALOGUE[0], b"damaged")
    assert run(["models", "list", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert listed["folder"] == str(empty_models)
    assert [one["name"] for one in listed["models"]] == [model.name for model in CATALOGUE]
    assert [one["state"] for one in listed["models"]][:2] == ["damaged", "missing"]
    assert listed["models"][0]["files"][0]["sha256"] == CATALOGUE[0].files[0].sha256
    assert run(["models", "list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(CATALOGUE) + len(SUPPLIED)
    assert lines[-1].startswith("formula-latex")
    assert "(optional, see docs/formulas.md)" in lines[-1]
    assert [(one["name"], one["state"]) for one in listed["optional"]] == [("formula-latex", "missing")]
    assert lines[0].split()[:6] == ["pp-ocrv6-small-det", "3.10.0", "9.9", "MB", "Apache-2.0", "damaged"]


@pytest.mark.usefixtures("empty_models")
def test_models_verify_names_fault_and_cure(capsys: pytest.CaptureFixture[str]) -> None:
    put(CATALOGUE[0], b"x" * CATALOGUE[0].bytes)
    name = CATALOGUE[0].name
    assert run(["models", "verify", name]) == 1
    out = capsys.readouterr().out
    assert CATALOGUE[0].files[0].sha256 in out
    assert f"run `octavo models pull {name}`" in out
    assert run(["models", "verify", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["ok"] is False
    assert [one["state"] for one in told["files"]][:2] == ["damaged", "missing"]
    assert "run `octavo models pull`" in told["files"][1]["fault"]


def test_models_verify_and_path_of_the_real_weights(models_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["models", "verify"]) == 0
    assert capsys.readouterr().out.count(": ok\n") == sum(len(model.files) for model in CATALOGUE)
    assert run(["models", "path", "layout-cdla"]) == 0
    assert capsys.readouterr().out == f"{models_dir}/layout-cdla/1.2.1/layout_cdla.onnx\n"
    assert run(["models", "path", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"path": str(models_dir)}


@pytest.mark.usefixtures("empty_models")
def test_models_path_of_a_missing_model(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["models", "path", "layout-cdla"]) == 4
    assert "run `octavo models pull`" in capsys.readouterr().err


def test_models_pull_where_all_is_there(models_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["models", "pull", "--from", "/nonexistent", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [one["fetched"] for one in told["models"]] == [False] * len(CATALOGUE)
    assert run(["models", "pull", "layout-cdla"]) == 0
    assert capsys.readouterr().out == f"1 models in {models_dir}: 0 fetched, 1 already there\n"


@pytest.mark.usefixtures("empty_models")
def test_models_pull_from_a_folder_without_wheels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["models", "pull", "--from", str(tmp_path)]) == 4
    assert f"the folder {tmp_path} holds no wheel of rapidocr==3.10.0" in capsys.readouterr().err
