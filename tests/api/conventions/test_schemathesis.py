"""Every operation of the OpenAPI document, called with valid and with invalid requests."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from http import HTTPStatus
from itertools import count
from typing import Any

import orjson
import pytest
import schemathesis
from django.conf import settings
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from schemathesis.checks import load_all_checks, not_a_server_error
from schemathesis.config import SchemathesisConfig
from schemathesis.generation.feedback import FeedbackSources
from schemathesis.generation.hypothesis.builder import (
    InvalidHeadersExampleMark,
    InvalidRegexMark,
    MissingPathParameters,
    NonSerializableMark,
    UnsatisfiableExampleMark,
    UnserializablePayloadMark,
)
from schemathesis.generation.hypothesis.reporting import ignore_hypothesis_output
from schemathesis.pytest._test_builder import build_operation_test
from schemathesis.python._constants.orchestrator import make_constants_value_source
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from apikeys.service_keys import create_service_key
from core.clock import now
from core.http.openapi import document
from tests.operators import existing_operator
from tests.people import existing, existing_session

REFUSED: Mapping[str, Mapping[str, str]] = {
    "signUp": {
        "bad_request": "a format character in the address, or one that is too long once its case is folded",
        "password_policy_violation": "too short or too long once it is normalized",
        "password_breached": "a password that is known from breaches",
    },
    "reauthenticateSession": {
        "bad_request": "no proof, or the members of several proofs",
        "totp_not_enabled": "the account has no authenticator app",
        "no_passkeys_enrolled": "the account has no passkey",
    },
    "beginPasskeyReauthentication": {"no_passkeys_enrolled": "the account has no passkey"},
    "changePassword": {
        "password_policy_violation": "too short or too long once it is normalized",
        "password_breached": "a password that is known from breaches",
    },
    "requestEmailChange": {
        "bad_request": "a format character in the address, or one that is too long once its case is folded",
    },
    "confirmEmailChange": {"verification_token_invalid": "a token that was never mailed"},
    "undoEmailChange": {"verification_token_invalid": "a token that was never mailed"},
    "confirmEmailVerification": {"verification_token_invalid": "a token that was never mailed"},
    "resetPassword": {"verification_token_invalid": "a token that was never mailed"},
    "cancelRecovery": {"verification_token_invalid": "a token that was never mailed"},
    "completeRecovery": {"verification_token_invalid": "a token that was never mailed"},
    "acceptInvitation": {"verification_token_invalid": "a token that was never mailed"},
    "completeMagicLink": {"verification_token_invalid": "a token that was never mailed"},
    "finishPasskeyOnlyLogin": {"invalid_ceremony_token": "a ceremony that never began"},
    "getTotpQrCode": {"totp_not_enabled": "the account has not enrolled"},
    "confirmTotp": {"totp_not_enabled": "the account has not enrolled"},
    "disableTotp": {"totp_not_enabled": "the account has no authenticator app"},
    "finishPasskeyRegistration": {"invalid_ceremony_token": "a ceremony that never began"},
    "createApiKey": {
        "invalid_api_key_scope": "an unprintable character that no pattern lists, such as an unassigned one",
        "invalid_api_key_ttl": "an integer with a fraction of zero, such as 5.0",
    },
    "listEvents": {
        "bad_request": "a day that no calendar has, an empty time span, a network that is none, or a cursor of no answer"
    },
    "searchUsers": {"bad_request": "a short part that is no id, or a cursor of no answer"},
    "exportData": {"bad_request": "a cursor of no answer"},
    "setLlmProvider": {"invalid_llm_provider": "an unprintable character, or an integer such as 5.0"},
    "setDatabaseProvider": {
        "invalid_database_provider": "a DSN that cannot be read, or holds what it must not",
        "database_role_unverified": "a database that does not answer",
    },
    "setAskAiWidget": {"invalid_ask_ai_widget": "no greeting though questions are on, or an origin that is none"},
    "testLlmProvider": {"invalid_llm_provider": "as for setLlmProvider"},
    "testDatabaseProvider": {
        "invalid_database_provider": "as for setDatabaseProvider",
        "database_role_unverified": "as for setDatabaseProvider",
    },
    "testAskAiWidget": {"invalid_ask_ai_widget": "as for setAskAiWidget"},
    "setMetadata": {"bad_request": "a value that takes more than its bytes"},
}
"""The errors with status 400 for a request that its schema allows, each with the reason. All others fail the test."""


def accepts_what_the_schema_allows(_context: Any, response: Any, case: Any) -> None:
    """Fail if a valid request gets a 400 with a code that REFUSED does not list."""
    if response.status_code != 400 or case.meta is None or not case.meta.generation.mode.is_positive:
        return
    code = orjson.loads(response.content)["error"]["code"]
    assert code in REFUSED.get(case.operation.definition.raw["operationId"], {}), (
        f"{code}: {case.body!r} {case.query!r}"
    )


CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
    accepts_what_the_schema_allows,
]

METHODS = {"get", "put", "post", "delete", "patch"}

MARKS_OF_LEFT_OUT_EXAMPLES = (
    InvalidHeadersExampleMark,
    InvalidRegexMark,
    MissingPathParameters,
    NonSerializableMark,
    UnsatisfiableExampleMark,
    UnserializablePayloadMark,
)
"""The marks of an operation for which the tool could not build each example."""

CONFIG = SchemathesisConfig.from_dict(
    {
        "seed": 1,
        "generation": {
            "deterministic": True,
            "max-examples": 5,
            "no-shrink": True,
            "with-security-parameters": False,
            "allow-x00": False,
        },
        # Other tests call each path with the methods that it does not declare.
        "phases": {"coverage": {"unexpected-methods": []}, "stateful": {"enabled": False}},
    }
)

DOCUMENT = orjson.loads(document(urlconf=settings.ROOT_URLCONF, server=""))


def labels(*, needs_token: bool) -> list[str]:
    """Return the labels of the operations that do or do not need a token."""
    return [
        f"{method.upper()} {path}"
        for path, item in DOCUMENT["paths"].items()
        for method, operation in item.items()
        if method in METHODS and bool(operation["security"]) == needs_token
    ]


@cache
def loaded() -> tuple[Any, FeedbackSources]:
    """Return the schema, and the source of values that its operations share."""
    schema = schemathesis.openapi.from_dict(DOCUMENT, config=CONFIG)
    schema.app = get_wsgi_application()
    load_all_checks()
    return schema, FeedbackSources(constants_value_source=make_constants_value_source(schema))


def run(label: str, check: Callable[[Any], None]) -> None:
    """Run the check with each example of the operation.

    `schema.parametrize()` draws the examples of all operations at collection, in each process of pytest. This function
    draws them in the process that runs the test.
    """
    schema, feedback = loaded()
    method, _, path = label.partition(" ")
    test = build_operation_test(
        config=schema.config, operation=schema[path][method], test_func=check, given_kwargs={}, feedback=feedback
    )
    with ignore_hypothesis_output():
        test()
    assert [mark.attr_name for mark in MARKS_OF_LEFT_OUT_EXAMPLES if mark.is_set(test)] == []


@contextmanager
def connection_kept() -> Iterator[None]:
    """Keep requests from closing the connection, which holds the transaction of the test."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    try:
        yield
    finally:
        for signal in signals:
            signal.connect(close_old_connections)


