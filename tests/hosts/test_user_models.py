"""Sites with unusual users, settings and servers. Each route that needs a user works in each of them."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import psycopg
import pyotp
import pytest

from .site_client import PASSWORD, SiteClient
from .sites import sign_in, start_django

pytestmark = pytest.mark.timeout(300)

UUID_AND_ADDRESS = """
import uuid

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models


class Person(PermissionsMixin, AbstractBaseUser):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    email = models.EmailField(unique=True)
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField(default=False)

    objects = BaseUserManager()

    USERNAME_FIELD = "email"
"""

HANDLE_WITHOUT_PERMISSIONS = """
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import models


class Person(AbstractBaseUser):
    handle = models.CharField(max_length=60, unique=True)
    contact = models.EmailField(null=True)
    closed = models.BooleanField(default=False)
    is_staff = models.BooleanField(default=False)

    objects = BaseUserManager()

    USERNAME_FIELD = "handle"
    EMAIL_FIELD = "contact"

    @property
    def is_active(self):
        return not self.closed

    def has_perm(self, permission, obj=None):
        return self.is_staff

    def has_module_perms(self, label):
        return self.is_staff
"""

TWO_TABLES = """
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models


class Party(PermissionsMixin, AbstractBaseUser):
    handle = models.CharField(max_length=20, unique=True)
    email = models.EmailField(unique=True)
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField(default=False)

    objects = BaseUserManager()

    USERNAME_FIELD = "handle"


class Person(Party):
    nickname = models.CharField(max_length=40, default="none")


class Order(models.Model):
    person = models.ForeignKey(Person, on_delete=models.PROTECT)
"""

MIDDLEWARE = """
from django.utils.decorators import async_only_middleware


@async_only_middleware
def stamp(get_response):
    async def middleware(request):
        response = await get_response(request)
        response["X-Site"] = "stamped"
        return response

    return middleware
"""

ROUTER = """
class Router:
    def db_for_read(self, model, **hints):
        return "legacy" if model._meta.app_label == "legacy" else None

    db_for_write = db_for_read

    def allow_migrate(self, db, app_label, **hints):
        return (db == "legacy") == (app_label == "legacy")
"""

REST = """
DATABASES["default"]["ATOMIC_REQUESTS"] = True
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["rest_framework.authentication.SessionAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAdminUser"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.FormParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.BrowsableAPIRenderer"],
    "DEFAULT_THROTTLE_CLASSES": ["rest_framework.throttling.AnonRateThrottle"],
    "DEFAULT_THROTTLE_RATES": {"anon": "1/day"},
}
"""

ROUTED = """
DATABASES["legacy"] = {"ENGINE": "django.db.backends.sqlite3", "NAME": BASE_DIR / "legacy.sqlite3"}
DATABASE_ROUTERS = ["people.routing.Router"]
"""

STAMPED = """
MIDDLEWARE = ["people.middleware.stamp", *MIDDLEWARE]
"""

MAKE = """
from django.contrib.auth import get_user_model

Person = get_user_model()


def make(name, email, **fields):
    person = Person(**{Person.USERNAME_FIELD: name, Person.get_email_field_name(): email})
    for field, value in fields.items():
        setattr(person, field, value)
    person.set_password(PASSWORD)
    person.save()


make("alice", "alice@example.com", is_staff=True, is_superuser=True)
make("eve", "eve@example.com", **INACTIVE)
make("carol", "carol@example.com")
for number, address in enumerate(UNLINKED):
    make(f"user{number}", address)
"""

TESTS = """
from django.test import TestCase

from people.models import Order, Person

BODY = {"email": "bob@example.com", "password": "correct horse battery"}


class DeletionTests(TestCase):
    def call(self, path, body, token=""):
        headers = {"Authorization": f"Bearer {token}"}
        return self.client.post(f"/v1/{path}", body, content_type="application/json", headers=headers)

    def test_a_user_with_orders_is_not_deleted(self):
        self.assertEqual(self.call("signup", BODY).status_code, 201)
        Order.objects.create(person=Person.objects.get())
        token = self.call("login", BODY).json()["data"]["access_token"]

        refusal = self.call("delete-account", {"current_password": BODY["password"]}, token)
        self.assertEqual((refusal.status_code, refusal.json()["error"]["code"]), (409, "account_in_use"))

        Order.objects.all().delete()
        answer = self.call("delete-account", {"current_password": BODY["password"]}, token)
        self.assertEqual(answer.status_code, 200)
        self.assertFalse(Person.objects.exists())
