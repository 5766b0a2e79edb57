"""What the documentation, the package and the code promise one another."""

from __future__ import annotations

import importlib.util
import re
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

import octavo
from octavo import errors, settings
from octavo.cli.main import COMMANDS, INTERNAL, INTERRUPTED, PIPE_CLOSED, build
from octavo.models import CATALOGUE, store
from octavo.settings import Settings

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PAGES = sorted(f"docs/{path.name}" for path in DOCS.glob("*.md"))


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate_docs", ROOT / "scripts/generate_docs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_generated_parts_of_the_docs_are_up_to_date(generator: ModuleType) -> None:
    late = [path.name for path in generator.lagging()]
    assert not late, "run `make docs`"


@pytest.mark.parametrize("page", ["settings.md", "errors.md", "cli.md"])
def test_a_page_that_lags_is_noticed_and_renewed(generator: ModuleType, page: str) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    lines = text.splitlines(keepends=True)
    begin = next(number for number, line in enumerate(lines) if line.startswith("<!-- generated"))
    assert generator.generated(page, "".join(lines[: begin + 4] + lines[begin + 5 :])) == text
    with pytest.raises(ValueError, match="must have exactly one"):
        generator.generated(page, text.replace("<!-- end", "<!-- and"))


def test_every_setting_has_help_unit_and_range() -> None:
    for name, (kind, default, rule) in settings.rules().items():
        assert rule.help.endswith("."), name
        if kind in (int, float):
            assert rule.low is not None, name
            assert rule.high is not None, name
            assert rule.low <= default <= rule.high, name
        if rule.choices:
            assert default in rule.choices, name
    assert len(settings.rules()) <= 60


def test_error_codes_and_exit_codes_are_those_promised() -> None:
    tree = errors.all_errors()
    assert len({cls.code for cls in tree}) == len(tree)
    exits = {cls.__name__: cls.exit_code for cls in errors.OctavoError.__subclasses__()}
    assert exits == {
        "UsageError": 2,
        "InputError": 3,
        "EngineError": 4,
        "StorageError": 5,
        "BusyError": 6,
        "AccessError": 7,
        "NotFoundError": 8,
    }
    documented = set(re.findall(r"^\| (\d+) \|", (DOCS / "errors.md").read_text(encoding="utf-8"), re.MULTILINE))
    assert documented == {str(code) for code in (0, 1, *exits.values(), INTERNAL, INTERRUPTED, PIPE_CLOSED)}
    for cls in tree:
        assert errors.by_code(cls.code) is cls
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", cls.code)


def test_the_drawn_tree_of_errors_names_every_class() -> None:
    assert errors.__doc__ is not None
    drawn = set(re.findall(r"\w+Error", errors.__doc__))
    assert drawn == {cls.__name__ for cls in errors.all_errors()}


def test_public_names_are_exactly_those_exported() -> None:
    assert set(octavo.__all__) == {"__version__", "convert"}
    assert callable(octavo.convert)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        octavo.nothing  # noqa: B018


def test_version_is_the_package_s() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert octavo.__version__ == project["version"]


def test_every_command_module_is_in_the_table() -> None:
    frame = {"__init__", "main", "parser"}
    modules = {path.stem for path in (ROOT / "src/octavo/cli").glob("*.py")} - frame
    assert set(COMMANDS) <= modules
    for name in COMMANDS:
        assert f"### `octavo {name}`" in (DOCS / "cli.md").read_text(encoding="utf-8")
    build()


@pytest.mark.parametrize("page", ["README.md", "CHANGELOG.md", *PAGES])
def test_links_between_the_docs_lead_somewhere(page: str) -> None:
    path = ROOT / page
    links = re.findall(r"\]\(([^)\s]+)\)", path.read_text(encoding="utf-8"))
    targets = [link.partition("#")[0] for link in links if "://" not in link]
    assert not [target for target in targets if target and not (path.parent / target).exists()]


@pytest.mark.parametrize(
    "page", ["README.md", "CHANGELOG.md", *sorted(f"docs/{path.name}" for path in DOCS.glob("*.md"))]
)
def test_docs_name_settings_that_exist(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    named = {name.lower() for name in re.findall(r"OCTAVO_([A-Z_]*[A-Z])", text)} - {"config"}
    assert named <= set(settings.rules())


def test_the_architecture_page_names_every_room_and_no_file_that_is_gone() -> None:
    text = (DOCS / "architecture.md").read_text(encoding="utf-8")
    rooms = {path.name for path in (ROOT / "src/octavo").iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert not [room for room in sorted(rooms) if f"`{room}/`" not in text]
    paths = re.findall(r"`((?:\w+/)+\w+\.py)`", text)
    assert not [path for path in paths if not any((root / path).exists() for root in (ROOT, ROOT / "src/octavo"))]


def test_the_catalogue_describes_the_real_weights(models_dir: Path) -> None:
    where = Settings(models_dir=str(models_dir))
    checks = [one for model in CATALOGUE for one in store.inspect(model, where, digest=True)]
    assert not [one.fault for one in checks if one.fault]
