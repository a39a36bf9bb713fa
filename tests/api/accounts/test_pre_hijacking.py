"""The attacks of "Pre-hijacked accounts" (arXiv 2205.10174), by the names of the paper.

Eve signs up with the address of Alice and waits. Alice then arrives: she proves her mailbox by a magic link or by a
password reset. Afterwards Eve must have no access.

The service has no login through identity providers. So the classic-federated merge is tested with a magic link and a
reset in place of the provider. The fifth attack, by a non-verifying identity provider, needs such a login: this module
has no test of it.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import TypeAlias

import pytest
import time_machine

from core.clock import now
from tests import passkeys, recoveries
from tests.authenticator import Authenticator
from tests.client import PASSWORD, Answer, Api
from tests.keys import make_key, verify
from tests.mails import delivered, token_in
from tests.password_resets import ask, reset
from tests.people import Person, SignedIn, sign_up
from tests.second_factors import (
    begin_totp,
    complete_by_recovery_code,
    complete_by_totp,
    enroll_totp,
    generate_codes,
    pause,
    pause_by_link,
)

ADDRESS = "alice@example.com"
OF_EVE = "eve@example.com"
OF_ALICE = "a password that only alice knows"


@pytest.fixture
def eve() -> SignedIn:
    """Eve, with a session of an account that has the address of Alice."""
    return sign_up(ADDRESS, api=Api(ip="198.51.100.66")).log_in()


@pytest.fixture
def owner() -> Api:
    """The caller of Alice, who reads the mailbox."""
    return Api(ip="203.0.113.7")


def by_link(owner: Api) -> Answer:
    """Log in as Alice by a magic link."""
    owner.post("/v1/magic-link/request", {"email": ADDRESS})
    return owner.post("/v1/magic-link/complete", {"token": token_in(delivered(ADDRESS)[-1])})


def by_reset(owner: Api) -> Answer:
    """Reset the password as Alice, and log in."""
    ask(owner, ADDRESS)
    assert reset(owner, token_in(delivered(ADDRESS)[-1]), OF_ALICE).status == 200
    return owner.post("/v1/login", {"email": ADDRESS, "password": OF_ALICE})


Arrival: TypeAlias = Callable[[Api], Answer]


@pytest.fixture(params=[by_link, by_reset])
def arrive(request: pytest.FixtureRequest) -> Arrival:
    """Let Alice log in for the first time, in one of the ways that prove her mailbox."""
    arrival: Arrival = request.param
    return arrival


def log_in(eve: SignedIn) -> Answer:
    return eve.api.post("/v1/login", {"email": ADDRESS, "password": PASSWORD})


def test_classic_federated_merge(eve: SignedIn, owner: Api, arrive: Arrival) -> None:
    """Eve knows the password of the account that Alice enters by another way of login."""
    assert "access_token" in arrive(owner).data

    assert log_in(eve).code == "invalid_credentials"


def test_unexpired_session(eve: SignedIn, owner: Api, arrive: Arrival) -> None:
    """Eve keeps a session and an API key."""
    key = make_key(eve)["key"]
    arrive(owner)

    assert verify(key).code == "invalid_api_key"
    assert eve.api.post("/v1/refresh", {"refresh_token": eve.refresh}).code == "invalid_token"
    assert eve.api.post("/v1/api-keys", {"name": "k"}, token=eve.access).code == "invalid_access_token"


def test_unexpired_session_that_waits_for_a_second_factor(eve: SignedIn, owner: Api) -> None:
    """Eve enrolls a factor and keeps a paused login, which she completes after the reset."""
    app = enroll_totp(eve)
    pending = pause(eve.person)
    by_reset(owner)

    assert complete_by_totp(eve.api, pending, app.code()).code == "invalid_pending_login"


def recovery_codes(eve: SignedIn) -> Callable[[str], Answer]:
    codes = generate_codes(eve)
    return lambda pending: complete_by_recovery_code(eve.api, pending, codes[0])


def unconfirmed_app(eve: SignedIn) -> Callable[[str], Answer]:
    app = begin_totp(eve)
    return lambda pending: complete_by_totp(eve.api, pending, app.code())


@pytest.mark.parametrize("plant", [recovery_codes, unconfirmed_app])
def test_trojan_identifier(
    eve: SignedIn, owner: Api, arrive: Arrival, plant: Callable[[SignedIn], Callable[[str], Answer]]
) -> None:
    """Eve leaves an identifier of her own in the account, and uses it on a login of Alice."""
    complete = plant(eve)
    tokens = arrive(owner).data
    alice = Person(email=ADDRESS, password=PASSWORD, user_id=eve.person.user_id, api=owner)
    enroll_totp(SignedIn(person=alice, api=owner, access=tokens["access_token"], refresh=tokens["refresh_token"]))

    answer = complete(pause_by_link(alice))

    assert answer.code in {"invalid_recovery_code", "invalid_totp_code"}


@pytest.mark.parametrize("factor", ["totp", "passkey"])
def test_trojan_identifier_with_a_confirmed_factor(eve: SignedIn, owner: Api, factor: str) -> None:
    """Eve enrolls a factor. A magic link then neither opens the account nor makes it trusted, and a reset removes it."""
    if factor == "totp":
        enroll_totp(eve)
    else:
        passkeys.register(eve, Authenticator())

    paused = by_link(owner).data

    assert paused["methods"] == [factor]
    assert eve.person.account().email_proven_at is None
    assert "access_token" in by_reset(owner).data


def test_trojan_identifier_with_a_recovery(eve: SignedIn, owner: Api) -> None:
    """Eve starts a recovery, which must not remove the factor that Alice enrolls later."""
    enroll_totp(eve)
    recoveries.start(eve.person)
    tokens = by_reset(owner).data
    alice = Person(email=ADDRESS, password=OF_ALICE, user_id=eve.person.user_id, api=owner)
    enroll_totp(SignedIn(person=alice, api=owner, access=tokens["access_token"], refresh=tokens["refresh_token"]))
    delivered(ADDRESS)

    with time_machine.travel(now() + timedelta(hours=recoveries.WAIT_HOURS)):
        assert not recoveries.continued(alice)

    assert pause(alice)


def test_unexpired_email_change(eve: SignedIn, owner: Api, arrive: Arrival) -> None:
    """Eve requests a change to her own address, and confirms the change after Alice has come."""
    eve.api.post("/v1/email/request-change", {"new_email": OF_EVE}, token=eve.access)
    change = token_in(delivered(OF_EVE)[-1])
    tokens = arrive(owner).data

    refused = eve.api.post("/v1/email/confirm-change", {"token": change})

    assert refused.code == "verification_token_invalid"
    assert owner.post("/v1/refresh", {"refresh_token": tokens["refresh_token"]}).status == 200
    owner.post("/v1/magic-link/request", {"email": OF_EVE})
    assert not delivered(OF_EVE)


def test_unexpired_email_change_to_the_address_of_alice(owner: Api, arrive: Arrival) -> None:
    """Eve moves her own account to the address of Alice, who clicks the link. The click does not make it trusted."""
    eve = sign_up(OF_EVE, api=Api(ip="198.51.100.66")).log_in()
    eve.api.post("/v1/email/request-change", {"new_email": ADDRESS}, token=eve.access)
    owner.post("/v1/email/confirm-change", {"token": token_in(delivered(ADDRESS)[-1])})
    assert eve.person.account().email_proven_at is None

    arrive(owner)

    assert log_in(eve).code == "invalid_credentials"
    assert eve.api.post("/v1/refresh", {"refresh_token": eve.refresh}).code == "invalid_token"


def test_a_click_on_the_link_of_eve_does_not_verify_her_account(eve: SignedIn, owner: Api) -> None:
    """Eve requests a link that verifies the address, and Alice opens it."""
    eve.api.post("/v1/email/verify/request", token=eve.access)
    token = token_in(delivered(ADDRESS)[-1])
    of_alice = sign_up("alice.other@example.com", api=owner).log_in()

    without = owner.post("/v1/email/verify/confirm", {"token": token})
    signed_in = owner.post("/v1/email/verify/confirm", {"token": token}, token=of_alice.access)

    assert (without.code, signed_in.code) == ("bad_request", "verification_token_invalid")
    assert eve.person.account().email_proven_at is None
