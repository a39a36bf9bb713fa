"""The rate limits, tested through the API. Counts outlive a test, so each test uses its own IP address."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
import time_machine
from pytest_django import Settings

from accounts.models import Event
from accounts.passwords import hashing
from sessions_app.models import Token
from tests.client import PASSWORD, Answer, Api
from tests.people import Person
from tests.processes.running import until

START = "2026-03-01T12:00:00Z"


@pytest.fixture
def travel() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(START, tick=False) as traveller:
        yield traveller


def limit(settings: Settings, limits: str) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "RATE_LIMITS": limits}


def attempt(api: Api, email: str, password: str = "wrong") -> str:
    answer = api.post("/v1/login", {"email": email, "password": password})
    return answer.code if answer.status >= 400 else "ok"


def test_a_login_beyond_the_limit_gets_a_retry_after_header(settings: Settings, travel: time_machine.Traveller) -> None:
    limit(settings, "login=2/m")
    api = Api(ip="192.0.2.1")

    answers = [api.post("/v1/login", {"email": "nobody@example.com", "password": "x"}) for _ in range(3)]

    assert [answer.code for answer in answers] == ["invalid_credentials", "invalid_credentials", "rate_limited"]
    assert answers[2].status == 429
    wait = int(answers[2].headers["Retry-After"])
    assert 1 <= wait <= 60
    travel.shift(wait)
    assert attempt(api, "nobody@example.com") == "invalid_credentials"


@pytest.mark.parametrize("spelling", ["NOBODY@example.com", " nobody@example.com", "ｎobody@example.com"])
def test_another_spelling_of_an_address_does_not_evade_the_limit(
    settings: Settings, travel: time_machine.Traveller, spelling: str
) -> None:
    limit(settings, "login=1/m")
    api = Api(ip="192.0.2.2")
    travel.shift(600 + 60 * len(spelling.encode()))

    assert attempt(api, "nobody@example.com") == "invalid_credentials"
    assert attempt(api, spelling) == "rate_limited"


def test_the_ip_addresses_of_one_network_share_a_limit(settings: Settings, travel: time_machine.Traveller) -> None:
    limit(settings, "signup=1/m")
    first, second, third = (Api(ip=ip) for ip in ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", "2001:db8:1:3::1"))
    body = {"email": "no address", "password": PASSWORD}

    assert [api.post("/v1/signup", body).code for api in (first, second, third)] == [
        "bad_request",
        "rate_limited",
        "bad_request",
    ]


def test_a_forwarded_for_header_does_not_evade_the_limit(settings: Settings, travel: time_machine.Traveller) -> None:
    limit(settings, "signup=1/m")
    api = Api(ip="192.0.2.3")
    body = {"email": "no address", "password": PASSWORD}

    api.post("/v1/signup", body, headers={"X-Forwarded-For": "198.51.100.1"})

    assert api.post("/v1/signup", body, headers={"X-Forwarded-For": "198.51.100.2"}).code == "rate_limited"


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/login", {"email": "alice@example.com", "password": "wrong"}),
        ("/v1/magic-link/request", {"email": "alice@example.com"}),
        ("/v1/password/forgot", {"email": "alice@example.com"}),
    ],
)
def test_the_calls_of_one_caller_do_not_use_up_the_limit_of_another(
    settings: Settings, alice: Person, travel: time_machine.Traveller, path: str, body: dict[str, str]
) -> None:
    """The lock counts failures of all callers. The limits count each network separately."""
    limit(settings, "login=2/h,mail=2/h")
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "LOCKOUT_THRESHOLD": "1000"}
    eve = Api(ip=f"192.0.2.{100 + len(path)}")
    statuses = [eve.post(path, body).status for _ in range(4)]
    assert statuses[2:] == [429, 429]

    alice.api.ip = f"198.51.100.{100 + len(path)}"

    assert alice.api.post(path, body | {"password": PASSWORD}).status == 200


def test_a_rate_limited_login_does_not_count_as_a_failure(
    settings: Settings, travel: time_machine.Traveller, alice: Person
) -> None:
    limit(settings, "login=1/m")
    api = Api(ip="192.0.2.4")

    attempt(api, alice.email)
    assert attempt(api, alice.email) == "rate_limited"

    assert alice.account().failed_attempts == 1


def test_logins_with_a_passkey_alone_share_the_limit_of_logins_by_network(
    settings: Settings, travel: time_machine.Traveller
) -> None:
    limit(settings, "login_ip=3/m")
    api = Api(ip="192.0.2.77")

    codes = [
        api.post("/v1/passkey-login/begin", {}).status,
        api.post("/v1/passkey-login/finish", {"ceremony_token": "", "credential": {}}).code,
        attempt(api, "nobody@example.com"),
        api.post("/v1/passkey-login/begin", {}).code,
        api.post("/v1/passkey-login/finish", {"ceremony_token": "", "credential": {}}).code,
    ]

    assert codes == [200, "invalid_ceremony_token", "invalid_credentials", "rate_limited", "rate_limited"]


def test_password_routes_are_limited_by_account(
    settings: Settings, travel: time_machine.Traveller, alice: Person, bob: Person
) -> None:
    first, second = alice.log_in(), bob.log_in()
    limit(settings, "password=1/m")
    body = {"current_password": "wrong", "new_password": "whatever else"}

    assert alice.api.post("/v1/change-password", body, token=first.access).code == "invalid_credentials"
    assert alice.api.post("/v1/delete-account", body, token=first.access).code == "rate_limited"
    assert bob.api.post("/v1/change-password", body, token=second.access).code == "invalid_credentials"


def refresh(api: Api, token: str) -> Answer:
    return api.post("/v1/refresh", {"refresh_token": token})


def test_refreshes_are_limited_by_account_over_all_sessions(
    settings: Settings, travel: time_machine.Traveller, alice: Person, bob: Person
) -> None:
    first, second, of_bob = alice.log_in(), alice.log_in(), bob.log_in()
    limit(settings, "refresh=2/m")
    first = first.refreshed()
    travel.shift(7.2504)
    second = second.refreshed()
    travel.shift(0.5)

    refused = [refresh(first.api, session.refresh) for session in (first, second)]

    assert [(answer.status, answer.code) for answer in refused] == [(429, "rate_limited")] * 2
    wait = int(refused[0].headers["Retry-After"])
    assert 52 <= wait <= 54
    assert of_bob.is_live()
    travel.shift(wait)
    assert first.is_live()
    assert refresh(second.api, second.refresh).code == "rate_limited"


def test_a_rate_limited_refresh_keeps_the_token_and_writes_nothing(
    settings: Settings, travel: time_machine.Traveller, alice: Person
) -> None:
    session = alice.log_in()
    limit(settings, "refresh=1/m")
    session = session.refreshed()
    rows = (Token.objects.count(), Event.objects.count())

    assert [refresh(session.api, session.refresh).code for _ in range(3)] == ["rate_limited"] * 3

    assert (Token.objects.count(), Event.objects.count()) == rows
    limit(settings, "refresh=off")
    assert session.is_live()


def test_reuse_of_a_rotated_token_ends_the_session_beyond_the_limit_too(
    settings: Settings, travel: time_machine.Traveller, alice: Person
) -> None:
    rotated = alice.log_in()
    limit(settings, "refresh=1/m")
    current = rotated.refreshed()
    assert refresh(current.api, current.refresh).code == "rate_limited"

    assert refresh(rotated.api, rotated.refresh).code == "token_reused"

    assert refresh(current.api, current.refresh).code == "invalid_token"


def test_tokens_that_were_never_issued_do_not_count_against_an_account(
    settings: Settings, travel: time_machine.Traveller, alice: Person
) -> None:
    session = alice.log_in()
    limit(settings, "refresh=1/m")

    for _ in range(3):
        assert refresh(Api(), f"srt_{'A' * 43}").code == "invalid_token"

    assert session.is_live()


def test_creating_and_revoking_keys_is_limited_by_account(
    settings: Settings, travel: time_machine.Traveller, alice: Person, bob: Person
) -> None:
    session, of_bob = alice.log_in(), bob.log_in()
    limit(settings, "api_keys=2/m")
    made = session.api.post("/v1/api-keys", {"name": "Backup"}, token=session.access).data["api_key"]
    path = f"/v1/api-keys/{made['id']}"

    assert session.api.delete(path, token=session.access).status == 200
    assert session.api.post("/v1/api-keys", {"name": "Backup"}, token=session.access).code == "rate_limited"
    assert session.api.delete(path, token=session.access).code == "rate_limited"
    assert session.api.get("/v1/api-keys", token=session.access).data == []
    assert of_bob.api.post("/v1/api-keys", {"name": "Backup"}, token=of_bob.access).status == 201


def test_the_edge_limit_applies_to_all_other_routes_except_three(
    settings: Settings, travel: time_machine.Traveller, alice: Person
) -> None:
    session = alice.log_in(Api(ip="192.0.2.5"))
    limit(settings, "edge=1/m")
    api = session.api

    assert api.get("/v1/sessions", token=session.access).status == 200
    assert api.get("/v1/sessions", token=session.access).code == "rate_limited"
    assert api.get("/v1/nothing").code == "rate_limited"
    for path in ("/v1/verify", "/v1/health", "/.well-known/jwks.json"):
        assert api.get(path, token=session.access).status == 200


def test_a_login_refused_as_overloaded_does_not_count_against_the_limit(
    settings: Settings, travel: time_machine.Traveller
) -> None:
    settings.AUTH_SERVICE = {
        **settings.AUTH_SERVICE,
        "RATE_LIMITS": "login=1/m",
        "PASSWORD_HASH_CONCURRENCY": "1",
        "PASSWORD_HASH_WAIT_SECONDS": "60",
    }
    api = Api(ip="192.0.2.20")

    with ThreadPoolExecutor(2) as waiting, hashing._slots.taken(at_once=1, threads=3, seconds=0):
        for _ in range(2):
            waiting.submit(hashing.verify_nothing, "wrong")
        until(lambda: len(hashing._slots._waiting) == 2, what="two that wait")
        refused = [attempt(api, "nobody@example.com") for _ in range(3)]

    assert refused == ["overloaded"] * 3
    assert attempt(api, "nobody@example.com") == "invalid_credentials"
