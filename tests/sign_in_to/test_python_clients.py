"""Python clients sign in by their guides: Authlib, mozilla-django-oidc and django-allauth."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.browser.service import Service
from tests.hosts.environments import install
from tests.placement import TAKES_LONG
from tests.processes.packages import INSTALL_SECONDS
from tests.processes.running import until

from .flows import agree, application
from .guide import Guide
from .visitor import Visitor

SOURCES = Path(__file__).parent / "python"

pytestmark = [pytest.mark.once, TAKES_LONG, pytest.mark.timeout(INSTALL_SECONDS + 120)]


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment with the clients, in the versions of the file of requirements. May skip."""
    directory = tmp_path_factory.mktemp("clients")
    install((SOURCES / "requirements.txt").read_text().split(), directory=directory)
    return directory / "venv" / "bin" / "python"


@pytest.fixture
def site(python: Path, tmp_path: Path) -> list[str]:
    """A site of Django that can sign in users. Return the command that runs it."""
    for name in ("settings.py", "urls.py", "manage.py"):
        (tmp_path / name).write_text((SOURCES / f"{name}.in").read_text())
    return [str(python), "manage.py", "runserver", "--noreload", "127.0.0.1:{port}"]


def migrate(python: Path, directory: Path) -> None:
    """Make the tables of the site."""
    variables = dict.fromkeys(("ISSUER", "CLIENT_ID", "CLIENT_SECRET"), "x")
    own = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    subprocess.run([python, "manage.py", "migrate", "-v0"], cwd=directory, env={**own, **variables}, check=True)


def test_authlib_signs_in_refreshes_and_is_signed_out(service: Service, python: Path, tmp_path: Path) -> None:
    Guide(name="authlib").write(tmp_path, "python")

    command = [str(python), "-m", "flask", "run", "--port", "{port}"]
    with application("authlib", service=service, command=command, directory=tmp_path) as app:
        app.sign_in_refresh_and_be_signed_out()


def test_mozilla_django_oidc_signs_in_and_follows_a_sign_out(
    service: Service, python: Path, tmp_path: Path, site: list[str]
) -> None:
    Guide(name="mozilla-django-oidc").write(tmp_path, "python")
    with (tmp_path / "settings.py").open("a") as file:
        file.write("OIDC_RENEW_ID_TOKEN_EXPIRY_SECONDS = 1\n")
    migrate(python, tmp_path)

    with application("mozilla-django-oidc", service=service, command=site, directory=tmp_path) as app:
        own = f"{app.origin}/own"
        agree(app.visitor.open(own), app.owner)
        assert app.visitor.text == f"Own page of {app.owner.email}"
        until(lambda: is_renewed(app.visitor, own), what="a renewal without a page")
        assert app.visitor.text == f"Own page of {app.owner.email}"
        service.post("/v1/logout-all", token=app.owner.access)
        until(lambda: "/sign-in" in app.visitor.open(own).url, what="the end of the session")


def is_renewed(visitor: Visitor, url: str) -> bool:
    """Open the page, and return whether the site asked the service again on the way."""
    visitor.open(url)
    return any("/oauth2/authorize" in one and "prompt=none" in one for one in visitor.seen)


def test_django_allauth_signs_in(service: Service, python: Path, tmp_path: Path, site: list[str]) -> None:
    for name in ("settings", "urls"):
        with (tmp_path / f"{name}.py").open("a") as file:
            file.write((SOURCES / f"allauth_{name}.py.in").read_text())
    Guide(name="django-allauth").write(tmp_path, "python")
    migrate(python, tmp_path)

    with application("django-allauth", service=service, command=site, directory=tmp_path) as app:
        agree(app.visitor.open(f"{app.origin}/accounts/oidc/gatehouse/login/"), app.owner)
        assert app.visitor.open(app.origin).text == f"Signed in as {app.owner.email}"
