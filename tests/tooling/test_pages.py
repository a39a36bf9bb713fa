"""The pages for readers of the repository. The paths, links, commands and imports on them exist."""

import ast
import importlib
import re
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

pytestmark = [
    pytest.mark.once,
    pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT))),
]


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


def test_each_named_path_exists(page: Path) -> None:
    named = [text for text in re.findall(r"`([^`\n]+)`", page.read_text()) if is_path(text)]

    assert [path for path in named if not (ROOT / path).exists()] == []


def test_each_link_leads_to_a_file(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text())

    assert [link for link in links if not (page.parent / link).exists()] == []


def test_each_link_to_a_heading_leads_there(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]*)#([^)]+)\)", page.read_text())

    assert [link for link in links if link[1] not in anchors(page.parent / link[0] if link[0] else page)] == []


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_the_index_has_each_page_of_its_folder_once(page: Path) -> None:
    listed = re.findall(r"\]\(([\w-]+\.md)\)", INDEX.read_text())

    if page.parent == INDEX.parent and page != INDEX:
        assert listed.count(page.name) == 1


def test_the_title_of_a_decision_begins_with_its_number(page: Path) -> None:
    if page.parent.name == "decisions":
        assert page.read_text().startswith(f"# {page.name[:3]}: ")


def test_each_command_exists(page: Path) -> None:
    called = re.findall(r"\./dev ([a-z]+)(?: ([a-z_]+))?", page.read_text())

    assert {command for command, _ in called} <= commands()
    assert {name for command, name in called if command == "manage" and name} <= set(get_commands()) | {"serve"}


def test_each_import_of_the_service_works(page: Path) -> None:
    for block in re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL):
        for node in ast.walk(ast.parse(block)):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.partition(".")[0] in TOP_LEVEL:
                # A page for host projects names the modules as the wheel has them.
                path = re.sub(rf"^gatehouse\.(?=(?:{'|'.join(APPS)})\b)", "", node.module)
                module = importlib.import_module(path)
                for name in node.names:
                    assert hasattr(module, name.name) or find_spec(f"{path}.{name.name}"), ast.unparse(node)
