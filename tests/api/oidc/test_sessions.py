"""The sessions of applications among the sessions of an account, and no key to the account."""

from dataclasses import replace
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from pytest_django import Settings

from oidc.models import Consent, Grant
from sessions_app.models import Family
from tests.applications import Application, register
from tests.contract.mounted import mounted_operations
from tests.pages import Browser, signed_in
from tests.people import Person


def is_live(app: Application) -> bool:
    """Return whether the session of the application is live."""
    return app.userinfo().status == 200 and app.refresh().status == 200


def test_the_list_of_sessions_names_the_application(alice: Person, browser: Browser) -> None:
    app = register(name="Grafana").sign_in(browser)
    own = alice.log_in()

    sessions = alice.api.get("/v1/sessions", token=own.access).data

    assert sorted(one["label"] for one in sessions if one["label"] == "Grafana") == ["Grafana"]
    assert len(sessions) == 3
    assert is_live(app)


def test_the_owner_who_ends_the_session_of_an_application_withdraws_its_access(alice: Person, browser: Browser) -> None:
    app, other = (register(name=name, is_first_party=False) for name in ("Grafana", "Other"))
    first, code = replace(app.sign_in(browser)), app.code(browser)
    app.sign_in(signed_in(alice), scope="openid offline_access")
    other.sign_in(browser)
    own = alice.log_in()
    [session, *_] = [one for one in alice.api.get("/v1/sessions", token=own.access).data if one["label"] == "Grafana"]

    assert alice.api.delete(f"/v1/sessions/{session['id']}", token=own.access).status == 200

    assert [is_live(one) for one in (first, app, other)] == [False, False, True]
    assert app.redeem(code).body["error"] == "invalid_grant"
    assert app.authorize(browser).shows_form("authsvc-oidc-consent")
    assert [str(one.client_id) for one in Consent.objects.all()] == [other.client_id]


def test_no_route_of_the_api_takes_the_tokens_of_an_application(browser: Browser, alice: Person) -> None:
    app = register().sign_in(browser, scope="openid email profile offline_access")
    before = Family.objects.filter(revoked_at=None).count()
    answers = {}

    for name in sorted(name for name in mounted_operations() if " /v1/" in name):
        method, path = name.split()
        for kind in ("access_token", "id_token", "refresh_token"):
            address = path.replace("{", "").replace("}", "")
            raw: Any = alice.api.client.generic(
                method, address, b"{}", content_type="application/json",
                headers={"Authorization": f"Bearer {app.tokens[kind]}"}, REMOTE_ADDR="198.51.100.7",
            )  # fmt: skip
            answers[f"{name} {kind}"] = raw

    takes_bearer = [name for name, answer in answers.items() if answer.status_code == 401]
    accepted = {name: one.status_code for name, one in answers.items() if one.status_code < 400}
    public = {name.rsplit(" ", 1)[0] for name in accepted}
    assert len(takes_bearer) > 60
    for name in public:
        method, path = name.split()
        without: Any = alice.api.client.generic(method, path, b"{}", content_type="application/json")
        assert without.status_code < 400, name
    assert Family.objects.filter(revoked_at=None).count() == before
    assert is_live(app)


def test_the_end_of_the_browsers_session_ends_its_applications(alice: Person, browser: Browser) -> None:
    bound, offline = register().sign_in(browser), register().sign_in(browser, scope="openid offline_access")
    elsewhere = register().sign_in(signed_in(alice))

    browser.open("authsvc-sign-out").submit("authsvc-sign-out")

    assert [is_live(app) for app in (bound, offline, elsewhere)] == [False, True, True]


def test_signing_out_everywhere_ends_all_applications(alice: Person, browser: Browser) -> None:
    apps = [register().sign_in(browser, scope=scope) for scope in ("openid", "openid offline_access")]

    assert alice.api.post("/v1/logout-all", token=alice.log_in().access).status == 200

    assert [is_live(app) for app in apps] == [False, False]


def test_a_session_of_an_application_ends_with_the_lifetime_of_the_browsers_session(browser: Browser) -> None:
    register().sign_in(browser)
    register().sign_in(browser, scope="openid offline_access")

    bound, offline = Grant.objects.select_related("family").order_by("is_offline")

    ends_at = Family.objects.get(pk=bound.browser_id).absolute_expires_at
    assert bound.family.absolute_expires_at == ends_at < offline.family.absolute_expires_at


def test_applications_do_not_count_as_sessions_of_the_account(
    alice: Person, browser: Browser, settings: Settings
) -> None:
    apps = [register().sign_in(browser) for _ in range(3)]
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "MAX_SESSIONS": "2"}

    alice.log_in()
    assert [is_live(app) for app in apps] == [True] * 3
    alice.log_in()

    assert not browser.is_signed_in()
    assert [is_live(app) for app in apps] == [False] * 3


@pytest.mark.parametrize("act", ["delete", "deactivate"])
def test_an_account_that_ends_takes_its_applications_along(alice: Person, browser: Browser, act: str) -> None:
    app = register(is_first_party=False).sign_in(browser, scope="openid offline_access")

    if act == "delete":
        body = {"current_password": alice.password}
        assert alice.api.post("/v1/delete-account", body, token=alice.log_in().access).status == 200
    else:
        call_command("users", "deactivate", alice.email, stdout=StringIO(), stderr=StringIO())

    assert not is_live(app)
    assert Grant.objects.exists() == Consent.objects.exists() == (act == "deactivate")
