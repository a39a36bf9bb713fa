"""Sign-ins on devices without a browser (RFC 8628)."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from pytest_django import Settings

from core.clock import now
from oidc.devices.requests import INTERVAL_SECONDS, LIFETIME
from oidc.models import Code, Consent, DeviceRequest, Grant
from oidc.retention import prunable_devices
from tests.applications import Application, Reply, register
from tests.pages import Browser, path_of, signed_in, to_path
from tests.people import Person
from tests.proofs import Prover

PAGE = "authsvc-oidc-device"


@pytest.fixture
def tv() -> Application:
    """A public client on a television."""
    return register(name="Tele & Vision", is_public=True, may_use_devices=True)


def start(app: Application, scope: str = "openid email") -> dict[str, Any]:
    """Start a sign-in on the device."""
    reply = app.post(
        "device_authorization", {"scope": scope}, headers={"User-Agent": "Mozilla/5.0 (X11; Linux) Firefox/140.0"}
    )
    assert reply.status == 200, reply
    return dict(reply.body)


def poll(app: Application, codes: dict[str, Any]) -> Reply:
    """Ask for the tokens."""
    return app.token("urn:ietf:params:oauth:grant-type:device_code", device_code=codes["device_code"])


def answer(browser: Browser, code: str, decision: str = "allow") -> Browser:
    """Type the code and answer the question."""
    return browser.open(PAGE).submit(PAGE, code=code).submit(PAGE, decision=decision)


def test_a_person_permits_a_device_by_its_code(alice: Person, browser: Browser, tv: Application) -> None:
    codes = start(tv)

    assert (codes["expires_in"], codes["interval"]) == (600, 5)
    assert codes["verification_uri"] == "http://localhost:8000/oauth2/device"
    assert set(codes) == {"device_code", "user_code", "verification_uri", "expires_in", "interval"}
    stored = repr(DeviceRequest.objects.values().get())
    assert codes["user_code"] not in stored
    assert codes["device_code"] not in stored
    assert poll(tv, codes).body["error"] == "authorization_pending"
    browser.open(PAGE).submit(PAGE, code=codes["user_code"].lower().replace("-", " "))
    shown = browser.text
    assert all(
        text in shown for text in ("Tele &amp; Vision", "Firefox", "127.0.0.1", alice.email, "your e-mail address")
    )
    assert "Cancel if someone sent you the code" in shown
    assert not Code.objects.exists()
    browser.submit(PAGE, decision="allow")
    assert "The device is connected" in browser.text
    reply = poll(tv, codes)
    assert reply.status == 200
    tv.tokens = reply.body
    assert tv.userinfo().body["sub"] == alice.user_id == tv.id_claims()["sub"]
    assert not Consent.objects.exists()
    # The device is another one than the browser, so its session goes on.
    browser.open("authsvc-sign-out").submit("authsvc-sign-out")
    assert tv.refresh().status == 200


def test_a_device_code_works_once_and_for_its_client(browser: Browser, tv: Application) -> None:
    other, codes = register(name="Other", may_use_devices=True), start(tv)
    assert poll(other, codes).body["error"] == "invalid_grant"
    answer(browser, codes["user_code"])

    stolen = poll(other, codes)
    as_code = tv.redeem(codes["device_code"])
    tv.tokens = poll(tv, codes).body
    again = poll(tv, codes)

    assert stolen.body["error"] == as_code.body["error"] == again.body["error"] == "invalid_grant"
    assert tv.refresh().body["error"] == "invalid_grant"
    assert not Grant.objects.filter(family__revoked_at=None).exists()


def test_a_refused_or_late_device_gets_nothing(browser: Browser, tv: Application) -> None:
    refused, late, unknown = start(tv), start(tv), {"device_code": "odc_" + "A" * 43}

    answer(browser, refused["user_code"], "deny")

    assert "got nothing" in browser.text
    assert poll(tv, refused).body["error"] == "access_denied"
    assert browser.open(PAGE).submit(PAGE, code=refused["user_code"]).status == 400
    assert poll(tv, unknown).body["error"] == poll(tv, {"device_code": "x"}).body["error"] == "invalid_grant"
    assert tv.token("urn:ietf:params:oauth:grant-type:device_code").body["error"] == "invalid_request"
    with time_machine.travel(now() + LIFETIME):
        assert poll(tv, late).body["error"] == "expired_token"
        assert browser.open(PAGE).submit(PAGE, code=late["user_code"]).status == 400
        assert "wrong or has expired" in browser.text
    with time_machine.travel(now() + timedelta(hours=3)):
        assert prunable_devices(now()).count() == 2
    assert not Code.objects.exists()


def test_a_device_that_asks_too_often_waits_longer(tv: Application) -> None:
    codes, moment = start(tv), now()

    with time_machine.travel(moment, tick=False) as clock:
        assert poll(tv, codes).body["error"] == "authorization_pending"
        clock.shift(INTERVAL_SECONDS - 1)
        assert poll(tv, codes).body["error"] == "slow_down"
        clock.shift(INTERVAL_SECONDS + 1)
        assert poll(tv, codes).body["error"] == "slow_down"
        clock.shift(INTERVAL_SECONDS + 10)
        assert poll(tv, codes).body["error"] == "authorization_pending"


def test_nobody_can_send_a_person_a_filled_in_code(alice: Person, tv: Application) -> None:
    codes, browser = start(tv), Browser()

    browser.open(PAGE)
    assert path_of(browser.location) == to_path("authsvc-sign-in")
    person = signed_in(alice)
    person.open(PAGE, user_code=codes["user_code"], code=codes["user_code"])
    assert "value" not in person.form(PAGE).controls["code"] or not person.form(PAGE).fields["code"]
    token = person.form(PAGE).fields
    forged = person.send(
        to_path(PAGE),
        {**token, "code": codes["user_code"], "decision": "allow"},
        headers={"Origin": "https://eve.example"},
    )
    assert forged.status == 403
    without = signed_in(alice).send(to_path(PAGE), {"code": codes["user_code"], "decision": "allow"})
    assert without.status == 403
    assert poll(tv, codes).body["error"] == "authorization_pending"
    assert "frame-ancestors 'none'" in person.page.headers["Content-Security-Policy"]


def test_the_codes_of_people_cannot_be_guessed(browser: Browser, tv: Application, settings: Settings) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "RATE_LIMITS": "device=3/d"}
    codes = start(tv)

    for _ in range(3):
        assert browser.open(PAGE).submit(PAGE, code="BCDF-GHJK").status == 400
    refused = browser.open(PAGE).submit(PAGE, code=codes["user_code"])

    assert refused.status == 429
    assert not Code.objects.exists()


def test_only_a_registered_client_uses_devices(browser: Browser) -> None:
    app = register()

    refused = app.post("device_authorization", {"scope": "openid"})
    wrong = register(may_use_devices=True).post("device_authorization", {"scope": "everything"})
    nobody = app.post("device_authorization", {"scope": "openid", "client_secret": "x"})

    assert (refused.body["error"], wrong.body["error"]) == ("unauthorized_client", "invalid_scope")
    assert (nobody.status, nobody.body["error"]) == (401, "invalid_client")


def test_the_tokens_of_a_device_can_be_bound_to_its_key(browser: Browser, tv: Application) -> None:
    tv.prover = Prover()
    codes = start(tv)
    answer(browser, codes["user_code"])
    tv.tokens = poll(tv, codes).body

    assert tv.tokens["token_type"] == "DPoP"
    tv.prover = Prover()
    assert tv.refresh().body["error"] == "invalid_dpop_proof"
