"""A login needs the complete proof. The tests try every kind of token everywhere, and every set of factors."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from pytest_django import Settings

from accounts.models import Account, Event
from core.clock import now
from core.db.deployment import is_embedded
from mfa.models import AccountRecovery
from sessions_app.models import Family
from tests import recoveries
from tests.api.users.commands import users
from tests.authenticator import Authenticator
from tests.client import PASSWORD, Answer, Api
from tests.contract.mounted import view_at
from tests.contract.tables import ADMIN, PUBLIC, ROUTES, USER
from tests.mails import delivered, token_in
from tests.passkeys import begin, begin_alone, begin_login, begin_reauthentication, complete, register
from tests.people import Person, SignedIn, existing, existing_session
from tests.second_factors import (
    App,
    begin_totp,
    complete_by_recovery_code,
    complete_by_totp,
    enroll_totp,
    generate_codes,
    lock,
    pause,
    pause_by_link,
)

UNKNOWN_CODE = "0000-0000"
REDIRECT_URI = "https://app.example/signed-in"

# The members of bodies that take a token. Each has the kinds of token that it accepts, and its error for all other
# tokens.
TAKES = {
    ("POST /v1/refresh", "refresh_token"): ({"refresh"}, "invalid_token"),
    ("POST /v1/login/totp", "pending_token"): ({"pending"}, "invalid_pending_login"),
    ("POST /v1/login/recovery-code", "pending_token"): ({"pending"}, "invalid_pending_login"),
    ("POST /v1/login/passkey/begin", "pending_token"): ({"pending"}, "invalid_pending_login"),
    ("POST /v1/login/passkey/finish", "pending_token"): ({"pending"}, "invalid_pending_login"),
    ("POST /v1/login/passkey/finish", "ceremony_token"): ({"login ceremony"}, "invalid_ceremony_token"),
    ("POST /v1/reauthenticate", "ceremony_token"): ({"reauthentication"}, "invalid_ceremony_token"),
    ("POST /v1/passkeys/register/finish", "ceremony_token"): ({"registration"}, "invalid_ceremony_token"),
    ("POST /v1/passkey-login/finish", "ceremony_token"): ({"passkey-only ceremony"}, "invalid_ceremony_token"),
    ("POST /v1/magic-link/complete", "token"): ({"link"}, "verification_token_invalid"),
    ("POST /v1/invitations/accept", "token"): ({"invitation"}, "verification_token_invalid"),
    ("POST /v1/email/confirm-change", "token"): ({"change of address"}, "verification_token_invalid"),
    ("POST /v1/email/undo-change", "token"): (set[str](), "verification_token_invalid"),
    ("POST /v1/email/verify/confirm", "token"): ({"verification"}, "verification_token_invalid"),
    ("POST /v1/password/reset", "token"): ({"reset"}, "verification_token_invalid"),
    ("POST /v1/recovery/request", "pending_token"): ({"pending"}, "invalid_pending_login"),
    ("POST /v1/recovery/cancel", "token"): ({"recovery"}, "verification_token_invalid"),
    ("POST /v1/recovery/complete", "token"): ({"completion of a recovery"}, "verification_token_invalid"),
    ("POST /v1/oauth/{provider}/complete", "state_token"): ({"sign-in with a provider"}, "invalid_oauth_state"),
}
BY_NAME = {route.name: route for route in ROUTES}


@pytest.fixture(autouse=True)
def _provider(settings: Settings) -> None:
    """Configure a provider. No test here calls it."""
    variables = {"OAUTH_GOOGLE_CLIENT_ID": "x", "OAUTH_GOOGLE_CLIENT_SECRET": "x", "OAUTH_REDIRECT_URIS": REDIRECT_URI}
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, **variables}


@dataclass
class Guarded:
    """A user with a session and their second factors."""

    session: SignedIn
    app: App | None = None
    authenticator: Authenticator = field(default_factory=Authenticator)
    codes: list[str] = field(default_factory=list)

    @property
    def person(self) -> Person:
        return self.session.person


def guard(name: str) -> Guarded:
    whose = Guarded(existing_session(existing(name)))
    register(whose.session, whose.authenticator)
    whose.codes = generate_codes(whose.session)
    whose.app = enroll_totp(whose.session)
    delivered(whose.person.email)
    return whose


def every_token(whose: Guarded) -> dict[str, str]:
    """Return one valid token of each kind."""
    session, email = whose.session, whose.person.email
    session.api.post("/v1/magic-link/request", {"email": email})
    (link,) = delivered(email)
    session.api.post("/v1/email/verify/request", token=session.access)
    (verification,) = delivered(email)
    session.api.post("/v1/password/forgot", {"email": email})
    (reset,) = delivered(email)
    session.api.post("/v1/email/request-change", {"new_email": f"new.{email}"}, token=session.access)
    (change,) = delivered(f"new.{email}")
    users("invite", f"invited.{email}")
    (invitation,) = delivered(f"invited.{email}")
    flow = session.api.post("/v1/oauth/google/start", {"redirect_uri": REDIRECT_URI}).data["state_token"]
    pending = pause(whose.person)
    recovery = recoveries.start(whose.person)
    AccountRecovery.objects.update(ready_at=now(), due_at=now())
    (completion,) = recoveries.continued(whose.person)
    return {
        "access": session.access,
        "refresh": session.refresh,
        "pending": pending,
        "login ceremony": begin_login(session.api, pending)["ceremony_token"],
        "registration": begin(session)["ceremony_token"],
        "passkey-only ceremony": begin_alone(session.api)["ceremony_token"],
        "reauthentication": begin_reauthentication(session)["ceremony_token"],
        "sign-in with a provider": flow,
        "link": token_in(link),
        "change of address": token_in(change),
        "verification": token_in(verification),
        "reset": token_in(reset),
        "invitation": token_in(invitation),
        "recovery": recovery,
        "completion of a recovery": token_in(completion),
        "code": whose.app.code() if whose.app else "",
        "recovery code": whose.codes[0],
    }


PREFIXES = ("srt_", "spt_", "sct_", "sot_")


def disguised(token: str, *, prefixes: Sequence[str]) -> Iterator[str]:
    """Yield the token unchanged, then with each of the prefixes instead of its own."""
    yield token
    body = token[4:] if token.startswith(PREFIXES) else token
    for prefix in prefixes:
        if prefix + body != token:
            yield prefix + body


def members_for_tokens() -> set[tuple[str, str]]:
    """Return the body members with "token" in their names, as the input classes declare them.

    Operators' routes are left out, because their bodies contain no tokens.
    """
    found = set()
    for route in ROUTES:
        declared = view_at(route.url).operations[route.method].input if route.auth is not ADMIN else None
        names: list[str] = [str(name) for name in declared().fields] if declared else []
        found |= {(route.name, name) for name in names if "token" in name}
    return found


def test_the_table_names_every_member_that_takes_a_token() -> None:
    assert members_for_tokens() == TAKES.keys()


def test_a_body_member_refuses_every_other_kind_of_token(api: Api) -> None:
    alice, bob = guard("alice"), guard("bob")
    tokens, others = every_token(alice), every_token(bob)

    for name, member in TAKES:
        check_member(api, name, member, alice, tokens, others)

    assert Family.objects.count() == 2
    assert alice.session.is_live()
    assert bob.session.is_live()


def check_member(
    api: Api, name: str, member: str, alice: Guarded, tokens: dict[str, str], others: dict[str, str]
) -> None:
    """Assert that the member refuses each kind of token of both users that it does not take. It spends no token."""
    kinds, refusal = TAKES[name, member]
    route = BY_NAME[name]
    assert alice.app
    rest: dict[str, Any] = {
        "pending_token": tokens["pending"],
        "ceremony_token": "",
        "credential": {},
        "new_password": "staple orbit lantern",
        "state": "x",
    }
    proofs = {
        "POST /v1/login/totp": alice.app.code(),
        "POST /v1/login/recovery-code": alice.codes[0],
        "POST /v1/oauth/{provider}/complete": "x",
    }
    # The ceremony must be the only proof in a reauthentication.
    if name != "POST /v1/reauthenticate":
        rest["code"] = proofs.get(name, "")
    # The prefix of an accepted token is the only one that could deceive the route.
    # No token here is the link that undoes a change of the address, which has no prefix.
    (prefix,) = {next((each for each in PREFIXES if tokens[kind].startswith(each)), "") for kind in kinds} or {""}
    # A ceremony belongs to an account, except that of a login with a passkey alone.
    is_bound = "ceremony" in member and kinds != {"passkey-only ceremony"}
    foreign = {f"bob's {kind}": token for kind, token in others.items() if kind not in kinds or is_bound}

    answers = {
        (kind, token): api.call(
            route.method,
            "/v1/oauth/google/complete" if "oauth" in name else route.url,
            rest | {member: token},
            token=alice.session.access if route.auth is USER else None,
        )
        for kind, whole in (tokens | foreign).items()
        if kind not in kinds
        for token in disguised(whole, prefixes=[prefix])
    }

    assert {key: answer.code for key, answer in answers.items()} == dict.fromkeys(answers, refusal), (name, member)


def test_no_route_accepts_another_kind_of_token_as_an_access_token() -> None:
    tokens = every_token(guard("alice"))
    del tokens["access"]
    routes = [route for route in ROUTES if route.auth is USER or (route.auth is ADMIN and not is_embedded())]
    disguises = {kind: list(disguised(whole, prefixes=["", *PREFIXES])) for kind, whole in tokens.items()}
    # All routes read their header by the same code, so one disguise of each kind is enough for a route.
    tried = [
        (route, kind, tokens_of_kind[index % len(tokens_of_kind)])
        for index, route in enumerate(routes)
        for kind, tokens_of_kind in disguises.items()
    ]

    answers = {
        (route.name, kind, token): refusal(Api().call(route.method, route.url, {}, token=token))
        for route, kind, token in tried
    }

    assert {token for _, _, token in tried} == {token for each in disguises.values() for token in each}
    assert answers == dict.fromkeys(answers, (401, "invalid_access_token"))


def test_an_access_token_in_the_header_completes_no_login(api: Api) -> None:
    alice = guard("alice")
    body = {"pending_token": pause(alice.person), "email": alice.person.email, "code": "", "credential": {}}

    for route in ROUTES:
        if route.auth is PUBLIC and route.has_body:
            answer = api.call(route.method, route.url, body, token=alice.session.access)

            assert answer.status >= 400 or "access_token" not in answer.data, route.name

    assert Family.objects.count() == 1


def refusal(answer: Answer) -> tuple[int, str]:
    return answer.status, answer.code


def have_totp(whose: Guarded) -> None:
    whose.app = enroll_totp(whose.session)


def have_an_unconfirmed_secret(whose: Guarded) -> None:
    begin_totp(whose.session)


def have_passkey(whose: Guarded) -> None:
    register(whose.session, whose.authenticator)


def have_two_passkeys(whose: Guarded) -> None:
    have_passkey(whose)
    have_passkey(whose)


def have_codes(whose: Guarded) -> None:
    whose.codes = generate_codes(whose.session)


def have_removed_totp(whose: Guarded) -> None:
    have_totp(whose)
    whose.session.api.post("/v1/totp/disable", {"password": PASSWORD}, token=whose.session.access)


def have_removed_passkey(whose: Guarded) -> None:
    have_passkey(whose)
    (passkey,) = whose.session.api.get("/v1/passkeys", token=whose.session.access).data
    path = f"/v1/passkeys/{passkey['credential_id']}"
    whose.session.api.delete(path, {"password": PASSWORD}, token=whose.session.access)


Step = Callable[[Guarded], None]

SETS: list[tuple[list[str], tuple[Step, ...]]] = [
    ([], ()),
    ([], (have_codes,)),
    ([], (have_an_unconfirmed_secret,)),
    ([], (have_removed_totp, have_codes)),
    ([], (have_removed_totp, have_an_unconfirmed_secret)),
    ([], (have_removed_passkey,)),
    (["totp"], (have_totp,)),
    (["totp"], (have_totp, have_codes)),
    (["totp"], (have_removed_totp, have_totp)),
    (["totp"], (have_totp, have_removed_passkey)),
    (["passkey"], (have_passkey,)),
    (["passkey"], (have_two_passkeys, have_codes)),
    (["passkey"], (have_passkey, have_an_unconfirmed_secret)),
    (["passkey"], (have_passkey, have_removed_totp)),
    (["totp", "passkey"], (have_totp, have_passkey)),
    (["totp", "passkey"], (have_passkey, have_codes, have_totp)),
]


def by_password(person: Person) -> Answer:
    return Api().post("/v1/login", {"email": person.email, "password": PASSWORD})


def by_link(person: Person) -> Answer:
    Api().post("/v1/magic-link/request", {"email": person.email})
    return Api().post("/v1/magic-link/complete", {"token": token_in(delivered(person.email)[-1])})


PRIMARY = (by_password, by_link)


@pytest.mark.parametrize("log_in", PRIMARY)
@pytest.mark.parametrize(
    ("methods", "steps"), SETS, ids=lambda value: " ".join(getattr(each, "__name__", each) for each in value) or "none"
)
def test_a_login_pauses_for_exactly_the_enrolled_factors(
    log_in: Callable[[Person], Answer], alice: Person, methods: list[str], steps: tuple[Step, ...]
) -> None:
    whose = Guarded(alice.log_in())
    for step in steps:
        step(whose)

    begun = log_in(alice).data

    if not methods:
        assert set(begun) == {"access_token", "refresh_token"}
        return
    pending = begun["pending_token"]
    assert begun == {"second_factor_required": True, "pending_token": pending, "methods": methods}
    assert Family.objects.count() == 1
    assert completions(whose, log_in, pending) == {
        "totp": None if "totp" in methods else "totp_not_enabled",
        "passkey": None if "passkey" in methods else "no_passkeys_enrolled",
        "recovery code": None if whose.codes else "invalid_recovery_code",
    }


def completions(whose: Guarded, log_in: Callable[[Person], Answer], pending: str) -> dict[str, str | None]:
    """Try each way to complete a login and return its error code, or None for tokens. Each way has its own login."""
    api, code = Api(), whose.app.code() if whose.app else "000000"
    codes: dict[str, str | None] = {"totp": error_code(complete_by_totp(api, pending, code))}
    body = {"pending_token": log_in(whose.person).data["pending_token"]}
    begun = api.post("/v1/login/passkey/begin", body)
    codes["passkey"] = error_code(
        complete(api, body["pending_token"], whose.authenticator) if begun.status == 200 else begun
    )
    pending = log_in(whose.person).data["pending_token"]
    codes["recovery code"] = error_code(complete_by_recovery_code(api, pending, (whose.codes or [UNKNOWN_CODE])[0]))
    return codes


def error_code(answer: Answer) -> str | None:
    return None if answer.status == 200 and set(answer.data) == {"access_token", "refresh_token"} else answer.code


@pytest.mark.parametrize(("first", "second"), [PRIMARY, PRIMARY[::-1]])
def test_a_totp_code_completes_only_one_login_by_password_or_link(
    first: Callable[[Person], Answer], second: Callable[[Person], Answer], alice: Person
) -> None:
    app = enroll_totp(alice.log_in())
    pendings = [log_in(alice).data["pending_token"] for log_in in (first, second)]

    answers = [complete_by_totp(alice.api, pending, app.code()) for pending in pendings]

    assert [error_code(answer) for answer in answers] == [None, "invalid_totp_code"]


def fail_by_password(whose: Guarded) -> Answer:
    return whose.session.api.post("/v1/login", {"email": whose.person.email, "password": "wrong"})


def fail_by_totp(whose: Guarded) -> Answer:
    assert whose.app
    return complete_by_totp(Api(), pause(whose.person), whose.app.wrong_code())


def fail_by_totp_after_a_link(whose: Guarded) -> Answer:
    assert whose.app
    return complete_by_totp(Api(), pause_by_link(whose.person), whose.app.wrong_code())


def fail_by_recovery_code(whose: Guarded) -> Answer:
    return complete_by_recovery_code(Api(), pause(whose.person), UNKNOWN_CODE)


def fail_by_passkey(whose: Guarded) -> Answer:
    return complete(Api(), pause(whose.person), whose.authenticator, challenge=b"another")


def fail_to(method: str, path: str, member: str = "password") -> Callable[[Guarded], Answer]:
    def fail(whose: Guarded) -> Answer:
        body = {member: "wrong", "new_password": "another horse battery"}
        return whose.session.api.call(method, path, body, token=whose.session.access)

    return fail


def fail_to_reauthenticate(proof: Callable[[Guarded], dict[str, Any]]) -> Callable[[Guarded], Answer]:
    def fail(whose: Guarded) -> Answer:
        return whose.session.api.post("/v1/reauthenticate", proof(whose), token=whose.session.access)

    return fail


def app_of(whose: Guarded) -> App:
    assert whose.app
    return whose.app


def unverified_response(whose: Guarded) -> dict[str, Any]:
    ceremony = begin_reauthentication(whose.session)
    credential = whose.authenticator.get(ceremony["public_key"], challenge=b"another")
    return {"ceremony_token": ceremony["ceremony_token"], "credential": credential}


GUESSES: dict[str, Callable[[Guarded], Answer]] = {
    "login": fail_by_password,
    "login/totp": fail_by_totp,
    "login/totp after a link": fail_by_totp_after_a_link,
    "login/recovery-code": fail_by_recovery_code,
    "login/passkey/finish": fail_by_passkey,
    "totp/disable": fail_to("POST", "/v1/totp/disable"),
    "passkeys": fail_to("DELETE", "/v1/passkeys/AAAA"),
    "reauthenticate by password": fail_to("POST", "/v1/reauthenticate"),
    "reauthenticate by code": fail_to_reauthenticate(lambda whose: {"code": app_of(whose).wrong_code()}),
    "reauthenticate by passkey": fail_to_reauthenticate(unverified_response),
    "change-password": fail_to("POST", "/v1/change-password", "current_password"),
    "delete-account": fail_to("POST", "/v1/delete-account", "current_password"),
}


@pytest.mark.parametrize("path", GUESSES)
def test_the_fifth_wrong_guess_locks_the_account_on_every_route(path: str) -> None:
    alice = guard("alice")

    answers = [GUESSES[path](alice) for _ in range(5)]

    assert {answer.status for answer in answers} == {401}
    assert by_password(alice.person).code == "account_locked"
    assert Event.objects.filter(type="account_locked").count() == 1


@pytest.mark.parametrize("path", GUESSES)
def test_wrong_guesses_on_different_routes_count_together(path: str) -> None:
    alice = guard("alice")
    for _ in range(4):
        fail_by_password(alice)

    GUESSES[path](alice)

    assert by_password(alice.person).code == "account_locked"


def test_no_route_checks_the_password_of_a_locked_account() -> None:
    alice = guard("alice")
    lock(alice.person)
    right = {"password": PASSWORD, "current_password": PASSWORD, "new_password": "another horse battery"}
    (passkey,) = alice.session.api.get("/v1/passkeys", token=alice.session.access).data

    answers = [
        by_password(alice.person),
        *[
            alice.session.api.call(method, path, right, token=alice.session.access)
            for method, path in (
                ("POST", "/v1/change-password"),
                ("POST", "/v1/delete-account"),
                ("POST", "/v1/reauthenticate"),
                ("POST", "/v1/totp/disable"),
                ("DELETE", f"/v1/passkeys/{passkey['credential_id']}"),
            )
        ],
    ]

    assert [refusal(answer) for answer in answers] == [(403, "account_locked"), *[(401, "invalid_credentials")] * 5]
    assert by_link(alice.person).data["methods"] == ["totp", "passkey"]


def test_a_lock_voids_every_pending_login_and_keeps_the_sessions() -> None:
    alice = guard("alice")
    assert alice.app
    pendings = [pause(alice.person), pause(alice.person), pause_by_link(alice.person), pause(alice.person)]
    ceremony = begin_login(Api(), pendings[3])

    lock(alice.person)

    signed = {
        "ceremony_token": ceremony["ceremony_token"],
        "credential": alice.authenticator.get(ceremony["public_key"]),
    }
    answers = [
        complete_by_totp(Api(), pendings[0], alice.app.code()),
        complete_by_recovery_code(Api(), pendings[1], alice.codes[0]),
        complete_by_totp(Api(), pendings[2], alice.app.code()),
        Api().post("/v1/login/passkey/begin", {"pending_token": pendings[3]}),
        Api().post("/v1/login/passkey/finish", {"pending_token": pendings[3], **signed}),
    ]
    assert {refusal(answer) for answer in answers} == {(401, "invalid_pending_login")}
    assert alice.session.is_live()


@pytest.mark.parametrize("method", ["totp", "passkey", "recovery code"])
def test_a_magic_link_login_during_a_lock_needs_the_factor_and_keeps_the_lock(method: str) -> None:
    alice = guard("alice")
    assert alice.app
    lock(alice.person)
    before = Account.objects.values("failed_attempts", "locked_until").get()
    pending = pause_by_link(alice.person)

    match method:
        case "totp":
            answer = complete_by_totp(Api(), pending, alice.app.code())
        case "passkey":
            answer = complete(Api(), pending, alice.authenticator)
        case _:
            answer = complete_by_recovery_code(Api(), pending, alice.codes[0])

    assert error_code(answer) is None
    assert Account.objects.values("failed_attempts", "locked_until").get() == before
    assert by_password(alice.person).code == "account_locked"
