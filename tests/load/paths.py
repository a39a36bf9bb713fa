"""The measured paths, with their loads and targets."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from secrets import token_hex

from core import clock
from core.db.ids import new_id
from core.keys import jwt

from .driver import PROCESSES, Load
from .service import PASSWORD, Caller

CONNECTIONS = 16
"""One web process may get all connections. Its logins then wait for their turn to hash.

On a quiet machine they wait far less than PASSWORD_HASH_WAIT_SECONDS, so none gets 503.
"""

LOGIN_ACCOUNTS = 48
SESSIONS = 10
FRESH_TOKENS = 4_000
"""The number of access tokens per second and processor. It exceeds the possible number of requests."""

_CHROME = "(KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36"
USER_AGENTS = (
    f"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 {_CHROME}",
    f"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 {_CHROME}",
    "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """The smallest ratio to the anchor, and the largest CPU time per request in microseconds."""

    ratio: float | None = None
    cpu: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Path:
    """A path of the service. `anchor` names the figure for the comparison. A round takes its requests from `load`."""

    name: str
    load: Callable[["Stock", float], Load]
    anchor: str | None
    floor: Target
    aim: Target


class Stock:
    """Accounts and tokens of a newly started service."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._mark = token_hex(4)
        with ThreadPoolExecutor(PROCESSES) as pool:
            user_ids = list(pool.map(self._sign_up, range(LOGIN_ACCOUNTS)))
        self.user_id = user_ids[0]
        for number in range(SESSIONS):
            self.log_in(0, user_agent=USER_AGENTS[number % len(USER_AGENTS)])

    def email(self, number: int) -> str:
        """Return the address of an account.

        All addresses have one length. The first account always has ten sessions.
        """
        return f"user-{self._mark}-{number:03}@example.com"

    def log_in(self, number: int, *, user_agent: str) -> str:
        """Return the refresh token of a new session."""
        return self._open_session(number, user_agent=user_agent)["refresh_token"]

    def live_access_token(self) -> str:
        """Return the access token of a new session of the account with ten sessions."""
        return self._open_session(0, user_agent=USER_AGENTS[0])["access_token"]

    def _open_session(self, number: int, *, user_agent: str) -> Mapping[str, str]:
        body = {"email": self.email(number), "password": PASSWORD}
        return dict(Caller(self._port).get_data("POST", "/v1/login", body, user_agent=user_agent))

    def _sign_up(self, number: int) -> str:
        body = {"email": self.email(number), "password": PASSWORD}
        return str(Caller(self._port).get_data("POST", "/v1/signup", body)["user_id"])


def access_tokens(stock: Stock, *, count: int) -> Sequence[str]:
    """Return different access tokens of the account with ten sessions, signed with the service's key."""
    now = clock.now()
    return [
        jwt.issue_access_token(user_id=stock.user_id, token_id=str(new_id()), claims={}, now=now) for _ in range(count)
    ]


def refresh_load(stock: Stock, *, connections: int) -> Load:
    """Let each connection refresh its own session repeatedly."""
    with ThreadPoolExecutor(PROCESSES) as pool:
        tokens = list(pool.map(lambda number: stock.log_in(1 + number, user_agent=USER_AGENTS[0]), range(connections)))
    body = ('{"refresh_token":"', '"}')
    return Load.post("/v1/refresh", body=body, values=tokens, connections=connections, next_value="refresh_token")


def login_load(stock: Stock, *, connections: int) -> Load:
    """Log in to one account after the other with the right password."""
    emails = [stock.email(number) for number in range(1, LOGIN_ACCOUNTS)]
    body = ('{"email":"', f'","password":"{PASSWORD}"}}')
    return Load.post("/v1/login", body=body, values=emails, connections=connections)


def _verify(stock: Stock, _seconds: float) -> Load:
    return Load.get("/v1/verify", tokens=access_tokens(stock, count=1), connections=CONNECTIONS)


def _verify_first(stock: Stock, seconds: float) -> Load:
    tokens = access_tokens(stock, count=round(seconds * PROCESSES * FRESH_TOKENS))
    return Load.get("/v1/verify", tokens=tokens, connections=CONNECTIONS)


def _refresh(stock: Stock, _seconds: float) -> Load:
    return refresh_load(stock, connections=CONNECTIONS)


def _login(stock: Stock, _seconds: float) -> Load:
    return login_load(stock, connections=CONNECTIONS)


def _session(stock: Stock, _seconds: float) -> Load:
    return Load.get("/v1/session", tokens=[stock.live_access_token()], connections=CONNECTIONS)


def _sessions(stock: Stock, _seconds: float) -> Load:
    return Load.get("/v1/sessions", tokens=access_tokens(stock, count=1), connections=CONNECTIONS)


BARE, HASH, DATABASE = "bare WSGI", "raw hash", "bare refresh"

_REFRESH = {
    "postgresql": (Target(cpu=450), Target(cpu=330)),
    "sqlite": (Target(cpu=500), Target(cpu=400)),
}


def paths_on(database: str) -> list[Path]:
    """Return all paths with their targets on `sqlite` or `postgresql`."""
    floor, aim = _REFRESH[database]
    return [
        Path(
            name="verify",
            load=_verify,
            anchor=BARE,
            floor=Target(cpu=150),
            aim=Target(cpu=100),
        ),
        Path(
            name="verify-first",
            load=_verify_first,
            anchor=None,
            floor=Target(cpu=450),
            aim=Target(cpu=300),
        ),
        Path(name="refresh", load=_refresh, anchor=DATABASE, floor=floor, aim=aim),
        Path(name="login", load=_login, anchor=HASH, floor=Target(ratio=0.80), aim=Target(ratio=0.90)),
        Path(name="session", load=_session, anchor=None, floor=Target(cpu=450), aim=Target(cpu=300)),
        Path(name="sessions", load=_sessions, anchor=None, floor=Target(cpu=700), aim=Target(cpu=500)),
    ]


PATH_NAMES = tuple(path.name for path in paths_on("sqlite"))
