"""A site's DRF views with the service's exception handler."""

import logging
from typing import Any

import psycopg
import pytest
from django.conf import settings as django_settings
from django.core.exceptions import PermissionDenied as DjangoPermissionDenied
from django.core.exceptions import RequestDataTooBig, SuspiciousOperation
from django.core.exceptions import ValidationError as DjangoValidationError
from django.db import OperationalError, connection
from django.http import Http404
from pytest_django import Settings
from rest_framework import exceptions

from accounts.models import StoredHashKind
from core.errors import Overloaded
from tests.client import Api
from tests.keys import forged, make_key
from tests.people import Person
from tests.rows import each

from .refusing_site import Refuse

# Real transactions: ATOMIC_REQUESTS opens one for each request.
pytestmark = [pytest.mark.urls("tests.api.host_site.refusing_site"), pytest.mark.django_db(transaction=True)]

SECRET = "the password is hunter2"
HANDLER = {"EXCEPTION_HANDLER": "core.http.responses.exception_handler"}
# A project without Django's own users has no class for a user who is not logged in.
USERS = {} if "django.contrib.auth" in django_settings.INSTALLED_APPS else {"UNAUTHENTICATED_USER": None}


class AlreadyPaid(exceptions.APIException):
    """An error of the site, with a code of its own."""

    status_code = 409
    default_code = "already_paid"
    default_detail = "This order is paid."


@pytest.fixture(autouse=True)
def _handler(settings: Settings) -> None:
    """Set the service's handler, and remove the DRF defaults of the host site."""
    settings.REST_FRAMEWORK = USERS | HANDLER


def get(path: str, **headers: str) -> Any:
    return Api().client.get(path, headers={name.replace("_", "-"): value for name, value in headers.items()})


def refuse(failure: Exception, path: str = "/refuse") -> Any:
    Refuse.failure = failure
    return get(path)


def post(body: str, *, content_type: str = "application/json") -> Any:
    return Api().client.post("/refuse", body, content_type=content_type)


def error_of(response: Any) -> tuple[int, str]:
    """Return the status and the code of an error in the envelope."""
    assert response.headers["Content-Type"] == "application/json"
    body = response.json()
    assert set(body) == {"error"}
    assert set(body["error"]) == {"code", "message"}
    assert body["error"]["message"]
    return response.status_code, body["error"]["code"]


def message_of(response: Any) -> str:
    message: str = response.json()["error"]["message"]
    return message


@each(
    "failure, status, code",
    [
        (exceptions.ValidationError("x"), 400, "bad_request"),
        (exceptions.ValidationError("x", code="too_short"), 400, "bad_request"),
        (exceptions.ParseError(), 400, "bad_request"),
        (exceptions.PermissionDenied(), 403, "permission_denied"),
        (exceptions.PermissionDenied("x", code="quota_used_up"), 403, "quota_used_up"),
        (exceptions.PermissionDenied({"reason": "x"}), 403, "permission_denied"),
        (exceptions.NotFound(), 404, "not_found"),
        (exceptions.MethodNotAllowed("GET"), 405, "method_not_allowed"),
        (exceptions.NotAcceptable(), 406, "not_acceptable"),
        (exceptions.UnsupportedMediaType("text/csv"), 415, "unsupported_media_type"),
        (exceptions.Throttled(), 429, "rate_limited"),
        (exceptions.APIException(), 500, "internal_error"),
        (AlreadyPaid(), 409, "already_paid"),
        (Http404(), 404, "not_found"),
        (DjangoPermissionDenied(), 403, "permission_denied"),
        (DjangoValidationError("x"), 400, "bad_request"),
        (SuspiciousOperation(SECRET), 400, "bad_request"),
        (RequestDataTooBig(SECRET), 413, "payload_too_large"),
        (Overloaded(), 503, "overloaded"),
    ],
)
def test_every_error_has_its_status_and_a_code(failure: Exception, status: int, code: str) -> None:
    response = refuse(failure)

    assert error_of(response) == (status, code)
    assert SECRET not in response.text


@each(
    "failure, message",
    [
        (exceptions.ValidationError("Too late."), "Too late."),
        (exceptions.ValidationError({"email": ["Enter an address."], "name": ["x"]}), "email: Enter an address."),
        (
            exceptions.ValidationError({"order": {"lines": [{}, {"count": ["Too few."]}]}}),
            "order.lines.count: Too few.",
        ),
        (exceptions.ValidationError({"non_field_errors": ["They overlap."]}), "They overlap."),
        (exceptions.ValidationError({"order": {"non_field_errors": ["They overlap."]}}), "order: They overlap."),
        (exceptions.ValidationError({}), str(exceptions.ValidationError.default_detail)),
        (exceptions.ValidationError([]), str(exceptions.ValidationError.default_detail)),
        (exceptions.PermissionDenied("Only on Mondays."), "Only on Mondays."),
        (exceptions.PermissionDenied({"reason": "Only on Mondays."}), "reason: Only on Mondays."),
        (Http404("No order has this number."), "No order has this number."),
        (DjangoPermissionDenied("Only on Mondays."), "Only on Mondays."),
        (DjangoValidationError("%(day)s is too late.", params={"day": "Monday"}), "Monday is too late."),
        (DjangoValidationError({"email": ["Enter an address."]}), "email: Enter an address."),
        (DjangoValidationError({"__all__": ["They overlap."]}), "They overlap."),
    ],
)
def test_the_message_is_the_first_one_of_the_error(failure: Exception, message: str) -> None:
    assert message_of(refuse(failure)) == message


