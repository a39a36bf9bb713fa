"""Full logins at issuers of other authors: oidc-provider, which is certified, and Authlib's authorization server."""

import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import unescape
from urllib.parse import parse_qsl, urljoin, urlsplit

import pytest
import requests

from accounts.models import Account
from sessions_app.models import Identity
from tests.client import Api
from tests.issuers import CLIENT_SECRET, REDIRECT_URI, complete, start
from tests.processes.packages import INSTALL_SECONDS, install, package_directory

from .authlib_issuer import authlib_running

Configure = Callable[..., None]

pytestmark = [pytest.mark.once, pytest.mark.timeout(INSTALL_SECONDS + 60)]

CLIENT_ID = "gatehouse"
PATIENCE = 30


@contextmanager
def oidc_provider_running() -> Iterator[str]:
    """Run oidc-provider and yield its URL. Skip the test when it cannot be installed."""
    missing = [program for program in ("node", "npm") if shutil.which(program) is None]
    if missing:
        pytest.skip(f"not on the PATH: {', '.join(missing)}")
    with package_directory("oidc-provider") as directory:
        if not (directory / "node_modules").exists():
            install(["npm", "ci", "--no-audit", "--no-fund", "--fetch-retries=1"], directory=directory)
        command = ["node", "main.mjs", CLIENT_ID, CLIENT_SECRET, REDIRECT_URI]
        with subprocess.Popen(command, cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            try:
                assert process.stdout is not None
                yield f"http://127.0.0.1:{int(process.stdout.readline())}"
            finally:
                process.terminate()


def browse(url: str, *, login: str) -> dict[str, str]:
    """Follow the issuer's pages as a browser, and submit each form. Return the parameters of the redirect to the application."""
    ends_at = time.monotonic() + PATIENCE
    with requests.Session() as session:
        answer = session.get(url, allow_redirects=False, timeout=PATIENCE)
        while time.monotonic() < ends_at:
            location = urljoin(answer.url, answer.headers.get("Location", ""))
            if location.startswith(REDIRECT_URI):
                return dict(parse_qsl(urlsplit(location).query))
            if answer.is_redirect:
                answer = session.get(location, allow_redirects=False, timeout=PATIENCE)
                continue
            assert answer.status_code == 200, answer.text
            (action,) = re.findall(r'<form[^>]* action="([^"]+)"', answer.text)
            fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]+)"', answer.text))
            form = {**fields, "login": login, "password": "x"}
            answer = session.post(
                urljoin(answer.url, unescape(action)), data=form, allow_redirects=False, timeout=PATIENCE
            )
    raise AssertionError("The issuer did not return to the application.")


def settings_of(url: str) -> dict[str, str]:
    return {
        "OAUTH_ACME_ISSUER": url,
        "OAUTH_ACME_CLIENT_ID": CLIENT_ID,
        "OAUTH_ACME_CLIENT_SECRET": CLIENT_SECRET,
        "OAUTH_REDIRECT_URIS": REDIRECT_URI,
    }


def test_oidc_provider_signs_users_in_and_refuses_a_used_code(api: Api, configure: Configure) -> None:
    with oidc_provider_running() as url:
        configure(**settings_of(url))
        started = start(api)
        returned = browse(started["authorize_url"], login="alice")
        assert returned["iss"] == url

        first = complete(api, started, returned)
        second_flow = start(api)
        state = dict(parse_qsl(urlsplit(second_flow["authorize_url"]).query))["state"]
        replayed = complete(api, second_flow, {**returned, "state": state})
        third_flow = start(api)
        again = complete(api, third_flow, browse(third_flow["authorize_url"], login="alice"))
        fourth_flow = start(api)
        swapped = browse(fourth_flow["authorize_url"], login="bob")
        del swapped["iss"]
        without_iss = complete(api, fourth_flow, swapped)

    assert (first.status, again.status) == (200, 200)
    assert (replayed.status, replayed.code) == (400, "oauth_failed")
    assert (without_iss.status, without_iss.code) == (400, "oauth_failed")
    assert Account.objects.get().email_key == "alice@example.com"
    identity = Identity.objects.get()
    assert (identity.issuer, identity.subject, identity.name) == (url, "alice", "alice at the issuer")


def test_authlib_signs_users_in_and_refuses_a_code_of_another_flow(
    api: Api, configure: Configure, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(os.environ, "AUTHLIB_INSECURE_TRANSPORT", "1")
    with authlib_running() as issuer:
        configure(**settings_of(issuer.url))
        started = start(api)
        first = complete(api, started, browse(started["authorize_url"], login="alice"))
        victim, attacker = start(api), start(api)
        stolen = browse(victim["authorize_url"], login="alice")["code"]
        own = browse(attacker["authorize_url"], login="alice")
        injected = complete(api, attacker, {**own, "code": stolen})

    assert first.status == 200
    assert (injected.status, injected.code) == (400, "oauth_failed")
    assert Identity.objects.get().subject == "alice at authlib"
