"""The link between accounts and identities: who may make it, when it exists, and who may end it."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.test import Client

from accounts.models import Account, Event
from core.clock import now
from core.conf import core_settings
from sessions_app.models import Family, Identity
from tests import passkeys
from tests.authenticator import Authenticator
from tests.client import PASSWORD, Answer, Api
from tests.issuers import REDIRECT_URI, Issuer, complete, link, running, session_of, sign_in, start, unlink, user
from tests.keys import make_key, verify
from tests.mails import delivered, text_of, token_in
from tests.password_resets import prove_address
from tests.people import Person, SignedIn, existing_session, sign_up
from tests.second_factors import complete_by_totp, enroll_totp

Configure = Callable[..., None]

LINKED = {"status": "identity linked"}


def outcome(answer: Answer) -> tuple[int, str]:
    return answer.status, answer.code


def events(kind: str) -> list[dict[str, Any]]:
    return list(Event.objects.filter(type=kind).order_by("pk").values_list("metadata", flat=True))


def test_a_link_adds_the_identity_to_the_callers_account(alice: Person, issuer: Issuer) -> None:
    session = existing_session(alice)

    answer = link(alice.api, issuer, user(email="other@example.com"), token=session.access)

    assert answer.data == LINKED
    assert events("oauth_linked") == [{"provider": "acme"}]
    again = session_of(sign_in(Api(), issuer, user(email="other@example.com")), Api())
    assert again.person.user_id == alice.user_id
    assert [mail["Subject"] for mail in delivered(alice.email)] == ["A new way to sign in to your account at localhost"]
    assert Account.objects.count() == 1
    assert alice.log_in().is_live()


def test_a_link_needs_no_verified_address(alice: Person, issuer: Issuer) -> None:
    session = existing_session(alice)

    assert link(alice.api, issuer, {"sub": "alice-at-acme"}, token=session.access).data == LINKED


def test_a_second_link_of_the_same_identity_changes_nothing(alice: Person, issuer: Issuer) -> None:
    session = existing_session(alice)

    answers = [link(alice.api, issuer, user(), token=session.access) for _ in range(2)]

    assert [answer.data for answer in answers] == [LINKED, LINKED]
    assert len(events("oauth_linked")) == 1


def test_an_identity_of_another_account_is_not_linked(alice: Person, bob: Person, issuer: Issuer) -> None:
    link(alice.api, issuer, user(), token=existing_session(alice).access)

    answer = link(bob.api, issuer, user(), token=bob.log_in().access)

    assert outcome(answer) == (409, "identity_in_use")
    assert Identity.objects.get().account_id == alice.account().pk


def test_an_account_has_at_most_twenty_identities(alice: Person, issuer: Issuer) -> None:
    session, moment = existing_session(alice), now()
    Identity.objects.bulk_create(
        Identity(
            account=alice.account(), issuer=issuer.url, subject=str(number), created_at=moment, last_used_at=moment
        )
        for number in range(19)
    )

    answers = [link(alice.api, issuer, user(f"s{number}"), token=session.access) for number in range(2)]

    assert [answer.status for answer in answers] == [200, 400]
    assert answers[1].code == "bad_request"
    assert Identity.objects.count() == 20


def test_a_link_needs_a_login_within_five_minutes(alice: Person, issuer: Issuer) -> None:
    with time_machine.travel(now(), tick=False) as travel:
        session = existing_session(alice)
        travel.shift(timedelta(seconds=301))
        body = {"redirect_uri": REDIRECT_URI, "link": True}

        late = session.api.post("/v1/oauth/acme/start", body, token=session.access)
        session.api.post("/v1/reauthenticate", {"password": PASSWORD}, token=session.access)
        again = session.api.post("/v1/oauth/acme/start", body, token=session.access)

    assert outcome(late) == (403, "reauthentication_required")
    assert again.status == 200


def test_a_link_needs_a_login_that_is_as_recent_as_the_setting_demands(
    alice: Person, issuer: Issuer, configure: Configure
) -> None:
    configure(RECENT_LOGIN_SECONDS="60")
    body = {"redirect_uri": REDIRECT_URI, "link": True}
    with time_machine.travel(now(), tick=False) as travel:
        session = existing_session(alice)
        travel.shift(timedelta(seconds=61))

        late = session.api.post("/v1/oauth/acme/start", body, token=session.access)

    assert outcome(late) == (403, "reauthentication_required")


def test_a_link_needs_an_access_token_of_a_live_session(alice: Person, issuer: Issuer) -> None:
    session = existing_session(alice)
    body = {"redirect_uri": REDIRECT_URI, "link": True}
    started = start(alice.api, token=session.access, link=True)
    returned = issuer.approve(started["authorize_url"], user())
    session.api.post("/v1/logout-all", token=session.access)

    answers = [
        alice.api.post("/v1/oauth/acme/start", body, token="garbage"),
        alice.api.post("/v1/oauth/acme/start", body, token=session.access),
        complete(alice.api, started, returned, token=session.access),
    ]

    assert {outcome(answer) for answer in answers} == {(401, "invalid_access_token")}
    assert outcome(alice.api.post("/v1/oauth/acme/start", body)) == (401, "missing_auth_header")
    assert not Identity.objects.exists()


@pytest.mark.parametrize("who", ["the victim", "no one"])
def test_a_link_started_by_an_attacker_does_not_get_the_victims_identity(
    alice: Person, bob: Person, issuer: Issuer, who: str
) -> None:
    """Bob starts a link with his account and makes Alice's browser approve and complete it."""
    started = start(bob.api, token=existing_session(bob).access, link=True)
    returned = issuer.approve(started["authorize_url"], user())
    token = existing_session(alice).access if who == "the victim" else None

    answer = complete(alice.api, started, returned, token=token)

    assert outcome(answer) == (400, "invalid_oauth_state")
    assert not Identity.objects.exists()
    assert issuer.count("/token") == 0


