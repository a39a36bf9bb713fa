"""Concurrent calls of applications that sign people in by OpenID."""

from collections import Counter
from functools import partial

import pytest

from oidc.models import Consent, Grant
from sessions_app.models import Family
from tests.applications import answer_in, register
from tests.pages import signed_in
from tests.people import existing
from tests.proofs import Prover

from .crowd import Crowd
from .pair import Pair

pytestmark = pytest.mark.django_db(transaction=True)

CALLERS = 4
ROUNDS = 5


def test_of_many_redemptions_of_one_code_one_succeeds_and_the_others_end_its_session() -> None:
    alice, app = existing("alice"), register()
    browser = signed_in(alice)
    with Crowd(CALLERS) as crowd:
        for number in range(ROUNDS):
            code = app.code(browser)

            replies = crowd.at_once(*[partial(one.redeem, code) for one in app.copies(CALLERS)])

            assert Counter(reply.body.get("error", "ok") for reply in replies) == {
                "ok": 1,
                "invalid_grant": CALLERS - 1,
            }
            assert Grant.objects.count() == number + 1
            assert not Grant.objects.filter(family__revoked_at=None).exists()
    assert browser.is_signed_in()


def test_of_many_uses_of_one_pushed_request_one_gets_a_code() -> None:
    alice, app = existing("alice"), register()
    with Crowd(CALLERS) as crowd:
        for _ in range(ROUNDS):
            uri = app.push().body["request_uri"]
            browsers = [signed_in(alice) for _ in range(CALLERS)]

            crowd.at_once(*[partial(app.visit, browser, uri) for browser in browsers])

            answers = [answer_in(browser) if browser.status == 302 else {} for browser in browsers]
            assert sum("code" in answer for answer in answers) == 1


def test_of_many_polls_of_one_device_one_succeeds_and_the_others_end_its_session() -> None:
    app = register(is_public=True, may_use_devices=True)
    browser = signed_in(existing("alice"))
    with Crowd(CALLERS) as crowd:
        for _ in range(ROUNDS):
            codes = app.post("device_authorization", {"scope": "openid"}).body
            browser.open("authsvc-oidc-device").submit("authsvc-oidc-device", code=codes["user_code"])
            browser.submit("authsvc-oidc-device", decision="allow")
            grant = "urn:ietf:params:oauth:grant-type:device_code"

            replies = crowd.at_once(
                *[partial(one.token, grant, device_code=codes["device_code"]) for one in app.copies(CALLERS)]
            )

            assert Counter(reply.status for reply in replies) == {200: 1, 400: CALLERS - 1}
            assert not Grant.objects.filter(family__revoked_at=None).exists()


def test_of_many_requests_with_one_proof_one_succeeds() -> None:
    app = register(is_public=True, redirect_uri="https://spa.example.com/")
    app.prover = Prover()
    app.sign_in(signed_in(existing("alice")))
    access = app.tokens["access_token"]
    with Crowd(CALLERS) as crowd:
        for _ in range(ROUNDS):
            headers = app.prover.headers("GET", "/oauth2/userinfo", access=access)

            replies = crowd.at_once(
                *[partial(one.call, "GET", "userinfo", headers=headers) for one in app.copies(CALLERS)]
            )

            assert Counter(reply.status for reply in replies) == {200: 1, 401: CALLERS - 1}


def test_a_withdrawn_consent_leaves_no_session_of_a_code_that_is_redeemed_meanwhile() -> None:
    alice, app = existing("alice"), register(is_first_party=False)
    browser = signed_in(alice)
    with Pair() as pair:
        for _ in pair.rounds():
            app.sign_in(browser)
            own = alice.log_in()
            listed = alice.api.get("/v1/sessions", token=own.access).data
            [session] = [one for one in listed if one["label"] == "Grafana"]
            code = app.code(browser)

            reply, ended = pair.at_once(
                partial(app.redeem, code),
                partial(alice.api.delete, f"/v1/sessions/{session['id']}", token=own.access),
            )

            assert ended.status == 200
            assert reply.body.get("error", "ok") in ("ok", "invalid_grant")
            assert not Consent.objects.exists()
            assert not Grant.objects.filter(family__revoked_at=None).exists()


def test_no_session_of_an_application_outlives_a_sign_out_that_comes_meanwhile() -> None:
    alice, app = existing("alice"), register()
    with Pair() as pair:
        for _ in pair.rounds():
            browser = signed_in(alice)
            code = app.code(browser)
            browser.open("authsvc-sign-out")

            pair.at_once(partial(app.redeem, code), partial(browser.submit, "authsvc-sign-out"))

            assert not Family.objects.filter(revoked_at=None).exists()


def test_of_many_refreshes_with_one_token_one_succeeds_and_the_session_ends() -> None:
    app = register().sign_in(signed_in(existing("alice")))
    with Crowd(CALLERS) as crowd:
        replies = crowd.at_once(*[one.refresh for one in app.copies(CALLERS)])

    assert Counter(reply.status for reply in replies) == {200: 1, 400: CALLERS - 1}
    assert not Grant.objects.filter(family__revoked_at=None).exists()


def test_the_end_of_an_access_leaves_no_session_of_a_code_that_is_redeemed_meanwhile() -> None:
    alice, app = existing("alice"), register(is_first_party=False)
    browser = signed_in(alice)
    with Pair() as pair:
        for _ in pair.rounds():
            app.sign_in(browser)
            own, code = alice.log_in(), app.code(browser)

            reply, ended = pair.at_once(
                partial(app.redeem, code),
                partial(alice.api.delete, f"/v1/applications/{app.client_id}", token=own.access),
            )

            assert ended.status == 200
            assert reply.body.get("error", "invalid_grant") == "invalid_grant"
            assert not Grant.objects.filter(family__revoked_at=None).exists()
            assert not Consent.objects.exists()
