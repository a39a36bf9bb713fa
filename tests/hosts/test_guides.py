"""Sites that move to the service by a guide. Each test runs its guide from start to end."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import requests

from .guides import AFTER, BEFORE, DURING, Guide
from .site_client import PASSWORD, SiteClient
from .sites import PATIENCE, Site, start_django

pytestmark = pytest.mark.timeout(300)

ALICE = {"username": "alice", "password": PASSWORD}


def start(name: str, python: Path, directory: Path) -> Guide:
    """Make the site as the guide describes it, with the user alice."""
    site: Site = start_django(python, directory)
    guide = Guide(name=name, site=site)
    guide.follow(BEFORE)
    site.manage("migrate", "--verbosity=0")
    site.shell(
        "from django.contrib.auth.models import User\n"
        f"User.objects.create_user('alice', 'alice@example.com', {PASSWORD!r})"
    )
    return guide


def post(base: str, path: str, body: Mapping[str, str]) -> Any:
    answer = requests.post(f"{base}{path}", json=body, timeout=PATIENCE)
    assert answer.status_code == 200, answer.text
    return answer.json()


def me(base: str, authorization: str) -> tuple[int, Any]:
    """Return status and body of the site's own view."""
    answer = requests.get(f"{base}/api/me/", headers={"Authorization": authorization}, timeout=PATIENCE)
    return answer.status_code, answer.json()


def log_in(base: str) -> str:
    """Log alice in at the service, refresh once, and return the header of a call."""
    caller = SiteClient(prefix=f"{base}/v1")
    pair = caller.log_in("alice@example.com").data
    renewed = caller.post("/refresh", {"refresh_token": pair["refresh_token"]}).data
    return f"Bearer {renewed['access_token']}"


def test_a_site_moves_from_simplejwt(python: Path, tmp_path: Path) -> None:
    guide = start("move-from-simplejwt.md", python, tmp_path)
    with guide.site.serving() as base:
        old = post(base, "/api/token/", ALICE)
        assert me(base, f"Bearer {old['access']}") == (200, {"username": "alice"})

    assert guide.install().splitlines()[-1].startswith("1 linked, 0 left out")
    guide.follow(DURING)

    with guide.site.serving() as base:
        renewed = post(base, "/api/token/refresh/", {"refresh": old["refresh"]})
        accepted = [f"Bearer {old['access']}", f"Bearer {renewed['access']}", log_in(base)]
        assert [me(base, header) for header in accepted] == [(200, {"username": "alice"})] * 3
        assert [me(base, header)[0] for header in ("Bearer a.b.c", f"{accepted[0]}x", "")] == [401] * 3

    guide.follow(AFTER)

    with guide.site.serving() as base:
        assert me(base, log_in(base)) == (200, {"username": "alice"})
        assert me(base, f"Bearer {old['access']}")[0] == 401
    guide.check_length()


def test_a_site_moves_from_dj_rest_auth(python: Path, tmp_path: Path) -> None:
    guide = start("move-from-dj-rest-auth.md", python, tmp_path)
    with guide.site.serving() as base:
        key = f"Token {post(base, '/api/auth/login/', ALICE)['key']}"
        assert me(base, key) == (200, {"username": "alice"})

    assert guide.install().splitlines()[-1].startswith("1 linked, 0 left out")
    guide.follow(DURING)

    with guide.site.serving() as base:
        assert [me(base, header) for header in (key, log_in(base))] == [(200, {"username": "alice"})] * 2
        assert [me(base, header)[0] for header in ("Bearer a.b.c", f"{key}x", "")] == [401] * 3
        assert f"Token {post(base, '/api/auth/login/', ALICE)['key']}" == key

    guide.site.manage("migrate", "authtoken", "zero")
    guide.follow(AFTER)

    with guide.site.serving() as base:
        assert me(base, log_in(base)) == (200, {"username": "alice"})
        assert me(base, key)[0] == 401
    guide.check_length()