def test_a_login_links_nothing_to_the_session_that_completes_it(alice: Person, issuer: Issuer) -> None:
    """An attacker starts a login and makes Alice's application complete it while Alice is signed in."""
    session, started = existing_session(alice), start(Api())
    returned = issuer.approve(started["authorize_url"], user(sub="eve-at-acme", email="eve@example.com"))

    complete(alice.api, started, returned, token=session.access)

    assert Identity.objects.get().account_id != alice.account().pk


@pytest.mark.parametrize(("here", "there"), [(True, False), (False, False)])
def test_an_issuer_that_is_not_trusted_enters_no_existing_account(
    alice: Person, issuer: Issuer, here: bool, there: bool
) -> None:
    if here:
        prove_address(alice)

    answer = sign_in(Api(), issuer, user(email="ALICE@example.com"))

    assert outcome(answer) == (409, "user_exists")
    assert "link: true" in answer.body["error"]["message"]
    assert not Identity.objects.exists()
    assert alice.log_in().is_live()


def test_an_address_that_is_proven_on_both_sides_leads_to_the_account(alice: Person, trusted: Issuer) -> None:
    prove_address(alice)

    answer = sign_in(Api(), trusted, user(email="Alice@Example.com"))

    assert session_of(answer, Api()).person.user_id == alice.user_id
    assert Account.objects.count() == 1
    assert alice.log_in().is_live()


def test_a_trusted_issuer_gives_an_unproven_account_to_the_owner_of_the_mailbox(
    bob: Person, issuer: Issuer, trusted: Issuer, configure: Configure
) -> None:
    """Eve signs up with Bob's address, and adds all that could give her access later."""
    with running() as elsewhere:
        configure(**elsewhere.variables("elsewhere"))
        before = existing_session(bob)
        key = make_key(before)["key"]
        link(bob.api, elsewhere, user(sub="eve-at-elsewhere"), token=before.access, provider="elsewhere")

        answer = sign_in(Api(), trusted, user(sub="bob-at-acme", email=bob.email))

        owner = session_of(answer, Api(), bob.email)
        assert owner.is_live()
        assert not before.is_live()
        assert verify(key).code == "invalid_api_key"
        assert Api().post("/v1/login", {"email": bob.email, "password": PASSWORD}).code == "invalid_credentials"
        assert outcome(sign_in(Api(), elsewhere, user(sub="eve-at-elsewhere", email=bob.email), "elsewhere")) == (
            409,
            "user_exists",
        )
    assert bob.account().email_proven_at is not None
    assert [identity.subject for identity in Identity.objects.all()] == ["bob-at-acme"]
    assert any("Sign-in with elsewhere" in text_of(mail) for mail in delivered(bob.email))


