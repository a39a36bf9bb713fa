"""A Django site whose own packages have the names of the service's apps. The site uses the wheel."""

SETTINGS = """
SECRET_KEY = "only-for-tests"
ALLOWED_HOSTS = ["testserver"]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "site.sqlite3"}}
INSTALLED_APPS = ["django.contrib.auth", "django.contrib.contenttypes", "accounts", "console", "mfa"]
INSTALLED_APPS += [*APPS, "rest_framework", "drf_spectacular"]
ROOT_URLCONF = "urls"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
TEMPLATES = [{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}]
SILENCED_SYSTEM_CHECKS = ["drf_spectacular.W001", "drf_spectacular.W002"]
AUTH_SERVICE = {
    "BASE_URL": "http://testserver",
    "ENCRYPTION_KEY": "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
    "SIGNING_KEYS_FILE": "signing-keys.json",
    "SIGNUP": "open",
    "EMAIL_URL": "console://",
    "ARGON2_MEMORY_KIB": "8",
    "ARGON2_TIME": "1",
}
if "gatehouse.pages" not in APPS:
    # The links in mails then lead to pages of the site's own application.
    LINKS = ["MAGIC_LINK_URL", "EMAIL_CHANGE_URL", "EMAIL_UNDO_URL", "EMAIL_VERIFY_URL", "PASSWORD_RESET_URL", "INVITATION_URL"]
    AUTH_SERVICE |= {name: f"https://app.example.com/{name.lower()}" for name in LINKS}
"""

MODELS = """
from django.conf import settings
from django.db import models


class Profile(models.Model):
    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
"""

VIEWS = """
from django.http import HttpResponse


def home(request):
    return HttpResponse("the site's own console")
"""

COMMAND = """
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    def handle(self, **options):
        self.stdout.write("the site's own worker")
"""

URLS = """
from console.views import home
from django.urls import include, path

urlpatterns = [path("console/", home), path("", include("gatehouse.urls"))]
"""

USE = """
import json
from importlib import import_module
from pkgutil import walk_packages

import django
from django.conf import settings
from django.core.management import call_command

django.setup()
if "gatehouse.console" in settings.INSTALLED_APPS:
    import gatehouse

    for module in walk_packages(gatehouse.__path__, "gatehouse."):
        # The site installs neither django.contrib.admin nor django-ninja.
        if not module.name.endswith((".admin", ".ninja")):
            import_module(module.name)
    from gatehouse.core.errors import ServiceError
    from gatehouse.accounts.core import errors

    assert errors.ServiceError is ServiceError, "the earlier name of a public module"
call_command("migrate", verbosity=0, run_syncdb=True)
call_command("check", fail_level="WARNING")
call_command("makemigrations", check_changes=True, dry_run=True)
call_command("worker")
call_command("gatehouse_prune", dry_run=True)

from django.contrib.auth.models import User
from django.test import Client

from accounts.models import Profile

client = Client()


def call(method, path, body=None, token=""):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    text = json.dumps(body) if body else ""
    answer = client.generic(method, path, text, "application/json", headers=headers)
    print(answer.status_code, method, path)
    return answer


alice = {"email": "alice@example.com", "password": "correct horse battery"}
call("POST", "/v1/signup", alice)
Profile.objects.create(user=User.objects.get())
token = call("POST", "/v1/login", alice).json()["data"]["access_token"]
call("GET", "/v1/verify", token=token)
call("POST", "/v1/totp/enroll", token=token)
call("POST", "/v1/api-keys", {"name": "ci", "scopes": ["read"]}, token)
call("GET", "/v1/admin/overview", token=token)
call("GET", "/v1/openapi.json")
call("GET", "/.well-known/jwks.json")
call("GET", "/mail/password-reset")
print(client.get("/console/").content.decode())
"""

FILES = {
    "accounts/__init__.py": "",
    "accounts/models.py": MODELS,
    "console/__init__.py": "",
    "console/views.py": VIEWS,
    "mfa/__init__.py": "",
    "mfa/management/__init__.py": "",
    "mfa/management/commands/__init__.py": "",
    "mfa/management/commands/worker.py": COMMAND,
    "urls.py": URLS,
    "use.py": USE,
}
