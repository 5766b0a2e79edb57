"""The house's rules about rooms, libraries, files and names, checked on the sources themselves."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from pathlib import Path

import pytest

SRC = Path(__file__).resolve().parents[1] / "src"
PACKAGE = SRC / "octavo"

FLOOR = {"document", "errors", "settings", "observe"}
ALLOWED = {
    "cli": {"conversion", "models", "storage"},
    "conversion": {"intake", "engines", "assembly", "storage"},
    "engines": {"models"},
    "intake": set(),
    "assembly": set(),
    "models": set(),
    "storage": set(),
    "document": set(),
    "errors": set(),
    "settings": set(),
    "observe": set(),
    "__init__": {"conversion"},
    "__main__": {"cli"},
}
HOMES = {
    "PIL": ("intake", "engines", "assembly"),
    "argparse": ("cli",),
    "cv2": ("intake", "engines"),
    "fontTools": ("intake",),
    "markdown_it": ("intake",),
    "onnxruntime": ("engines.pipeline",),
    "openvino": ("engines.pipeline",),
    "psutil": ("conversion",),
    "py3langid": ("engines",),
    "pypdfium2": ("intake",),
    "tqdm": ("cli",),
}
NEVER = ("pickle", "marshal", "shelve")
HEAVY = ("numpy", "cv2", "onnxruntime", "openvino", "PIL", "pypdfium2", "fontTools", "py3langid")
EMPTY_WORDS = ("manager", "helper", "util", "processor", "handler")

FILES = sorted(PACKAGE.rglob("*.py"))


def module_of(path: Path) -> str:
    """Dotted name below `octavo`: `models.store`, `models` for its __init__, `__init__` for the package's own."""
    parts = list(path.relative_to(PACKAGE).with_suffix("").parts)
    if parts[-1] == "__init__" and len(parts) > 1:
        parts.pop()
    return ".".join(parts)


MODULES = {module_of(path): path for path in FILES}


def imports(path: Path, *, for_types: bool = True) -> Iterator[tuple[str, int]]:
    """Every absolute name that a file imports, with its line; `from a import b` counts as `a.b`.

    Without `for_types` what stands under `if TYPE_CHECKING` is left out.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
    guards = [node for node in ast.walk(tree) if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)]
    skipped = set() if for_types else {inner for guard in guards for inner in ast.walk(guard)}
    for node in ast.walk(tree):
        if node in skipped:
            continue
        if isinstance(node, ast.Import):
            yield from ((name.name, node.lineno) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: relative import; write the full name"
            yield from ((f"{node.module}.{name.name}", node.lineno) for name in node.names)


def own_imports(path: Path, *, for_types: bool = True) -> Iterator[tuple[str, int]]:
    """The modules of octavo that a file imports, as dotted names below `octavo`."""
    for name, line in imports(path, for_types=for_types):
        if name.split(".")[0] != "octavo":
            continue
        below = name.removeprefix("octavo").removeprefix(".")
        while below and below not in MODULES:  # the last part may be a name inside the module
            below = below.rpartition(".")[0]
        yield below or "__init__", line


def inside(module: str, place: str) -> bool:
    return module == place or module.startswith(f"{place}.")


@pytest.mark.parametrize("module", MODULES)
def test_imports_go_down_only(module: str) -> None:
    room = module.split(".")[0]
    assert room in ALLOWED, f"{room} is a new room: give it a line in ALLOWED and in docs/architecture.md"
    allowed = {room, *ALLOWED[room], *FLOOR}
    wrong = [
        f"{MODULES[module]}:{line} imports octavo.{target}"
        for target, line in own_imports(MODULES[module])
        if target != "__init__" and not any(inside(target, place) for place in allowed)
    ]
    assert not wrong


@pytest.mark.parametrize("module", MODULES)
def test_libraries_stay_in_their_homes(module: str) -> None:
    wrong = [
        f"{MODULES[module]}:{line} imports {name}"
        for name, line in imports(MODULES[module])
        if name.split(".")[0] in NEVER
        or ((homes := HOMES.get(name.split(".")[0])) and not any(inside(module, home) for home in homes))
    ]
    assert not wrong


def test_the_page_on_architecture_draws_the_same_arrows() -> None:
    page = (SRC.parent / "docs/architecture.md").read_text(encoding="utf-8")
    drawn = {room: set(targets.split()) for room, targets in re.findall(r"^(\w+) +►(.*)$", page, re.MULTILINE)}
    files = {"document", "errors", "settings", "observe", "__init__", "__main__"}
    assert drawn == {room: targets for room, targets in ALLOWED.items() if room not in files}


def test_no_import_cycles() -> None:
    graph = {
        module: {target for target, _ in own_imports(path, for_types=False) if target not in ("__init__", module)}
        for module, path in MODULES.items()
        if module != "__init__"  # its one import, of `convert`, waits until the name is used
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as cycle:
        pytest.fail(f"import cycle: {' -> '.join(cycle.args[1])}")


@pytest.mark.parametrize("module", MODULES)
def test_files_and_names_are_in_house_style(module: str) -> None:
    path = MODULES[module]
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= 450, f"{path} is too long for one concept"
    names = [path.stem, *(node.name for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ClassDef))]
    assert not [name for name in names if any(word in name.lower() for word in EMPTY_WORDS)]


@pytest.mark.parametrize("module", MODULES)
def test_only_the_command_line_ends_the_process(module: str) -> None:
    if module == "cli.main":
        return
    for node in ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8"))):
        where = f"{MODULES[module]}:{getattr(node, 'lineno', 0)}"
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            assert (node.value.id, node.attr) != ("sys", "exit"), where
        if isinstance(node, ast.Raise) and node.exc is not None:
            assert "SystemExit" not in ast.dump(node.exc), where
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in ("exit", "quit", "eval", "exec"), where


@pytest.mark.parametrize(
    "code",
    [
        "import octavo",
        "from octavo.cli.main import run; run(['--help'])",
        "from octavo.cli.main import run; run(['convert', '--help'])",
        "from octavo.cli.main import run; run(['settings'])",
        "from octavo.cli.main import run; run(['models', 'path'])",
    ],
)
def test_what_is_light_loads_nothing_heavy(code: str) -> None:
    show = f"import sys; print('HEAVY', *sorted(set({HEAVY!r}) & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}; {show}"],
        capture_output=True,
        text=True,
        timeout=60,
        env={"PYTHONPATH": str(SRC), "PATH": ""},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "HEAVY"


def test_the_table_of_engines_points_at_real_engines() -> None:
    from octavo.engines.engine import ENGINES

    for place in ENGINES.values():
        module = import_module(place)
        assert callable(module.create), place
        assert callable(module.stamp), place