def test_the_factors_of_an_account_that_was_never_proven_end_in_the_takeover(alice: Person, trusted: Issuer) -> None:
    enroll_totp(existing_session(alice))

    answer = sign_in(Api(), trusted, user())

    assert session_of(answer, Api()).is_live()
    assert alice.account().email_proven_at is not None


@pytest.mark.parametrize("address", ["\uff4bim@example.com", "\u212aim@example.com", "kim@ex\u1d43mple.com"])
def test_another_mailbox_that_only_looks_like_the_address_proves_nothing(trusted: Issuer, address: str) -> None:
    """Kim's account and the attacker's address have the same key, but a mail to one never reaches the other."""
    kim = sign_up("kim")

    linked = link(kim.api, trusted, user(sub="kim", email=address), token=kim.log_in().access)
    again = sign_in(Api(), trusted, user(sub="kim", email=address))
    before = outcome(sign_in(Api(), trusted, user(sub="eve", email=address)))
    was_proven = kim.account().email_proven_at is not None
    prove_address(kim)
    after = outcome(sign_in(Api(), trusted, user(sub="eve", email=address)))

    assert (linked.data, again.status, was_proven) == (LINKED, 200, False)
    assert before == after == (409, "user_exists")
    assert kim.log_in().is_live()


def test_a_paused_login_links_nothing_before_its_second_factor(alice: Person, trusted: Issuer) -> None:
    prove_address(alice)
    app = enroll_totp(existing_session(alice))

    paused = sign_in(Api(), trusted, user()).data

    assert paused["second_factor_required"] is True
    assert not Identity.objects.exists()
    assert events("oauth_linked") == []
    assert complete_by_totp(Api(), paused["pending_token"], app.wrong_code()).status == 401
    assert not Identity.objects.exists()
    assert complete_by_totp(Api(), paused["pending_token"], app.code(steps=1)).status == 200
    assert Identity.objects.get().account_id == alice.account().pk


def test_a_failure_at_the_end_of_a_login_leaves_no_link(
    alice: Person, trusted: Issuer, configure: Configure, tmp_path: Path
) -> None:
    """The key that signs the tokens cannot be read, which the service notices after it has written the link."""
    prove_address(alice)
    started, keys = start(Api()), core_settings().signing_keys_file
    body = {"state_token": started["state_token"], **trusted.approve(started["authorize_url"], user())}
    damaged = tmp_path / "damaged.json"
    damaged.write_text("x")
    configure(SIGNING_KEYS_FILE=str(damaged))

    failed = Client(raise_request_exception=False).post("/v1/oauth/acme/complete", body, "application/json")

    assert failed.status_code == 500
    assert not Identity.objects.exists()
    assert events("oauth_linked") == []
    configure(SIGNING_KEYS_FILE=keys)
    assert sign_in(Api(), trusted, user()).status == 200
    assert Identity.objects.get().account_id == alice.account().pk


def test_an_identity_that_was_linked_elsewhere_meanwhile_ends_the_paused_login(
    alice: Person, bob: Person, trusted: Issuer
) -> None:
    prove_address(alice)
    app = enroll_totp(existing_session(alice))
    paused = sign_in(Api(), trusted, user()).data
    link(bob.api, trusted, user(), token=existing_session(bob).access)

    answer = complete_by_totp(Api(), paused["pending_token"], app.code(steps=1))

    assert outcome(answer) == (401, "invalid_pending_login")
    assert Identity.objects.get().account_id == bob.account().pk
    assert Family.objects.filter(account=alice.account()).count() == 1


def test_a_link_to_a_trusted_issuer_proves_the_accounts_own_address(alice: Person, trusted: Issuer) -> None:
    link(alice.api, trusted, user(email="ALICE@example.com"), token=existing_session(alice).access)

    assert alice.account().email_proven_at is not None
    assert alice.log_in().is_live()


