"""Sites that other tools made, before and after they install the service by docs/embedding.md."""

import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
import requests

from .environments import ROOT, output_of
from .site_client import PASSWORD, SiteClient
from .sites import PATIENCE, PRODUCTION, Site, fetch, page_without_tokens, python_blocks, sign_in, start_django

pytestmark = pytest.mark.timeout(300)

TESTS = """
from django.contrib.auth import get_user_model
from django.test import TestCase


class LoginTests(TestCase):
    def test_a_user_of_the_site_signs_in_and_reads_the_admin(self):
        user = get_user_model().objects.create_superuser("eve", email="eve@example.com", password="a password of eve")
        self.assertTrue(self.client.login(username="eve", password="a password of eve"))
        self.assertEqual(self.client.get("/admin/").status_code, 200)
        user.delete()
"""

ALLAUTH_SETTINGS = """
INSTALLED_APPS += ["allauth", "allauth.account"]
MIDDLEWARE += ["allauth.account.middleware.AccountMiddleware"]
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
"""

ALLAUTH_URLS = """
from django.urls import include

urlpatterns += [path("accounts/", include("allauth.urls"))]
"""

UUID_MODELS = """
import uuid

from django.contrib.auth.models import AbstractUser
from django.db import models


class User(AbstractUser):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
"""

UUID_URLS = """
from django.urls import include

urlpatterns += [path("accounts/", include("django.contrib.auth.urls"))]
"""

OWN_VIEW = """
from rest_framework.permissions import IsAuthenticated
from rest_framework.response import Response
from rest_framework.views import APIView

from gatehouse.apikeys.authentication import ApiKeyAuthentication
from gatehouse.sessions_app.site.authentication import AccessTokenAuthentication


class Owner(APIView):
    authentication_classes = [AccessTokenAuthentication, ApiKeyAuthentication]
    permission_classes = [IsAuthenticated]

    def get(self, request):
        return Response({"data": request.user.username})


urlpatterns.insert(0, path("owner/", Owner.as_view()))
"""

OWN_PAGE = """
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse

urlpatterns.insert(0, path("report/", login_required(lambda request: HttpResponse(request.user.username))))
"""

PAGES = ROOT / "docs" / "pages.md"
BASE_URL = "https://auth.example.com"
"""The origin of the service in docs/embedding.md, which the pages expect in forms."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of site. `pages` are for visitors, and `own_pages` for a superuser.

    `tests` is a module of tests. It is empty if the tool made tests.
    """

    make: Callable[[Path, Path], Site]
    pages: list[str]
    own_pages: list[str]
    tests: str = TESTS
    base_template: bool = False
    """Whether the tool made a `base.html`."""


def start_wagtail(python: Path, directory: Path) -> Site:
    """Make a site by `wagtail start`."""
    output_of(python.with_name("wagtail"), "start", "mysite", ".", cwd=directory)
    site = Site(directory=directory, python=python, settings="mysite/settings/base.py", urls="mysite/urls.py")
    # By default, the addresses of static files have a hash of INSTALLED_APPS.
    site.append("mysite/settings/dev.py", f"{PRODUCTION}WAGTAILADMIN_STATIC_FILE_VERSION_STRINGS = False\n")
    return site


def start_allauth(python: Path, directory: Path) -> Site:
    """Make a site by `startproject` and the quickstart of django-allauth."""
    site = start_django(python, directory)
    site.append(site.settings, ALLAUTH_SETTINGS + PRODUCTION)
    site.append(site.urls, ALLAUTH_URLS)
    return site


def start_with_uuids(python: Path, directory: Path) -> Site:
    """Make a site by `startproject` and `startapp`, whose users have UUIDs as keys."""
    site = start_django(python, directory)
    site.manage("startapp", "people")
    site.append("people/models.py", UUID_MODELS)
    site.append(site.settings, f'INSTALLED_APPS += ["people"]\nAUTH_USER_MODEL = "people.User"\n{PRODUCTION}')
    site.append(site.urls, UUID_URLS)
    site.manage("makemigrations", "people", "--verbosity=0")
    return site


KINDS = {
    "wagtail": Kind(
        make=start_wagtail,
        pages=["/", "/search/?query=welcome", "/admin/login/", "/django-admin/login/", "/no-such-page/", "/no/such"],
        own_pages=["/admin/", "/admin/pages/"],
        tests="",
        base_template=True,
    ),
    "allauth": Kind(
        make=start_allauth,
        pages=["/", "/accounts/login/", "/accounts/signup/", "/accounts/password/reset/", "/admin/login/", "/no/such"],
        own_pages=["/accounts/email/", "/accounts/password/change/"],
    ),
    "uuid": Kind(
        make=start_with_uuids,
        pages=["/", "/accounts/password_reset/", "/admin/login/", "/no/such"],
        own_pages=["/accounts/password_change/"],
    ),
}


CHECKS = """
from django.core.management import call_command

call_command("check", fail_level="WARNING")
call_command("makemigrations", check_changes=True, dry_run=True)
call_command("test", keepdb=True, verbosity=0)
"""
"""One process runs them, because its start takes longer than the first two."""


