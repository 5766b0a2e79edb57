from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.errors import UsageError
from octavo.settings import Settings, load, rules

EMPTY = {"OCTAVO_CONFIG": "/dev/null"}


def config(tmp_path: Path, text: str) -> dict[str, str]:
    path = tmp_path / "octavo.toml"
    path.write_text(text, encoding="utf-8")
    return {"OCTAVO_CONFIG": str(path)}


def test_defaults() -> None:
    assert load(environ=EMPTY) == Settings()
    assert (Settings().max_pages, Settings().max_file_mb, Settings().tier) == (2000, 512, "standard")


def test_flags_win_over_variables_and_variables_over_the_file(tmp_path: Path) -> None:
    environ = config(tmp_path, 'dpi = 100\nworkers = 3\ntier = "fast"\n') | {"OCTAVO_DPI": "150", "OCTAVO_WORKERS": "5"}
    found = load({"dpi": 300, "workers": None}, environ)
    assert (found.dpi, found.workers, found.tier) == (300, 5, "fast")


def test_the_file_in_the_home_folder_is_optional(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert load(environ={}) == Settings()
    path = tmp_path / ".config/octavo/octavo.toml"
    path.parent.mkdir(parents=True)
    path.write_text("dpi = 111\n")
    assert load(environ={}).dpi == 111


@pytest.mark.parametrize(
    ("environ", "message"),
    [
        ({"OCTAVO_TEIR": "fast"}, "the variable OCTAVO_TEIR names an unknown setting 'teir'; did you mean 'tier'?"),
        ({"OCTAVO_XQZ": "1"}, "unknown setting 'xqz'; `octavo settings` lists them"),
        ({"OCTAVO_DPI": "many"}, "setting dpi must be of type int, not 'many'"),
        ({"OCTAVO_DPI": "49"}, "setting dpi must be between 50 and 1200 dpi, not 49"),
        ({"OCTAVO_DPI": "1201"}, "setting dpi must be between 50 and 1200 dpi, not 1201"),
        ({"OCTAVO_PAGE_TIMEOUT": "nan"}, "setting page_timeout must be between"),
        ({"OCTAVO_TIER": "fats"}, "setting tier must be one of standard, fast, not 'fats'; did you mean 'fast'?"),
        ({"OCTAVO_CONFIG": "/nonexistent/octavo.toml"}, "/nonexistent/octavo.toml does not exist"),
    ],
)
def test_mistakes_are_named(environ: dict[str, str], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        load(environ=EMPTY | environ)
    assert message in caught.value.message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dpi = ", "cannot be read"),
        ("dpl = 3", "the config file names an unknown setting 'dpl'; did you mean 'dpi'?"),
        ("tier = 3", "setting tier must be of type str, not 3"),
        ("dpi = [1]", "setting dpi must be of type int"),
        ("[limits]\nmax_pages = 3", "unknown setting 'limits'"),
    ],
)
def test_mistakes_in_the_file_are_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        load(environ=config(tmp_path, text))
    assert message in caught.value.message


def test_a_config_file_that_is_not_text(tmp_path: Path) -> None:
    (tmp_path / "octavo.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="cannot be read"):
        load(environ={"OCTAVO_CONFIG": str(tmp_path / "octavo.toml")})
    with pytest.raises(UsageError, match="cannot be read"):
        load(environ={"OCTAVO_CONFIG": str(tmp_path)})


def test_variables_of_other_programs_do_not_matter() -> None:
    assert load(environ=EMPTY | {"OCTAVOX": "1", "PATH": "/bin", "DPI": "3"}) == Settings()


def test_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/someone")
    assert Settings().folder("models") == Path("/home/someone/.local/share/octavo/models")
    assert Settings(data_dir="/data").folder("cache") == Path("/data/cache")
    assert Settings(data_dir="/data", models_dir="~/weights").folder("models") == Path("/home/someone/weights")
    assert Settings(data_dir="here").folder("data") == Path.cwd() / "here"


@given(st.sampled_from([name for name, (kind, _, _) in rules().items() if kind in (int, float)]), st.data())
def test_numbers_are_taken_exactly_within_their_range(name: str, data: st.DataObject) -> None:
    kind, _, rule = rules()[name]
    assert rule.low is not None
    assert rule.high is not None
    value = data.draw(st.integers(int(rule.low) - 3, int(rule.high) + 3))
    text = str(kind(value))
    if rule.low <= value <= rule.high:
        assert getattr(load(environ=EMPTY | {f"OCTAVO_{name.upper()}": text}), name) == value
    else:
        with pytest.raises(UsageError, match=f"setting {name} must be between"):
            load(environ=EMPTY | {f"OCTAVO_{name.upper()}": text})


def test_a_text_of_every_default_reads_back() -> None:
    environ = EMPTY | {f"OCTAVO_{name.upper()}": str(value) for name, value in asdict(Settings()).items()}
    assert load(environ=environ) == Settings()
