"""Every public operation, every page and every check of a credential has a limit, or states why it needs none."""

from collections.abc import Callable
from typing import Any

import pytest
from pytest_django import Settings

from core.http.fields import Credential, JsonObject
from core.http.limits import CountedByAct, Declared, EdgeAlone
from core.http.view import Auth, Operation
from core.ratelimit import Limit
from mfa.passkeys.serializers import PasskeyResponse
from tests.client import Answer, Api
from tests.mails import delivered, token_in
from tests.password_resets import mailed_token
from tests.people import Person, existing_session
from tests.rows import each
from tests.second_factors import enroll_totp, generate_codes, pause

from .mounted import mounted_operations, operations_and_pages
from .tables import LIMITS, UNLIMITED

OPERATIONS = {name: view.operations[name.split()[0]] for name, view in sorted(operations_and_pages().items())}

NO_SECRETS = {"email", "session_id", "redirect_uri", "state", "next", "methods", "key"}
"""The members of the class Credential that are compared with stored data but prove nothing."""


def limits_in(declared: Declared) -> tuple[Limit, ...]:
    return () if isinstance(declared, EdgeAlone) else tuple(one.limit for one in declared)


def reads_credential(operation: Operation) -> bool:
    """Return whether the body of the operation has a member that proves who the caller is."""
    fields: Any = operation.input().fields if operation.input else {}
    return any(
        isinstance(field, (Credential, JsonObject, PasskeyResponse))
        for name, field in fields.items()
        if name not in NO_SECRETS
    )


@each("name", sorted(mounted_operations()))
def test_each_route_counts_against_exactly_the_limits_of_the_contract(name: str) -> None:
    assert {*limits_in(OPERATIONS[name].limits)} == LIMITS.get(name, set())


@each("name", OPERATIONS)
def test_public_operations_and_checks_of_credentials_declare_a_limit_or_why_they_need_none(name: str) -> None:
    view, operation = operations_and_pages()[name], OPERATIONS[name]
    if view.auth is not Auth.PUBLIC and not reads_credential(operation):
        return

    declared = operation.limits

    assert view.unlimited or (declared.reason if isinstance(declared, EdgeAlone) else declared)


def test_the_limit_of_all_requests_leaves_out_only_the_routes_of_the_contract() -> None:
    assert {name for name, view in operations_and_pages().items() if view.unlimited} - UNLIMITED == set()
    assert all(operations_and_pages()[name].unlimited for name in UNLIMITED & OPERATIONS.keys())


def test_every_limit_counts_the_calls_of_an_operation() -> None:
    counted = {limit for operation in OPERATIONS.values() for limit in limits_in(operation.limits)}

    assert {*Limit} - counted == {Limit.EDGE}


def wrong_login(alice: Person) -> Callable[[], Answer]:
    return lambda: alice.api.post("/v1/login", {"email": alice.email, "password": "wrong"})


def completion(path: str, **members: object) -> Callable[[Person], Callable[[], Answer]]:
    def prepare(alice: Person) -> Callable[[], Answer]:
        session = existing_session(alice)
        enroll_totp(session)
        generate_codes(session)
        body = {"pending_token": pause(alice), **members}
        return lambda: alice.api.post(path, body)

    return prepare


def reset(alice: Person) -> Callable[[], Answer]:
    body = {"token": mailed_token(alice), "new_password": "short"}
    return lambda: alice.api.post("/v1/password/reset", body)


def confirm_change(alice: Person) -> Callable[[], Answer]:
    session = alice.log_in()
    session.api.post("/v1/email/request-change", {"new_email": "new@example.org"}, token=session.access)
    body = {"token": token_in(delivered("new@example.org")[-1]), "password": "wrong"}
    return lambda: Api().post("/v1/email/confirm-change", body)


def confirm_verification(alice: Person) -> Callable[[], Answer]:
    session = alice.log_in()
    session.api.post("/v1/email/verify/request", token=session.access)
    body = {"token": token_in(delivered(alice.email)[-1]), "password": "wrong"}
    return lambda: Api().post("/v1/email/verify/confirm", body)


PREPARATIONS: dict[str, Callable[[Person], Callable[[], Answer]]] = {
    "POST /v1/login": wrong_login,
    "POST /v1/login/totp": completion("/v1/login/totp", code="000000"),
    "POST /v1/login/passkey/begin": completion("/v1/login/passkey/begin"),
    "POST /v1/login/passkey/finish": completion("/v1/login/passkey/finish", ceremony_token="", credential={}),
    "POST /v1/login/recovery-code": completion("/v1/login/recovery-code", code="0000-0000"),
    "POST /v1/recovery/request": completion("/v1/recovery/request"),
    "POST /v1/password/reset": reset,
    "POST /v1/email/confirm-change": confirm_change,
    "POST /v1/email/verify/confirm": confirm_verification,
}
"""A call of each operation whose act counts a limit, which can be repeated.

`tests/api/test_rate_limits.py` tests the limit of refreshes, and `tests/api/test_mail_limits.py` tests those of mails.
`tests/api/sessions/test_login_fallback.py` tests the limit of questions, which refuses no call with 429.
"""
ELSEWHERE = {Limit.LOGIN_FALLBACK, Limit.REFRESH, Limit.MAILBOX, Limit.MAIL_IP}


def by_act() -> list[tuple[str, Limit]]:
    return [
        (name, one.limit)
        for name in sorted(mounted_operations())
        if not isinstance(declared := OPERATIONS[name].limits, EdgeAlone)
        for one in declared
        if isinstance(one, CountedByAct) and one.limit not in ELSEWHERE
    ]


@pytest.mark.parametrize(("name", "limit"), by_act())
def test_an_act_counts_the_limits_that_its_operation_declares(
    settings: Settings, alice: Person, name: str, limit: Limit
) -> None:
    call = PREPARATIONS[name](alice)
    off = ",".join(f"{other}=off" for other in Limit if other is not limit)
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "RATE_LIMITS": f"{off},{limit}=1/d"}
    alice.api.ip = f"192.0.2.{sum(name.encode()) % 256}"

    answers = [call() for _ in range(3)]

    assert 429 in [answer.status for answer in answers]
