"""Django sites in scratch directories, which install the wheel by the steps of docs/embedding.md."""

import base64
import re
import secrets
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import requests

from tools.local_postgres import free_port

from .environments import ROOT, output_of, variables_for_sites

PAGE = ROOT / "docs" / "embedding.md"
PATIENCE = 30
"""The seconds that a server may take to start, and to answer."""

PRODUCTION = """
DEBUG = False
ALLOWED_HOSTS = ["*"]
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A Django project in a directory, and the interpreter that runs it.

    `settings` and `urls` are its modules with INSTALLED_APPS and with the root `urlpatterns`, relative to the directory.
    """

    directory: Path
    python: Path
    settings: str
    urls: str

    @property
    def variables(self) -> dict[str, str]:
        """The variables of the site's processes."""
        key = self.directory / "encryption-key"
        if not key.exists():
            key.write_text(base64.b64encode(secrets.token_bytes(32)).decode())
        # Some pages of Wagtail list the members of a set. The seed gives them the same order in each process.
        return {"ENCRYPTION_KEY": key.read_text(), "PYTHONPATH": str(self.directory), "PYTHONHASHSEED": "0"}

    def append(self, name: str, text: str) -> None:
        """Append the text to the file, which may be new."""
        path = self.directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a") as file:
            file.write(f"\n{text}")

    def manage(self, *arguments: str) -> str:
        """Return the output of the site's `manage.py`. Raises AssertionError when the command fails."""
        return output_of(self.python, "manage.py", *arguments, cwd=self.directory, **self.variables)

    def shell(self, code: str) -> str:
        """Return the output of the code, which runs in the site."""
        return self.manage("shell", "--verbosity=0", "-c", code)

    def install_gatehouse(self, *, routes: str = "## Install") -> None:
        """Follow the section "Install" of docs/embedding.md.

        `routes` is the heading of the section whose last Python block includes the routes.
        """
        # The page closes the sign-up. The tests sign a person up.
        settings = python_blocks("## Install")[0].replace('"SIGNUP": "closed"', '"SIGNUP": "open"')
        self.append(self.settings, continued(settings))
        self.append(self.urls, continued(python_blocks(routes)[-1]))
        self.manage("migrate", "--verbosity=0")

    @contextmanager
    def serving(self, *command: str) -> Iterator[str]:
        """Run a server, and yield its URL without a slash at its end.

        `command` is the arguments of Python, in which `PORT` stands for the port. The default is `runserver`.
        """
        port = free_port()
        log = self.directory / "server.log"
        arguments = command or ("manage.py", "runserver", "--noreload", "127.0.0.1:PORT")
        with log.open("w") as output:
            process = subprocess.Popen(
                [self.python, *(argument.replace("PORT", str(port)) for argument in arguments)],
                cwd=self.directory,
                env=variables_for_sites() | self.variables,
                stdout=output,
                stderr=output,
            )
        try:
            wait_for(port, process, log)
            yield f"http://localhost:{port}"
        finally:
            process.terminate()
            process.wait()


def start_django(python: Path, directory: Path) -> Site:
    """Make a site by `startproject`."""
    output_of(python, "-m", "django", "startproject", "mysite", ".", cwd=directory)
    return Site(directory=directory, python=python, settings="mysite/settings.py", urls="mysite/urls.py")


def sign_in(base: str, *, username: str, password: str) -> requests.Session:
    """Return a browser that signed in at `/admin/login/`, which is Django's own form or Wagtail's."""
    browser, page = requests.Session(), f"{base}/admin/login/"
    token = re.search(r'csrfmiddlewaretoken" value="(\w+)"', browser.get(page, timeout=PATIENCE).text)
    assert token is not None
    form = {"username": username, "password": password, "csrfmiddlewaretoken": token[1], "next": "/admin/"}
    answer = browser.post(page, form, allow_redirects=False, timeout=PATIENCE)
    assert answer.status_code == 302, answer.text
    return browser


def python_blocks(heading: str, *, page: Path = PAGE) -> list[str]:
    """Return the Python blocks below the heading of the page, up to the next heading."""
    section = re.split(r"^##+ ", page.read_text().partition(f"\n{heading}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]
    return re.findall(r"^```python\n(.*?)^```", section, flags=re.MULTILINE | re.DOTALL)


def continued(block: str) -> str:
    """Return the block with the site's own list in place of each `...,` at the beginning of a list."""
    return re.sub(r"^(\w+) = \[\n    \.\.\.,", r"\1 = [\n    *\1,", block, flags=re.MULTILINE)


def wait_for(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    """Return when the process listens on the port. Raises AssertionError with its output when it has ended."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=1):
                return
        except OSError:
            time.sleep(0.05)
    raise AssertionError(log.read_text())


def page_without_tokens(answer: requests.Response) -> tuple[int, str]:
    """Return status and body. CSRF tokens, which differ in each answer, are replaced by a constant."""
    return answer.status_code, re.sub(r"\b[A-Za-z0-9]{64}\b", "CSRF token", answer.text)


def fetch(base: str, paths: list[str]) -> Mapping[str, tuple[int, str]]:
    """Return status and body of each path, without following redirects."""
    return {
        path: page_without_tokens(requests.get(f"{base}{path}", allow_redirects=False, timeout=PATIENCE))
        for path in paths
    }
