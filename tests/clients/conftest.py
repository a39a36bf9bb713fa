"""The service that the clients call, and a proxy before it that loses answers."""

from collections.abc import Iterator

import pytest

from tests.browser.service import Service, serving
from tests.processes.variables import empty_database
from tools.local_postgres import free_port

from .proxy import Proxy, proxying


@pytest.fixture(scope="package")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The service with a database of its own, shared by all tests."""
    port = free_port()
    directory = tmp_path_factory.mktemp("clients")
    with (
        empty_database(directory) as url,
        serving(port=port, database_url=url, directory=directory) as service,
    ):
        yield service


@pytest.fixture
def proxy(service: Service) -> Iterator[Proxy]:
    """A proxy that loses nothing until a test changes that."""
    with proxying(service.port) as proxy:
        yield proxy