def call(case: Any, headers: dict[str, str] | None = None) -> int:
    """Call the operation, check its answer, and return the status."""
    # Without a server, the tool decompresses no answer, although it asks for gzip.
    with connection_kept():
        response = case.call_and_validate(checks=CHECKS, headers={**(headers or {}), "Accept-Encoding": "identity"})
    return int(response.status_code)


# The tests of callers call all other operations without a token.
@pytest.mark.parametrize("label", labels(needs_token=False))
def test_answers_without_a_token_match_the_document(label: str) -> None:
    run(label, call_without_token)


def call_without_token(case: Any) -> None:
    call(case)


_numbers = count()


def live_token(operation: Any) -> str:
    """Return the access token of a new session; for the console, of an operator's session.

    Return an API key for the route of machines.
    """
    name = f"caller{next(_numbers)}"
    if operation.path.endswith("/revocations"):
        return create_service_key(name="tests", scopes=["revocations:read"], lifetime=None, now=now()).key
    return existing_operator(name).access if "/admin/" in operation.path else existing_session(existing(name)).access


# The callers whose sessions live on, by the method and the path of the operation.
_callers: dict[tuple[str, str], str] = {}


# Other operations ignore the token.
@pytest.mark.parametrize("label", labels(needs_token=True))
def test_answers_with_a_valid_token_match_the_document(label: str) -> None:
    run(label, call_with_token)


def call_with_token(case: Any) -> None:
    operation = (case.method, case.path)
    with connection_kept():
        token = _callers.pop(operation, None) or live_token(case.operation)
    status = call(case, {"Authorization": f"Bearer {token}"})
    # Neither a read nor a refused body ends a session or spends anything, so the next example can use the token.
    if case.method == "GET" or status == HTTPStatus.BAD_REQUEST:
        _callers[operation] = token
