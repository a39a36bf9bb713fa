"""Keycloak on Java, in its production mode."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote_plus, urlsplit

import psycopg

from tests.load.contest import Contender
from tests.load.driver import Load, driver_of_this_machine
from tests.load.paths import CONNECTIONS, SESSIONS
from tests.load.service import PASSWORD
from tools.local_postgres import free_port

from . import building
from .conditions import DATABASE_CONNECTIONS, Conditions, Costs, Missing
from .running import get, post, running

NAME = "Keycloak"
VERSION = "26.7.3"
WARM_UP_SECONDS = 10

_REALM = "bench"
_CLIENT = "bench"
_TOKEN = f"/realms/{_REALM}/protocol/openid-connect/token"
_USERINFO = f"/realms/{_REALM}/protocol/openid-connect/userinfo"
_SESSIONS = f"/realms/{_REALM}/account/sessions/devices"
_FORM = "application/x-www-form-urlencoded"
_LOGIN_BODY = (
    f"grant_type=password&client_id={_CLIENT}&scope=openid&password={quote_plus(PASSWORD)}&username=",
    "",
)
_REFRESH_BODY = (f"grant_type=refresh_token&client_id={_CLIENT}&refresh_token=", "")


@contextmanager
def contender(conditions: Conditions) -> Iterator[Contender]:
    """Fetch, configure and run the server with all accounts. Raise Missing when this machine cannot."""
    home = building.fetch_distribution(
        key="keycloak", group="org.keycloak", artifact="keycloak-quarkus-dist", version=VERSION
    )
    port = free_port()
    program = ["bash", str(home / "bin" / "kc.sh")]
    url = conditions.new_database("peer_keycloak")
    variables = _settings(conditions, url=url, port=port)
    try:
        building.run([*program, "build"], name="`kc.sh build`", variables=variables, cwd=home)
    except RuntimeError as error:
        raise Missing(f"{error}\nKeycloak {VERSION} needs Java 17 or newer.") from None
    realm = _write_realm(conditions)
    import_realm = [*program, "import", "--optimized", "--file", str(realm)]
    building.run(import_realm, name="`kc.sh import`", variables=variables, cwd=home)
    log = conditions.directory / "keycloak.log"
    command = [*program, "start", "--optimized"]
    with running(command, name=NAME, port=port, variables=variables, log=log, cwd=home) as process:
        loads = _loads(conditions, port=port)
        _check_costs(conditions, url=url)
        driver = driver_of_this_machine()
        # Java compiles only what has run often. The warm-up of all servers is too short for that.
        for path, load in loads.items():
            sys.stderr.write(f"warming up {NAME}: {path}\n")
            driver.drive(load(WARM_UP_SECONDS), port=port, seconds=WARM_UP_SECONDS)
        yield Contender(name=NAME, server=f"Java, {VERSION}", process=process, loads=loads)


def _settings(conditions: Conditions, *, url: str, port: int) -> dict[str, str]:
    """Return the variables of all commands. One server needs no cache that is shared with others."""
    address = urlsplit(url)
    hashing = "KC_SPI_PASSWORD_HASHING__ARGON2"
    return {
        **conditions.variables,
        "KC_DB": "postgres",
        "KC_DB_URL": f"jdbc:postgresql://{address.hostname}:{address.port}{address.path}",
        "KC_DB_USERNAME": address.username or "",
        "KC_DB_PASSWORD": address.password or "",
        "KC_DB_POOL_MAX_SIZE": str(DATABASE_CONNECTIONS),
        "KC_CACHE": "local",
        "KC_HTTP_ENABLED": "true",
        "KC_HTTP_HOST": "127.0.0.1",
        "KC_HTTP_PORT": str(port),
        # The requests of the load have no port in their `Host`, and an issuer is compared with it.
        "KC_HOSTNAME": "http://localhost",
        "KC_LOG_LEVEL": "error",
        f"{hashing}__MEMORY": str(conditions.costs.memory_kib),
        f"{hashing}__ITERATIONS": str(conditions.costs.time),
        f"{hashing}__PARALLELISM": str(conditions.costs.parallelism),
    }


def _write_realm(conditions: Conditions) -> Path:
    """Return the file of the realm. Its refresh tokens are used once, and its tokens live for the whole run."""
    day = 86_400
    realm = {
        "realm": _REALM,
        "enabled": True,
        "sslRequired": "none",
        "revokeRefreshToken": True,
        "refreshTokenMaxReuse": 0,
        "accessTokenLifespan": day,
        "ssoSessionIdleTimeout": day,
        "ssoSessionMaxLifespan": day,
        "clients": [
            {
                "clientId": _CLIENT,
                "enabled": True,
                "publicClient": True,
                "directAccessGrantsEnabled": True,
                "standardFlowEnabled": False,
            }
        ],
        "users": [
            {
                "username": email,
                "email": email,
                "emailVerified": True,
                "firstName": "A",
                "lastName": "User",
                "enabled": True,
                "credentials": [{"type": "password", "value": PASSWORD}],
                "clientRoles": {"account": ["manage-account"]},
            }
            for email in conditions.emails
        ],
    }
    file = conditions.directory / "keycloak-realm.json"
    file.write_text(json.dumps(realm))
    return file


def _check_costs(conditions: Conditions, *, url: str) -> None:
    """Raise RuntimeError unless every hash has the costs. Keycloak ignores the settings that it does not know."""
    with psycopg.connect(url) as connection:
        rows = connection.execute("SELECT credential_data FROM credential").fetchall()
    for credential in (json.loads(row[0]) for row in rows):
        parameters = credential["additionalParameters"]
        found = Costs(
            memory_kib=int(parameters["memory"][0]),
            time=credential["hashIterations"],
            parallelism=int(parameters["parallelism"][0]),
        )
        if found != conditions.costs:
            raise RuntimeError(f"{NAME} hashed with other costs: {credential}")


def _loads(conditions: Conditions, *, port: int) -> dict[str, Callable[[float], Load]]:
    [*_, owner] = [_log_in(port, email=conditions.owner) for _ in range(SESSIONS)]
    token = owner["access_token"]
    as_json = {"Authorization": f"Bearer {token}", "Accept": "application/json"}
    listed = sum(len(device["sessions"]) for device in get(port, _SESSIONS, **as_json))
    if listed != SESSIONS:
        raise RuntimeError(f"{NAME} lists {listed} sessions instead of {SESSIONS}")
    login = Load.post(_TOKEN, body=_LOGIN_BODY, values=conditions.others, connections=CONNECTIONS, media_type=_FORM)
    verify, sessions = (
        Load.get(
            path,
            tokens=[token],
            connections=CONNECTIONS,
            credential="Accept: application/json\r\nAuthorization: Bearer ",
        )
        for path in (_USERINFO, _SESSIONS)
    )

    def refresh(_seconds: float) -> Load:
        return Load.post(
            _TOKEN,
            body=_REFRESH_BODY,
            values=[_log_in(port, email=email)["refresh_token"] for email in conditions.others[:CONNECTIONS]],
            connections=CONNECTIONS,
            next_value="refresh_token",
            media_type=_FORM,
        )

    return {
        "login": lambda _: login,
        "verify": lambda _: verify,
        "refresh": refresh,
        "sessions": lambda _: sessions,
    }


def _log_in(port: int, *, email: str) -> dict[str, str]:
    before, after = _LOGIN_BODY
    tokens: dict[str, str] = post(port, _TOKEN, f"{before}{email}{after}", **{"Content-Type": _FORM}).json()
    return tokens