"""

ASGI = ("-m", "granian", "--interface", "asgi", "--port", "PORT", "mysite.asgi:application")


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """A kind of site. `inactive` makes a user inactive, and users with the addresses `unlinked` get no account."""

    models: str
    settings: str
    username: str = "alice"
    inactive: str = "dict(is_active=False)"
    unlinked: tuple[str | None, ...] = ()
    files: tuple[tuple[str, str], ...] = ()
    server: tuple[str, ...] = ()
    routes: str = "## Install"
    prefix: str = "/v1"
    on_postgresql: bool = False


VARIANTS = {
    "UUIDs and addresses, on ASGI below another path": Variant(
        models=UUID_AND_ADDRESS,
        settings=STAMPED,
        username="alice@example.com",
        files=(("people/middleware.py", MIDDLEWARE),),
        server=ASGI,
        routes="### Paths",
        prefix="/auth/v1",
    ),
    "handles without permissions, with defaults for DRF": Variant(
        models=HANDLE_WITHOUT_PERMISSIONS,
        settings=REST,
        inactive="dict(closed=True)",
        unlinked=("shared@example.com", "Shared@example.com", "", None),
    ),
    "users in two tables, beside a database router": Variant(
        models=TWO_TABLES,
        settings=ROUTED,
        files=(("people/routing.py", ROUTER), ("people/tests.py", TESTS)),
        on_postgresql=True,
    ),
}


@contextmanager
def database(variant: Variant) -> Iterator[str]:
    """Yield the settings of the variant's database."""
    server = os.environ.get("TEST_POSTGRES_URL")
    if server is None or not variant.on_postgresql:
        yield ""
        return
    name, found = f"hosts_{secrets.token_hex(4)}", urlsplit(server)
    with psycopg.connect(server, autocommit=True) as session:
        session.execute(f'CREATE DATABASE "{name}"')
    fields = {
        "USER": found.username,
        "PASSWORD": found.password,
        "HOST": found.hostname,
        "PORT": found.port,
        "NAME": name,
    }
    yield f'DATABASES["default"] = {{"ENGINE": "django.db.backends.postgresql", **{fields!r}}}\n'
    with psycopg.connect(server, autocommit=True) as session:
        session.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@pytest.mark.parametrize("name", VARIANTS)
def test_the_routes_work_with_the_users_and_settings_of_the_site(name: str, python: Path, tmp_path: Path) -> None:
    variant = VARIANTS[name]
    site = start_django(python, tmp_path)
    site.manage("startapp", "people")
    for file, text in (("people/models.py", variant.models), *variant.files):
        site.append(file, text)
    with database(variant) as settings:
        own = 'INSTALLED_APPS += ["people"]\nAUTH_USER_MODEL = "people.Person"\n'
        site.append(site.settings, f"{own}{settings}{variant.settings}")
        site.manage("makemigrations", "people", "--verbosity=0")
        site.install_gatehouse(routes=variant.routes)
        site.manage("check", "--fail-level=WARNING")
        values = f"PASSWORD = {PASSWORD!r}\nINACTIVE = {variant.inactive}\nUNLINKED = {variant.unlinked!r}\n"
        site.shell(values + MAKE)

        with site.serving(*variant.server) as base:
            use(SiteClient(prefix=f"{base}{variant.prefix}"))
            browser = sign_in(base, username=variant.username, password=PASSWORD)
            listed = browser.get(f"{base}/admin/authsvc_accounts/account/", timeout=30).text
        linked = site.manage("link_accounts").splitlines()[-1]
        site.manage("test", "--verbosity=0")

    assert "alice@example.com" in listed
    assert linked.startswith(f"1 linked, {len(variant.unlinked)} left out")


def use(caller: SiteClient) -> None:
    """Call the routes that need a user. Alice logs in, eve is inactive and cannot, and bob signs up."""
    assert caller.log_in("ALICE@example.com").status == 200
    assert caller.log_in("eve@example.com").data["code"] == "invalid_credentials"
    assert caller.log_in("shared@example.com").data["code"] == "invalid_credentials"

    assert caller.post("/signup", {"email": "bob@example.com", "password": PASSWORD}).status == 201
    first = caller.log_in("bob@example.com").data
    token = caller.post("/refresh", {"refresh_token": first["refresh_token"]}).data["access_token"]
    assert caller.get("/verify", token=token).status == 200
    assert len(caller.get("/sessions", token=token).data) == 1
    (secret,) = parse_qs(urlsplit(caller.post("/totp/enroll", token=token).data["otpauth_url"]).query)["secret"]
    assert caller.post("/totp/confirm", {"code": pyotp.TOTP(secret).now()}, token=token).status == 200
    assert caller.log_in("bob@example.com").data["methods"] == ["totp"]
    assert caller.post("/totp/disable", {"password": PASSWORD}, token=token).status == 200
    change = {"current_password": PASSWORD, "new_password": "another horse battery"}
    assert caller.post("/change-password", change, token=token).status == 200
    last = caller.log_in("bob@example.com", "another horse battery").data["access_token"]
    assert caller.post("/delete-account", {"current_password": "another horse battery"}, token=last).status == 200
    assert caller.log_in("bob@example.com", "another horse battery").data["code"] == "invalid_credentials"
