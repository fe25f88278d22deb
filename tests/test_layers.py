"""The layers: dependencies point downwards only, and no file grows past one idea."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("goengine", "daemon", "clients")
MAX_LINES = 400


def python_files(*folders: str) -> list[str]:
    paths = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    return sorted(path.relative_to(ROOT).as_posix() for path in paths)


def imported_names(source: str, package: str = "") -> Iterator[str]:
    """Every module or member that the source imports anywhere, with its full name.

    `package` is what a relative import starts from.
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")[: len(package.split(".")) - node.level + 1]
            base = [*parents, node.module] if node.level else [node.module]
            module = ".".join(part for part in base if part)
            yield from (f"{module}.{alias.name}" for alias in node.names)


def imports_of(file: str) -> set[str]:
    package = ".".join(Path(file).parent.parts)
    return set(imported_names((ROOT / file).read_text(encoding="utf-8"), package))


def top_level(name: str) -> str:
    return name.partition(".")[0]


def is_inside(name: str, allowed: str) -> bool:
    return name == allowed or name.startswith(f"{allowed}.")


@pytest.mark.parametrize("file", python_files("goengine"))
def test_engine_knows_nothing_above_it(file: str) -> None:
    assert {top_level(name) for name in imports_of(file)}.isdisjoint({"zmq", "daemon", "clients"})


@pytest.mark.parametrize("file", python_files("daemon"))
def test_daemon_knows_no_client(file: str) -> None:
    assert "clients" not in {top_level(name) for name in imports_of(file)}


@pytest.mark.parametrize("file", python_files("clients"))
def test_client_takes_no_kernel_from_the_engine(file: str) -> None:
    from_engine = {name for name in imports_of(file) if top_level(name) == "goengine"}
    allowed = (
        "goengine.points",
        "goengine.gtp_line",
        "goengine.rules.handicap",
        "goengine.rules.rulesets",
        "goengine.__version__",
    )
    assert {
        name for name in from_engine if not any(is_inside(name, each) for each in allowed)
    } == set()


@pytest.mark.parametrize("file", python_files(*PACKAGES, "tests"))
def test_file_is_short(file: str) -> None:
    n_lines = len((ROOT / file).read_text(encoding="utf-8").splitlines())
    assert n_lines <= MAX_LINES, f"{file} has {n_lines} lines; past {MAX_LINES} it wants splitting"


@pytest.mark.parametrize("file", python_files(*PACKAGES))
def test_hacking_has_a_line_for_the_file(file: str) -> None:
    if Path(file).name != "__init__.py":
        lines = (ROOT / "HACKING.md").read_text(encoding="utf-8").splitlines()
        listed = [line.split()[0] for line in lines if line.startswith("    ")]
        assert any(file.endswith(f"/{name}") for name in listed)


def test_documents_have_no_dead_link_and_no_gap() -> None:
    for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"@\w+@", text), path
        for target in re.findall(r"\]\(([^)#:]+)\)", text):
            assert (path.parent / target).exists(), f"{path.name} links to {target}"


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("import daemon.main", {"daemon.main"}),
        ("import numpy, zmq as z", {"numpy", "zmq"}),
        (
            "from goengine.board import BLACK, WHITE",
            {"goengine.board.BLACK", "goengine.board.WHITE"},
        ),
        ("def f():\n    from daemon import pool", {"daemon.pool"}),
        ("from . import points", {"goengine.gtp.points"}),
        ("from ..rules import game", {"goengine.rules.game"}),
    ],
)
def test_every_form_of_import_is_seen(source: str, names: set[str]) -> None:
    assert set(imported_names(source, "goengine.gtp")) == names
