"""better-auth on Node, in two processes of one cluster."""

import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.load.contest import Contender
from tests.load.driver import Load
from tests.load.paths import CONNECTIONS, SESSIONS
from tests.load.service import PASSWORD
from tools.local_postgres import free_port

from .building import PLACE
from .conditions import WORKERS, Conditions, Missing
from .running import Server, post, running

NAME = "better-auth"
SERVER = "node:cluster"

_SOURCES = Path(__file__).with_name("better_auth")
_PLACE = PLACE / "better_auth"
_LOGIN = "/api/auth/sign-in/email"
_LOGIN_BODY = ('{"email":"', f'","password":"{PASSWORD}"}}')
_COOKIE = "better-auth.session_token"


@contextmanager
def contender(conditions: Conditions) -> Iterator[Contender]:
    """Install and run the server with all accounts. Raise Missing without Node or npm."""
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            raise Missing(f"`{program}` is not installed on this machine. Install Node.js 20 or newer with npm.")
    install()
    database = "peer_better_auth"
    conditions.new_database(database)
    variables = {**conditions.variables, "PEER_DATABASE": database}
    with running_server(
        emails=conditions.emails, workers=WORKERS, variables=variables, directory=conditions.directory
    ) as process:
        loads = loads_of(port=process.port, owner=conditions.owner, others=conditions.others)
        yield Contender(name=NAME, server=SERVER, process=process, loads=loads)


def install() -> None:
    """Copy the program to its place, and install the packages of its lock there, unless they are installed already."""
    installed = _PLACE / "node_modules"
    lock = _PLACE / "package-lock.json"
    if not lock.exists() or lock.read_bytes() != (_SOURCES / lock.name).read_bytes():
        shutil.rmtree(installed, ignore_errors=True)
    shutil.copytree(_SOURCES, _PLACE, dirs_exist_ok=True)
    # npm writes this file last.
    if not (installed / ".package-lock.json").exists():
        subprocess.run(["npm", "ci", "--no-audit", "--no-fund"], cwd=_PLACE, stdout=subprocess.DEVNULL, check=True)


@contextmanager
def running_server(
    *, emails: Sequence[str], workers: int, variables: Mapping[str, str], directory: Path
) -> Iterator[Server]:
    """Run the server on the empty database that `variables` name, with an account for each address."""
    port = free_port()
    own = {
        **variables,
        "NODE_ENV": "production",
        "PEER_EMAILS": ",".join(emails),
        "PEER_PASSWORD": PASSWORD,
        "PEER_PORT": str(port),
        "PEER_WORKERS": str(workers),
        "PEER_CONNECTIONS": str(CONNECTIONS),
    }
    subprocess.run(["node", "main.mjs", "prepare"], cwd=_PLACE, env=own, stdin=subprocess.DEVNULL, check=True)
    command = ["node", "main.mjs", "serve"]
    with running(
        command, name=NAME, port=port, variables=own, log=directory / "better_auth.log", cwd=_PLACE
    ) as process:
        yield process


def loads_of(*, port: int, owner: str, others: Sequence[str]) -> dict[str, Callable[[float], Load]]:
    """Return the loads of its counterparts to login, verify and sessions. It has no counterpart to refresh."""
    before, after = _LOGIN_BODY
    # The cookie's value is quoted for URLs, and goes back as it is.
    [*_, cookie] = [
        post(port, _LOGIN, f"{before}{owner}{after}").headers["Set-Cookie"].partition(";")[0] for _ in range(SESSIONS)
    ]
    if not cookie.startswith(_COOKIE):
        raise RuntimeError(f"the login of {NAME} set another cookie: {cookie}")
    login = Load.post(_LOGIN, body=_LOGIN_BODY, values=others, connections=CONNECTIONS)
    verify, sessions = (
        Load.get(path, tokens=[cookie], connections=CONNECTIONS, credential="Cookie: ")
        for path in ("/api/auth/get-session", "/api/auth/list-sessions")
    )
    return {"login": lambda _: login, "verify": lambda _: verify, "sessions": lambda _: sessions}
