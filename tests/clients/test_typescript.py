"""The client in clients/typescript without a browser. `tests/browser/test_typescript_client.py` runs it in Chromium."""

import gzip

import pytest

from .building import built_client, run

pytestmark = [pytest.mark.once, pytest.mark.timeout(240)]

BYTES_MAX = 6 * 1024


def test_the_built_client_is_small() -> None:
    built = (built_client() / "dist" / "index.js").read_bytes()

    assert len(gzip.compress(built)) < BYTES_MAX


def test_a_wrong_path_or_body_is_a_type_error() -> None:
    run(["npx", "tsc", "--project", "test"], directory=built_client())


def test_the_client_passes_its_own_tests_in_node() -> None:
    run(["node", "--test", "test/client.test.mjs"], directory=built_client())
