import pytest
from pytest_django import Settings

from tests.client import PASSWORD, Api
from tests.people import Person


@pytest.mark.parametrize("threshold", [1, 2])
def test_the_threshold_is_the_number_of_failures_that_lock(
    settings: Settings, api: Api, alice: Person, threshold: int
) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "LOCKOUT_THRESHOLD": str(threshold)}
    wrong = {"email": alice.email, "password": "not the password"}

    for _ in range(threshold):
        assert api.post("/v1/login", wrong).code == "invalid_credentials"

    assert api.post("/v1/login", {"email": alice.email, "password": PASSWORD}).code == "account_locked"
