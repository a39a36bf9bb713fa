"""Supabase Auth, the server that was GoTrue before."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import jwt
import psycopg

from tests.load.contest import Contender
from tests.load.driver import Load
from tests.load.paths import CONNECTIONS
from tests.load.service import PASSWORD
from tools.local_postgres import free_port

from . import building
from .conditions import DATABASE_CONNECTIONS, Conditions
from .running import get, post, running

NAME = "Supabase Auth"
RELEASE = "v2.196.0"
MODULE = building.GoModule(
    key="supabase-auth",
    path="github.com/supabase/auth",
    # Go takes no tag of v2 for a module of this name. This names the commit of RELEASE.
    version="v1.11.1-0.20260818160232-0204331ca41a",
)

_SECRET = "only-for-benchmarks-and-as-long-as-hs256-wants-it-to-be"
_LOGIN_BODY = ('{"email":"', f'","password":"{PASSWORD}"}}')
_REFRESH_BODY = ('{"refresh_token":"', '"}')


@contextmanager
def contender(conditions: Conditions) -> Iterator[Contender]:
    """Build and run the server with all accounts. Raise Missing when this machine cannot."""
    program = MODULE.build(sources=conditions.sources.get(MODULE.key))
    port = free_port()
    variables = {**conditions.variables, **_settings(_prepared_database(conditions), port=port)}
    building.run([str(program.path), "migrate"], name=f"the migration of {NAME}", variables=variables)
    log = conditions.directory / "supabase_auth.log"
    with running([str(program.path), "serve"], name=NAME, port=port, variables=variables, log=log) as process:
        _create_accounts(conditions, port=port)
        version = RELEASE if program.version == MODULE.version else program.version
        yield Contender(name=NAME, server=f"Go, {version}", process=process, loads=_loads(conditions, port=port))


def _prepared_database(conditions: Conditions) -> str:
    """Return the URL of a new database with the schema that the migrations expect."""
    url = conditions.new_database("peer_supabase_auth")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA auth")
        connection.execute("ALTER DATABASE peer_supabase_auth SET search_path = auth")
    return urlsplit(url)._replace(scheme="postgres", query="sslmode=disable").geturl()


def _settings(url: str, *, port: int) -> dict[str, str]:
    """Return the variables of the server. Its limits by address are off without the name of a header for them."""
    return {
        "DATABASE_URL": url,
        "DB_NAMESPACE": "auth",
        "GOTRUE_DB_DRIVER": "postgres",
        "GOTRUE_DB_MAX_POOL_SIZE": str(DATABASE_CONNECTIONS),
        "GOTRUE_DB_MAX_IDLE_POOL_SIZE": str(DATABASE_CONNECTIONS),
        "GOTRUE_API_HOST": "127.0.0.1",
        "PORT": str(port),
        "API_EXTERNAL_URL": f"http://127.0.0.1:{port}",
        "GOTRUE_SITE_URL": f"http://127.0.0.1:{port}",
        "GOTRUE_JWT_SECRET": _SECRET,
        "GOTRUE_JWT_EXP": "86400",
        "GOTRUE_JWT_AUD": "authenticated",
        "GOTRUE_JWT_DEFAULT_GROUP_NAME": "authenticated",
        "GOTRUE_JWT_ADMIN_ROLES": "service_role",
        "GOTRUE_EXTERNAL_EMAIL_ENABLED": "true",
        "GOTRUE_MAILER_AUTOCONFIRM": "true",
    }


def _create_accounts(conditions: Conditions, *, port: int) -> None:
    """Create all accounts with an imported hash, because the server itself makes only hashes of bcrypt."""
    claims = {"role": "service_role", "aud": "authenticated", "exp": int(time.time()) + 3600}
    authorization = f"Bearer {jwt.encode(claims, _SECRET, algorithm='HS256')}"
    encoded = conditions.password_hash()
    for email in conditions.emails:
        body = {"email": email, "password_hash": encoded, "email_confirm": True}
        post(port, "/admin/users", json.dumps(body), Authorization=authorization)


def _loads(conditions: Conditions, *, port: int) -> dict[str, Callable[[float], Load]]:
    owner = _log_in(port, email=conditions.owner)
    if get(port, "/user", Authorization=f"Bearer {owner['access_token']}")["email"] != conditions.owner:
        raise RuntimeError(f"{NAME} does not return the user of a token")
    login = Load.post("/token?grant_type=password", body=_LOGIN_BODY, values=conditions.others, connections=CONNECTIONS)
    verify = Load.get("/user", tokens=[owner["access_token"]], connections=CONNECTIONS)

    def refresh(_seconds: float) -> Load:
        return Load.post(
            "/token?grant_type=refresh_token",
            body=_REFRESH_BODY,
            values=[_log_in(port, email=email)["refresh_token"] for email in conditions.others[:CONNECTIONS]],
            connections=CONNECTIONS,
            next_value="refresh_token",
        )

    return {"login": lambda _: login, "verify": lambda _: verify, "refresh": refresh}


def _log_in(port: int, *, email: str) -> dict[str, str]:
    before, after = _LOGIN_BODY
    tokens: dict[str, str] = post(port, "/token?grant_type=password", f"{before}{email}{after}").json()
    return tokens
