"""Every operation of the OpenAPI document, called with what the document allows and with what it forbids."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import hypothesis
import orjson
import pytest
import schemathesis
from django.conf import settings
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from schemathesis.checks import not_a_server_error
from schemathesis.config import SchemathesisConfig
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from accounts.core.openapi import document
from tests.people import Person

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]

CONFIG = SchemathesisConfig.from_dict(
    {
        "seed": 1,
        "generation": {"deterministic": True, "max-examples": 5, "no-shrink": True, "with-security-parameters": False},
        # An operation's other methods have tests of their own.
        "phases": {"coverage": {"unexpected-methods": []}, "stateful": {"enabled": False}},
    }
)

schema = schemathesis.openapi.from_dict(orjson.loads(document(urlconf=settings.ROOT_URLCONF, root="/")), config=CONFIG)
schema.app = get_wsgi_application()


@contextmanager
def connection_kept() -> Iterator[None]:
    """Let no request close the connection, with the transaction of the test on it."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    try:
        yield
    finally:
        for signal in signals:
            signal.connect(close_old_connections)


def call(case: Any, headers: dict[str, str] | None = None) -> None:
    with connection_kept():
        case.call_and_validate(checks=CHECKS, headers=headers)


@schema.parametrize()
def test_a_stranger_gets_what_is_described(case: Any) -> None:
    call(case)


@pytest.fixture
def token(alice: Person) -> str:
    """The access token that all calls of a test bear, whatever became of alice meanwhile."""
    return alice.log_in().access


# Other operations do not look at a token.
@schema.include(lambda context: bool(context.operation.definition.raw["security"])).parametrize()
@hypothesis.settings(suppress_health_check=[hypothesis.HealthCheck.function_scoped_fixture])
def test_somebody_signed_in_gets_what_is_described(case: Any, token: str) -> None:
    call(case, {"Authorization": f"Bearer {token}"})
