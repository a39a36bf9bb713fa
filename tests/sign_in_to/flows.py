"""The steps that every guide shares: the registration, the consent, and the end of an access by the account owner."""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import requests

from tests.browser.service import Service
from tests.browser.service import Visitor as Owner
from tests.client import PASSWORD
from tests.processes.packages import install
from tests.processes.running import PATIENCE, until
from tools.local_postgres import free_port

from .guide import Guide, Registered, running
from .visitor import Visitor

FORGED = "eyJhbGciOiJub25lIn0.e30."


def need(*programs: str) -> None:
    """Skip the test when a program is not installed, and name it."""
    missing = [program for program in programs if shutil.which(program) is None]
    if missing:
        pytest.skip(f"not on the PATH: {', '.join(missing)}")


def node_packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a directory with the packages for Node.js, in the versions of the lock file. May skip."""
    need("node", "npm")
    directory: Path = tmp_path_factory.mktemp("node")
    for name in ("package.json", "package-lock.json"):
        shutil.copy(Path(__file__).parent / "node" / name, directory)
    install(["npm", "ci", "--no-audit", "--no-fund", "--fetch-retries=1"], directory=directory)
    return directory


def variables_of(client: Registered, service: Service) -> dict[str, str]:
    """Return the variables that the guides name."""
    return {
        "ISSUER": service.url,
        "CLIENT_ID": client.client_id,
        "CLIENT_SECRET": client.secret,
        "SESSION_KEY": "x" * 32,
        # Authlib refuses an issuer without https otherwise.
        "AUTHLIB_INSECURE_TRANSPORT": "1",
    }


def agree(visitor: Visitor, owner: Owner) -> Visitor:
    """Sign in at the service, and agree."""
    visitor.sign_in(email=owner.email, password=PASSWORD)
    return visitor.submit("/oauth2/consent", decision="allow")


def end_access(owner: Owner, service: Service, client: Registered) -> None:
    """End the access of the application, as its owner does."""
    headers = {"Authorization": f"Bearer {owner.access}"}
    url = f"{service.url}/v1/applications/{client.client_id}"
    answer = requests.delete(url, headers=headers, timeout=PATIENCE)
    assert answer.status_code == 200, answer.text


@dataclass(frozen=True, slots=True, kw_only=True)
class Application:
    """The running application of a guide, and the account owner who signs in to it."""

    guide: Guide
    service: Service
    origin: str
    client: Registered
    owner: Owner
    visitor: Visitor

    def sign_in_refresh_and_be_signed_out(self, *, entry: str = "/sign-in", receiver: str = "/signed-out") -> None:
        """Do what each guide with logout tokens describes. `receiver` is the path that gets the tokens."""
        shown = f"Signed in as {self.owner.email}"
        agree(self.visitor.open(f"{self.origin}{entry}"), self.owner)
        assert self.visitor.text == shown
        for _ in range(2):
            assert self.visitor.open(f"{self.origin}/refresh").text == shown
        forged = requests.post(f"{self.origin}{receiver}", {"logout_token": FORGED}, timeout=PATIENCE)
        assert forged.status_code == 400
        assert self.visitor.open(self.origin).text == shown
        end_access(self.owner, self.service, self.client)
        until(lambda: shown not in self.visitor.open(self.origin).text, what="the effect of the logout token")


@contextmanager
def application(
    name: str, *, service: Service, command: Sequence[str | Path], directory: Path, port: int = 0
) -> Iterator[Application]:
    """Register and run the application of the guide. `{port}` in the command is its port."""
    guide, port = Guide(name=name), port or free_port()
    origin = f"http://127.0.0.1:{port}"
    client = guide.register(service, origin=origin)
    variables: Mapping[str, str] = {**variables_of(client, service), "PORT": str(port), "ORIGIN": origin}
    arguments = [str(part).replace("{port}", str(port)) for part in command]
    with running(arguments, directory=directory, origin=origin, variables=variables):
        yield Application(
            guide=guide, service=service, origin=origin, client=client, owner=service.sign_up(), visitor=Visitor()
        )
