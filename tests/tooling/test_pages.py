"""The pages for readers of the repository. The paths, links, commands and imports on them exist.

Each test reads all pages and names every page with a fault. A test for each page would take longer than its reading.
"""

import ast
import importlib
import re
from collections.abc import Callable, Collection
from importlib.machinery import SourceFileLoader
from importlib.util import find_spec, module_from_spec, spec_from_loader
from pathlib import Path

import pytest
from django.core.management import get_commands

from setup import APPS

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "clients").glob("*/README.md")),
    *sorted((ROOT / "clients" / "examples").glob("*/README.md")),
]
INDEX = ROOT / "docs" / "README.md"
TOP_LEVEL = {path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith(".")} - {"var"}

pytestmark = pytest.mark.once


def faults(find: Callable[[Path], Collection[str]]) -> dict[str, Collection[str]]:
    """Return what `find` finds on each page, without the pages on which it finds nothing."""
    return {str(page.relative_to(ROOT)): found for page in PAGES if (found := find(page))}


def commands() -> set[str]:
    """Return the commands of `./dev`."""
    loader = SourceFileLoader("dev", str(ROOT / "dev"))
    spec = spec_from_loader(loader.name, loader)
    assert spec is not None
    dev = module_from_spec(spec)
    loader.exec_module(dev)
    return set(dev.COMMANDS)


def is_path(text: str) -> bool:
    top, slash, _ = text.partition("/")
    return bool(slash) and top in TOP_LEVEL and re.fullmatch(r"[\w./-]+", text) is not None


def test_each_named_path_exists() -> None:
    def missing(page: Path) -> list[str]:
        named = [text for text in re.findall(r"`([^`\n]+)`", page.read_text()) if is_path(text)]
        return [path for path in named if not (ROOT / path).exists()]

    assert faults(missing) == {}


def test_each_link_leads_to_a_file() -> None:
    def missing(page: Path) -> list[str]:
        links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text())
        return [link for link in links if not (page.parent / link).exists()]

    assert faults(missing) == {}


def test_each_link_to_a_heading_leads_there() -> None:
    def missing(page: Path) -> list[str]:
        links = re.findall(r"\]\(([^)#:]*)#([^)]+)\)", page.read_text())
        return [f"{to}#{anchor}" for to, anchor in links if anchor not in anchors(page.parent / to if to else page)]

    assert faults(missing) == {}


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_the_index_has_each_page_of_its_folder_once() -> None:
    listed = re.findall(r"\]\(([\w-]+\.md)\)", INDEX.read_text())

    assert sorted(listed) == [page.name for page in PAGES if page.parent == INDEX.parent and page != INDEX]


def test_the_title_of_a_decision_begins_with_its_number() -> None:
    decisions = [page for page in PAGES if page.parent.name == "decisions"]

    assert decisions
    assert [page.name for page in decisions if not page.read_text().startswith(f"# {page.name[:3]}: ")] == []


def test_each_command_exists() -> None:
    own, others = commands(), {*get_commands(), "serve"}

    def missing(page: Path) -> list[str]:
        called = re.findall(r"\./dev ([a-z]+)(?: ([a-z_]+))?", page.read_text())
        return [
            f"{command} {name}".strip()
            for command, name in called
            if command not in own or (command == "manage" and name and name not in others)
        ]

    assert faults(missing) == {}


def test_each_import_of_the_service_works() -> None:
    def missing(page: Path) -> list[str]:
        blocks = re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)
        return [name for block in blocks for name in failing_imports(block)]

    assert faults(missing) == {}


def failing_imports(block: str) -> list[str]:
    """Return the names that the Python code imports from the service, but that do not exist there."""
    failing = []
    for node in ast.walk(ast.parse(block)):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.partition(".")[0] in TOP_LEVEL:
            # A page for host projects names the modules as the wheel has them.
            path = re.sub(rf"^gatehouse\.(?=(?:{'|'.join(APPS)})\b)", "", node.module)
            module = importlib.import_module(path)
            failing += [
                f"{node.module}.{name.name}"
                for name in node.names
                if not hasattr(module, name.name) and not find_spec(f"{path}.{name.name}")
            ]
    return failing