def test_a_message_about_the_whole_object_has_the_key_of_the_site(settings: Settings) -> None:
    settings.REST_FRAMEWORK = USERS | HANDLER | {"NON_FIELD_ERRORS_KEY": "oops"}

    response = refuse(exceptions.ValidationError({"oops": ["They overlap."]}))

    assert message_of(response) == "They overlap."


@pytest.mark.parametrize(
    ("failure", "code"),
    [
        (exceptions.NotAuthenticated, "not_authenticated"),
        (exceptions.AuthenticationFailed, "authentication_failed"),
    ],
)
def test_the_first_authentication_class_decides_between_401_and_403(failure: type[Exception], code: str) -> None:
    challenged, forbidden = refuse(failure(), "/with-challenge"), refuse(failure(), "/without-challenge")

    assert error_of(challenged) == (401, code)
    assert challenged.headers["WWW-Authenticate"] == 'Basic realm="api"'
    assert error_of(forbidden) == (403, code)
    assert "WWW-Authenticate" not in forbidden.headers


@pytest.mark.parametrize(
    ("failure", "seconds"),
    [(exceptions.Throttled(wait=1.2), "2"), (exceptions.Throttled(), None), (Overloaded(retry_after=7), "7")],
)
def test_retry_after_states_the_seconds_to_wait(failure: Exception, seconds: str | None) -> None:
    assert refuse(failure).headers.get("Retry-After") == seconds


def test_a_refusal_of_django_ratelimit_is_a_rate_limit(settings: Settings) -> None:
    settings.RATELIMIT_ENABLE = True

    assert error_of(get("/limited")) == (429, "rate_limited")


def test_a_refused_method_gets_the_permitted_methods() -> None:
    response = Api().client.delete("/refuse")

    assert error_of(response) == (405, "method_not_allowed")
    assert response.headers["Allow"] == "GET, POST, HEAD, OPTIONS"


def test_a_body_that_drf_refuses_is_answered_in_the_envelope() -> None:
    answers = [
        post("{"),
        post("{}"),
        post('{"colour": "green"}'),
        post("colour=red", content_type="application/x-www-form-urlencoded"),
    ]

    assert [error_of(answer) for answer in answers] == [
        (400, "bad_request"),
        (400, "bad_request"),
        (400, "bad_request"),
        (415, "unsupported_media_type"),
    ]
    assert message_of(answers[1]).startswith("colour: ")
    assert post('{"colour": "red"}').status_code == 200


def test_half_of_a_surrogate_pair_in_a_message_becomes_a_question_mark() -> None:
    response = post(r'{"colour": "\ud800"}')

    assert error_of(response) == (400, "bad_request")
    assert '"?"' in message_of(response)


def test_the_envelope_is_json_for_every_renderer() -> None:
    assert error_of(refuse(AlreadyPaid(), "/for-browsers")) == (409, "already_paid")
    assert error_of(get("/refuse", Accept="text/csv")) == (406, "not_acceptable")


def test_an_unexpected_failure_shows_no_details_and_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    failure = RuntimeError(SECRET)

    with caplog.at_level(logging.ERROR, logger="authsvc.errors"):
        response = refuse(failure)

    assert response.status_code == 500
    assert response.json() == {"error": {"code": "internal_error", "message": "Something went wrong."}}
    assert [record.exc_info[1] for record in caplog.records if record.exc_info] == [failure]


def test_an_unreachable_database_is_an_outage() -> None:
    failure = OperationalError(SECRET)
    failure.__cause__ = psycopg.OperationalError(SECRET)

    response = refuse(failure)

    assert error_of(response) == (503, "db_unreachable")
    assert response.headers["Retry-After"] == "5"


@pytest.mark.parametrize("is_atomic", [True, False])
@pytest.mark.parametrize(
    "failure",
    [exceptions.ValidationError("x"), Http404(), DjangoValidationError("x"), Overloaded(), RuntimeError()],
    ids=lambda failure: type(failure).__name__,
)
def test_an_error_rolls_back_the_transaction_of_the_request(
    monkeypatch: pytest.MonkeyPatch, failure: Exception, is_atomic: bool
) -> None:
    monkeypatch.setitem(connection.settings_dict, "ATOMIC_REQUESTS", is_atomic)

    refuse(failure)

    assert StoredHashKind.objects.filter(kind="stored by the view").exists() is not is_atomic


def test_a_wrong_key_gets_the_code_of_the_service_and_a_challenge(alice: Person) -> None:
    key = str(make_key(alice.log_in())["key"])

    wrong = get("/for-keys", X_API_Key=forged(key))
    missing = get("/for-keys")
    narrow = get("/for-keys", X_API_Key=key)
    forbidden = get("/for-keys-after-sessions", X_API_Key=forged(key))

    assert error_of(wrong) == (401, "invalid_api_key")
    assert error_of(missing) == (401, "not_authenticated")
    assert {answer.headers["WWW-Authenticate"] for answer in (wrong, missing)} == {"Bearer"}
    assert message_of(wrong) == "The API key is not valid, has expired or was revoked. Use another API key."
    assert error_of(narrow) == (403, "permission_denied")
    assert error_of(forbidden) == (403, "invalid_api_key")


def test_a_wrong_key_gets_an_answer_of_drf_without_the_handler(settings: Settings) -> None:
    settings.REST_FRAMEWORK = USERS

    response = get("/for-keys", X_API_Key="junk")

    assert (response.status_code, response.headers["WWW-Authenticate"]) == (401, "Bearer")
    assert response.json() == {"detail": "The API key is not valid, has expired or was revoked. Use another API key."}


def test_the_routes_of_the_service_answer_as_without_the_handler(api: Api) -> None:
    assert api.get("/v1/verify").code == "missing_auth_header"
    assert api.get("/v1/unknown").code == "not_found"
    assert api.post("/v1/signup", {}).code == "bad_request"
