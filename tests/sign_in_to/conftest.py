"""The service to which the clients of the guides sign in."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.service import Service, serving
from tests.processes.variables import empty_database
from tools.local_postgres import free_port


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A running service that may call applications on loopback."""
    directory: Path = tmp_path_factory.mktemp("service")
    with (
        empty_database(directory) as url,
        serving(port=free_port(), database_url=url, directory=directory, WEBHOOK_ALLOW_PRIVATE="on") as running,
    ):
        yield running
