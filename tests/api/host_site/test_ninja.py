"""django-ninja operations of a host project."""

from typing import Any

import pytest
from django.urls import include, path

from tests.api.host_site.pages import run_examples
from tests.client import Api
from tests.key_bound import ProvingApi, bound_session
from tests.keys import forged, make_key, revoke
from tests.people import Person, SignedIn
from tests.proofs import Prover

pytestmark = [pytest.mark.urls(__name__), pytest.mark.django_db(transaction=True)]

names = run_examples("public-api.md", "django-ninja operations")
api = names["api"]


def whoami(request: Any) -> Any:
    """Answer the user's id."""
    return {"user": str(request.user.pk)}


api.get("/both", auth=[names["AccessTokenBearer"](), names["ApiKeyBearer"]()])(whoami)
api.get("/live", auth=names["AccessTokenBearer"](check_session=True))(whoami)

urlpatterns = [
    path("", api.urls),
    path("v1/", include("sessions_app.urls")),
    path("v1/", include("accounts.urls")),
    path("v1/", include("apikeys.urls")),
    path("v1/", include("core.http.urls")),
]


@pytest.fixture
def session(alice: Person) -> SignedIn:
    """Alice's session."""
    return alice.log_in()


def get(path: str, credential: str = "", **headers: str) -> Any:
    given = {"Authorization": f"Bearer {credential}"} if credential else {}
    return Api().client.get(path, headers={**given, **headers})


def test_an_operation_accepts_an_access_token(session: SignedIn) -> None:
    answer = get("/payouts", session.access)

    assert (answer.status_code, answer.json()) == (200, {"user": session.person.user_id, "operator": False})


def test_an_operation_accepts_a_key_with_the_scope(session: SignedIn) -> None:
    key = make_key(session, scopes=["reports:read", "other"])["key"]

    answer = get("/reports", key)

    assert (answer.status_code, answer.json()) == (200, {"owner": session.person.user_id, "key": "Backup"})


def test_a_key_without_the_scope_gets_403(session: SignedIn) -> None:
    assert get("/reports", make_key(session, scopes=["other"])["key"]).status_code == 403


def test_an_operation_can_accept_both(session: SignedIn) -> None:
    assert get("/both", session.access).json() == {"user": session.person.user_id}
    assert get("/both", make_key(session)["key"]).json() == {"user": session.person.user_id}


def test_a_request_without_a_valid_credential_gets_401(session: SignedIn) -> None:
    key, revoked = make_key(session, scopes=["reports:read"])["key"], make_key(session, scopes=["reports:read"])
    revoke(session, revoked["api_key"]["id"])

    answers = [
        get("/payouts"),
        get("/payouts", "garbage"),
        get("/payouts", session.refresh),
        get("/payouts", key),
        get("/reports"),
        get("/reports", session.access),
        get("/reports", forged(key)),
        get("/reports", revoked["key"]),
        get("/reports", key, **{"X-API-Key": key}),
        get("/both", "garbage"),
    ]

    assert [answer.status_code for answer in answers] == [401] * len(answers)


def test_only_an_operation_that_checks_the_session_refuses_the_token_of_an_ended_session(session: SignedIn) -> None:
    session.api.post("/v1/logout-all", token=session.access)

    assert get("/payouts", session.access).status_code == 200
    assert get("/live", session.access).status_code == 401


def test_the_description_names_the_bearer_credentials() -> None:
    document = api.get_openapi_schema()

    schemes = document["components"]["securitySchemes"]
    assert {scheme["scheme"] for scheme in schemes.values()} == {"bearer"}
    assert document["paths"]["/reports"]["get"]["security"] == [{"ApiKeyBearer": []}]


def test_an_operation_demands_the_key_of_a_bound_token(alice: Person) -> None:
    caller = ProvingApi()
    access, prover = bound_session(alice, api=caller).access, caller.prover
    right = prover.headers("GET", "/payouts", access=access)

    assert [get("/payouts", **right).status_code for _ in range(2)] == [200, 401]
    assert get("/payouts", access).status_code == 401
    assert get("/payouts", **Prover().headers("GET", "/payouts", access=access)).status_code == 401
    assert get("/both", **prover.headers("GET", "/both", access=access)).status_code == 200
