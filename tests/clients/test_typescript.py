"""The client in clients/typescript without a browser. `tests/browser/test_typescript_client.py` runs it in Chromium."""

import gzip
import re

import pytest

from tests.processes.running import ROOT

from .building import SOURCES, built_client, run

pytestmark = [pytest.mark.once, pytest.mark.timeout(240)]

BYTES_MAX = 6 * 1024
PAGES = (SOURCES / "README.md", ROOT / "docs" / "clients.md")


def test_the_built_client_is_small() -> None:
    built = (built_client() / "dist" / "index.js").read_bytes()

    assert len(gzip.compress(built)) < BYTES_MAX


def test_a_wrong_path_or_body_is_a_type_error_and_the_examples_have_none() -> None:
    directory = built_client()
    for number, page in enumerate(PAGES):
        [example] = re.findall(r"```ts\n(.*?)```", page.read_text(), re.DOTALL)
        code = example.replace('"gatehouse-client"', '"../dist/index.js"')
        (directory / "test" / f"example{number}.ts").write_text(code)

    run(["npx", "tsc", "--project", "test"], directory=directory)


def test_the_client_passes_its_own_tests_in_node() -> None:
    run(["node", "--test", "test/client.test.mjs"], directory=built_client())