def test_a_link_to_another_address_proves_nothing(alice: Person, trusted: Issuer) -> None:
    link(alice.api, trusted, user(email="alice@other.example"), token=existing_session(alice).access)

    assert alice.account().email_proven_at is None


def test_an_unlinked_identity_no_longer_signs_in(alice: Person, issuer: Issuer) -> None:
    session = existing_session(alice)
    link(alice.api, issuer, user(), token=session.access)

    answer = unlink(session)

    assert answer.data == {"status": "identity removed"}
    assert session.api.get("/v1/identities", token=session.access).data == {"identities": []}
    assert events("oauth_unlinked") == [{"provider": "acme"}]
    assert "was removed: acme" in " ".join(text_of(delivered(alice.email)[-1]).split())
    assert outcome(sign_in(Api(), issuer, user())) == (409, "user_exists")
    assert session.is_live()


def test_an_unlinked_identity_completes_no_waiting_login(alice: Person, issuer: Issuer) -> None:
    session = existing_session(alice)
    link(alice.api, issuer, user(), token=session.access)
    app = enroll_totp(session)
    paused = sign_in(Api(), issuer, user()).data
    unlink(session)

    answer = complete_by_totp(Api(), paused["pending_token"], app.code(steps=1))

    assert outcome(answer) == (401, "invalid_pending_login")
    assert not Identity.objects.exists()


def test_the_last_way_to_sign_in_stays(issuer: Issuer) -> None:
    session = session_of(sign_in(Api(), issuer, user()), Api())

    assert outcome(unlink(session)) == (409, "last_sign_in_method")

    link(session.api, issuer, user(sub="second"), token=session.access)
    assert unlink(session).status == 200
    assert outcome(unlink(session)) == (409, "last_sign_in_method")


def test_a_passkey_that_signs_in_alone_is_another_way_to_sign_in(issuer: Issuer) -> None:
    session = session_of(sign_in(Api(), issuer, user()), Api())
    passkeys.register(session, Authenticator())

    assert unlink(session).status == 200


def test_a_password_that_a_reset_set_is_another_way_to_sign_in(trusted: Issuer) -> None:
    api = Api()
    sign_in(api, trusted, user())
    api.post("/v1/password/forgot", {"email": "alice@example.com"})
    body = {"token": token_in(delivered("alice@example.com")[-1]), "new_password": PASSWORD}
    api.post("/v1/password/reset", body)
    session = session_of(sign_in(api, trusted, user()), api)

    assert unlink(session).status == 200


@pytest.mark.parametrize("whose", ["bob", "no one", "no id"])
def test_only_an_own_identity_is_removed(alice: Person, issuer: Issuer, whose: str) -> None:
    bob = sign_up("bob")
    link(bob.api, issuer, user(sub="bob-at-acme", email=bob.email), token=existing_session(bob).access)
    ids = {"bob": str(Identity.objects.get().pk), "no one": "0199f3a2-7c11-7abc-8def-0123456789ab", "no id": "x"}
    session = alice.log_in()

    answer = session.api.delete(f"/v1/identities/{ids[whose]}", token=session.access)

    assert outcome(answer) == (404, "not_found")
    assert Identity.objects.exists()


def test_the_other_identities_stay(alice: Person, issuer: Issuer) -> None:
    session = existing_session(alice)
    for sub in ("first", "second", "third"):
        link(alice.api, issuer, user(sub=sub), token=session.access)
    second = Identity.objects.get(subject="second")

    answer = session.api.delete(f"/v1/identities/{second.pk}", token=session.access)

    assert answer.status == 200
    assert set(Identity.objects.values_list("subject", flat=True)) == {"first", "third"}


def test_a_deleted_account_has_no_identities(issuer: Issuer) -> None:
    session: SignedIn = session_of(sign_in(Api(), issuer, user()), Api())

    deleted = session.api.post("/v1/delete-account", {"current_password": ""}, token=session.access)

    assert deleted.status == 200
    assert not Identity.objects.exists()
    again = sign_in(Api(), issuer, user())
    assert session_of(again, Api()).person.user_id != session.person.user_id
