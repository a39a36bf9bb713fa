"""The page of the public API, compared with the code and with the examples that tests run."""

import ast
import re
from importlib import import_module
from importlib.util import find_spec
from types import FunctionType
from typing import Any

import pytest

from tests.api.host_site.pages import DOCS
from tests.rows import each

pytestmark = pytest.mark.once

PAGES = ("public-api.md", "embedding.md", "pages.md", "sign-out.md")
ROW = re.compile(r"^\| `gatehouse\.([\w.]+)` \| (`\w+`(?:, `\w+`)*) \|", re.MULTILINE)
PATH = re.compile(r"`gatehouse\.([\w.]+)\.(\w+)`")
PUBLIC = [
    (module, name)
    for module, names in ROW.findall((DOCS / "public-api.md").read_text())
    for name in re.findall(r"\w+", names)
]
ONLY_PUBLIC = ("asgi", "authentication", "decorators", "ninja")
"""The names of modules that have no internal names except those with an underscore."""


def used_in_examples() -> set[tuple[str, str]]:
    """Return the modules and names that the code blocks import."""
    blocks = (
        block for page in PAGES for block in re.findall(r"```python\n(.*?)```", (DOCS / page).read_text(), re.DOTALL)
    )
    imports = (node for block in blocks for node in ast.walk(ast.parse(block)) if isinstance(node, ast.ImportFrom))
    return {
        (str(node.module).removeprefix("gatehouse."), alias.name)
        for node in imports
        for alias in node.names
        if str(node.module).startswith("gatehouse.")
    }


def defined_in(module: Any) -> set[str]:
    """Return the names of the module's own classes and functions that have no underscore."""
    return {
        name
        for name, value in vars(module).items()
        if isinstance(value, type | FunctionType) and value.__module__ == module.__name__ and not name.startswith("_")
    }


@each("module, name", PUBLIC)
def test_each_name_on_the_page_exists_and_explains_itself(module: str, name: str) -> None:
    found = getattr(import_module(module), name)

    assert (found if isinstance(found, type | FunctionType) else type(found)).__doc__


@each("module, name", PUBLIC)
def test_each_name_on_the_page_has_an_example(module: str, name: str) -> None:
    assert (module, name) in used_in_examples()


def test_the_examples_import_no_internal_name() -> None:
    assert {(module, name) for module, name in used_in_examples() if name != "urls"} <= set(PUBLIC)


def test_a_module_for_host_projects_has_no_other_names() -> None:
    modules = {module for module, _ in PUBLIC if module.rpartition(".")[2] in ONLY_PUBLIC}

    for module in modules:
        assert defined_in(import_module(module)) == {name for place, name in PUBLIC if place == module}


def test_each_path_on_the_page_leads_to_a_name() -> None:
    paths = PATH.findall((DOCS / "public-api.md").read_text())

    assert [
        path for path in paths if not hasattr(import_module(path[0]), path[1]) and not find_spec(".".join(path))
    ] == []


def test_the_page_says_that_every_other_name_is_internal() -> None:
    text = " ".join((DOCS / "public-api.md").read_text().split())

    assert "Every other name is internal and can change in any version." in text
