"""The React application of clients/examples/react, rendered in Node with the running service."""

import pytest

from tests.browser.service import Service
from tests.client import PASSWORD
from tests.placement import TAKES_LONG

from .building import installed_example, run

pytestmark = [pytest.mark.once, pytest.mark.timeout(400), TAKES_LONG]


def test_the_react_application_signs_a_user_in_and_out(service: Service) -> None:
    directory = installed_example("react")

    run(["npm", "test"], directory=directory, BASE_URL=service.url, EMAIL=service.sign_up().email, PASSWORD=PASSWORD)
