"""DRF views of a host project with the permission `IsOperator`."""

from typing import Any

import pytest
from pytest_django import Settings

from tests.client import Api
from tests.keys import make_key
from tests.operators import only_on_full, operator
from tests.people import Person

pytestmark = [pytest.mark.urls("tests.api.host_site.public_site"), pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def _defaults_of_drf(settings: Settings) -> None:
    """Remove the DRF defaults of the host site, because these tests use views of the site."""
    settings.REST_FRAMEWORK = {} if "django.contrib.auth" in settings.INSTALLED_APPS else {"UNAUTHENTICATED_USER": None}


def outcome(token: str) -> tuple[int, Any]:
    """Return the status, and the body or its error code."""
    response = Api().client.get("/refunds", headers={"Authorization": f"Bearer {token}"} if token else {})
    body = response.json()
    return response.status_code, body["error"]["code"] if "error" in body else body


@only_on_full
def test_the_view_in_the_docs_is_open_to_operators_from_their_next_token_on(alice: Person) -> None:
    before = alice.log_in()

    session = operator(alice)

    assert outcome(session.access) == (200, {"refunds": []})
    assert outcome(before.access) == (403, "not_operator")
    assert outcome(before.refreshed().access) == (200, {"refunds": []})


def test_other_callers_are_refused(alice: Person) -> None:
    session = alice.log_in()

    assert outcome(session.access) == (403, "not_operator")
    assert outcome("") == (401, "not_authenticated")
    assert outcome(make_key(session)["key"]) == (401, "not_authenticated")


def test_metadata_makes_no_operator(alice: Person) -> None:
    account = alice.account()
    account.metadata = {"role": "admin"}
    account.save()

    assert outcome(alice.log_in().access) == (403, "not_operator")
