"""Sites with sessions of Django or of allauth that move to the service. Each test runs its guide from start to end."""

from pathlib import Path
from typing import Any

import pytest
import requests

from .guides import AFTER, BEFORE, DURING, Guide
from .site_client import PASSWORD, SiteClient
from .sites import PATIENCE, python_blocks, start_django

pytestmark = pytest.mark.timeout(300)

ALICE = "User.objects.create_user('alice', 'alice@example.com', {password!r})"
VERIFIED = """
from allauth.account.models import EmailAddress

EmailAddress.objects.create(user=User.objects.get(), email="alice@example.com", verified=True, primary=True)
"""


def start(name: str, python: Path, directory: Path, *, more: str = "") -> Guide:
    """Make the site as the guide describes it, with the user alice."""
    site = start_django(python, directory)
    guide = Guide(name=name, site=site)
    guide.follow(BEFORE)
    site.manage("migrate", "--verbosity=0")
    site.shell(f"from django.contrib.auth.models import User\n{ALICE.format(password=PASSWORD)}\n{more}")
    return guide


def me(base: str, browser: requests.Session | None = None, **headers: str) -> tuple[int, Any]:
    """Return status and body of the site's own view."""
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    answer = (browser or requests.Session()).get(f"{base}/api/me/", headers=names, timeout=PATIENCE)
    return answer.status_code, answer.json()


def send_form(base: str, path: str, browser: requests.Session, **fields: str) -> requests.Response:
    """Send a form with the CSRF token of the browser, from the login page if the browser has none."""
    if "csrftoken" not in browser.cookies:
        browser.get(f"{base}/accounts/login/", timeout=PATIENCE)
    form = {**fields, "csrfmiddlewaretoken": str(browser.cookies["csrftoken"])}
    return browser.post(f"{base}{path}", form, allow_redirects=False, timeout=PATIENCE)


def sign_in(base: str) -> requests.Session:
    """Return a browser in which alice has signed in by the site's own login page."""
    browser = requests.Session()
    form = {"username": "alice", "password": PASSWORD, "next": "/api/me/"}
    assert send_form(base, "/accounts/login/", browser, **form).status_code == 302
    return browser


def bearer(pair: Any) -> str:
    return f"Bearer {pair['access_token']}"


def refresh(base: str, pair: Any) -> int:
    return SiteClient(prefix=f"{base}/v1").post("/refresh", {"refresh_token": pair["refresh_token"]}).status


ALICE_ANSWERED = (200, {"username": "alice"})


def test_a_site_moves_from_sessions_of_django(python: Path, tmp_path: Path) -> None:
    guide = start("move-from-django-sessions.md", python, tmp_path)
    with guide.site.serving() as base:
        old = sign_in(base)
        assert me(base, old) == ALICE_ANSWERED

    assert guide.install().splitlines()[-1].startswith("1 linked, 0 left out")
    guide.follow(DURING)

    with guide.site.serving() as base:
        caller = SiteClient(prefix=f"{base}/v1")
        new = caller.log_in("alice@example.com").data
        assert [me(base, old), me(base, Authorization=bearer(new))] == [ALICE_ANSWERED] * 2
        assert [me(base)[0], me(base, Authorization="Bearer a.b.c")[0]] == [401, 401]

        # The cookie gives tokens, and the two sessions end together.
        traded = send_form(base, "/api/tokens/", old).json()["data"]
        assert me(base, Authorization=bearer(traded)) == ALICE_ANSWERED
        assert send_form(base, "/accounts/logout/", old).status_code == 302
        assert [refresh(base, traded), refresh(base, new)] == [401, 200]
        other = sign_in(base)
        traded = send_form(base, "/api/tokens/", other).json()["data"]
        caller.post("/logout-all", token=traded["access_token"])
        assert me(base, other)[0] == 401

    guide.follow(AFTER)

    with guide.site.serving() as base:
        browser = sign_in(base)
        assert me(base, browser)[0] == 401
        assert (
            me(base, Authorization=bearer(SiteClient(prefix=f"{base}/v1").log_in("alice@example.com").data))
            == ALICE_ANSWERED
        )
    guide.check_length()


def test_a_site_moves_from_allauth(python: Path, tmp_path: Path) -> None:
    guide = start("move-from-allauth.md", python, tmp_path, more=VERIFIED)

    def old_token(base: str) -> str:
        body = {"email": "alice@example.com", "password": PASSWORD}
        answer = requests.post(f"{base}/_allauth/app/v1/auth/login", json=body, timeout=PATIENCE)
        assert answer.status_code == 200, answer.text
        return str(answer.json()["meta"]["session_token"])

    with guide.site.serving() as base:
        old = old_token(base)
        assert me(base, X_Session_Token=old) == ALICE_ANSWERED

    assert guide.install().splitlines()[-1].startswith("1 linked, 0 left out")
    (proven,) = python_blocks("## 1. Install Gatehouse", page=guide.page)
    assert guide.site.shell(proven) == "1 addresses are proven now\n"
    guide.follow(DURING)

    with guide.site.serving() as base:
        caller = SiteClient(prefix=f"{base}/v1")
        pair = caller.log_in("alice@example.com").data
        accepted = [
            me(base, X_Session_Token=old),
            me(base, X_Session_Token=old_token(base)),
            me(base, Authorization=bearer(pair)),
        ]
        assert accepted == [ALICE_ANSWERED] * 3
        assert [me(base)[0], me(base, X_Session_Token="x")[0], me(base, Authorization="Bearer a.b.c")[0]] == [401] * 3
        # A new password ends the sessions of both.
        passwords = {"current_password": PASSWORD, "new_password": "another horse battery"}
        assert caller.call("POST", "/change-password", passwords, token=pair["access_token"]).status == 200
        assert [me(base, X_Session_Token=old)[0], refresh(base, pair)] == [401, 401]

    guide.follow(AFTER)

    with guide.site.serving() as base:
        pair = SiteClient(prefix=f"{base}/v1").log_in("alice@example.com", "another horse battery").data
        assert me(base, Authorization=bearer(pair)) == ALICE_ANSWERED
        assert me(base, X_Session_Token=old)[0] == 401
    guide.check_length()