def visit(base: str, kind: Kind) -> dict[str, tuple[int, str]]:
    """Return the pages for visitors, and those of alice after her login at the site."""
    browser = sign_in(base, username="alice", password=PASSWORD)
    own = {path: page_without_tokens(browser.get(f"{base}{path}", timeout=30)) for path in kind.own_pages}
    assert {status for status, _ in own.values()} == {200}
    return {**fetch(base, kind.pages), **own}


@pytest.mark.parametrize("name", KINDS)
def test_a_foreign_site_goes_on_as_before_and_its_users_log_in(name: str, python: Path, tmp_path: Path) -> None:
    kind = KINDS[name]
    site = kind.make(python, tmp_path)
    site.append("tests.py", kind.tests)
    # The tests start with a copy of the migrated database. Wagtail's migrations take ten seconds.
    site.append(site.settings, 'DATABASES["default"]["TEST"] = {"NAME": BASE_DIR / "test.sqlite3"}')
    site.manage("migrate", "--verbosity=0")
    (database,) = tmp_path.rglob("db.sqlite3")
    shutil.copy(database, database.with_name("test.sqlite3"))
    site.shell(
        "from django.contrib.auth import get_user_model\n"
        f"get_user_model().objects.create_superuser('alice', 'alice@example.com', {PASSWORD!r})"
    )
    site.shell(CHECKS)
    with site.serving() as base:
        before = visit(base, kind)

    site.install_gatehouse()
    # Wagtail has a route for every path, so the include goes before it.
    site.append(site.urls, f"urlpatterns.insert(0, urlpatterns.pop())\n{OWN_VIEW}{OWN_PAGE}")
    site.append(site.settings, python_blocks("### `login_required` and Django's session", page=PAGES)[0])
    if kind.base_template:
        site.append(site.settings, python_blocks("### In the template of your site", page=PAGES)[0])

    site.shell(CHECKS)
    assert site.manage("link_accounts").splitlines()[-1].startswith("1 linked, 0 left out")
    with site.serving() as base:
        assert visit(base, kind) == before
        assert [status for status, _ in fetch(base, ["/mail/password-reset", "/console/"]).values()] == [200, 501]
        use(base)
        sign_in_on_the_pages(base, kind)


def sign_in_on_the_pages(base: str, kind: Kind) -> None:
    """Open a view for signed-in users by the sign-in of the pages. Sign out on the pages, which closes the view."""
    browser, own = requests.Session(), {"Origin": BASE_URL}
    asked = browser.get(f"{base}/report/", allow_redirects=False, timeout=PATIENCE)
    page = browser.get(base + asked.headers["Location"], timeout=PATIENCE)
    assert (page.status_code, "mysite" in page.text) == (200, kind.base_template)

    form = {"email": "alice@example.com", "password": PASSWORD, "next": "/report/"}
    entered = browser.post(f"{base}/sign-in", form, headers=own, allow_redirects=False, timeout=PATIENCE)
    assert entered.status_code == 303, entered.text
    assert browser.get(f"{base}/report/", timeout=PATIENCE).text == "alice"

    # The cookie needs https, which this server does not speak.
    cookie = {"Cookie": "; ".join(f"{each.name}={each.value}" for each in browser.cookies)}
    account = requests.get(f"{base}/account/", headers=cookie, timeout=PATIENCE)
    assert (account.status_code, "alice@example.com" in account.text) == (200, True)
    rooms = set(re.findall(r'<a href="([^"]+)"', account.text.partition("<nav")[2].partition("</nav>")[0]))
    assert {f"/account/{name}" for name in ("password", "passkeys", "two-step", "devices", "activity", "data")} <= rooms
    opened = {room: requests.get(base + room, headers=cookie, timeout=PATIENCE) for room in rooms}
    assert {room: page.status_code for room, page in opened.items()} == dict.fromkeys(rooms, 200)
    assert {"mysite" in page.text for page in opened.values()} == {kind.base_template}
    token = re.search(r'name="csrf_token" value="(\w+)"', account.text)
    assert token is not None
    file = requests.post(
        f"{base}/account/data/download", {"csrf_token": token[1]}, headers=own | cookie, timeout=PATIENCE
    )
    assert (file.status_code, file.json()["email"]) == (200, "alice@example.com")
    left = requests.post(
        f"{base}/sign-out", {"csrf_token": token[1]}, headers=own | cookie, allow_redirects=False, timeout=PATIENCE
    )
    assert left.status_code == 303
    assert browser.get(f"{base}/report/", allow_redirects=False, timeout=PATIENCE).status_code == 302


def use(base: str) -> None:
    """Log alice in with her old password, open a view of the site with her credentials, and sign bob up."""
    caller, own = SiteClient(prefix=f"{base}/v1"), SiteClient(prefix=base)
    assert caller.get("/health").status == 200
    session = caller.log_in("alice@example.com")
    assert session.status == 200
    token = caller.post("/refresh", {"refresh_token": session.data["refresh_token"]}).data["access_token"]
    assert caller.get("/verify", token=token).status == 200
    assert caller.post("/passkeys/register/begin", token=token).status == 200
    key = caller.post("/api-keys", {"name": "ci", "scopes": ["read"]}, token=token).data["key"]
    assert [own.get("/owner/", token=credential).data for credential in (token, key)] == ["alice", "alice"]
    assert own.get("/owner/").status == 401
    assert caller.post("/signup", {"email": "bob@example.com", "password": PASSWORD}).status == 201
    assert caller.log_in("bob@example.com").status == 200
