"""`./dev bench --size`: the times of routes on a large database.

Operators' routes use their largest window and offset.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import partial
from http import HTTPStatus
from pathlib import Path
from statistics import quantiles
from urllib.parse import quote, urljoin, urlsplit

import psycopg
import requests

from core.clock import now, rfc3339
from core.conf import core_settings
from tests.processes.running import ROOT

from . import report
from .filling import EVENTS_PER_USER, fill
from .service import PASSWORD, Caller, Service

CALLS = 40
LIMIT_MILLISECONDS = 300.0
PERSON = "operator@example.com"

ADMIN = {
    "overview, 1 day": "overview?window_days=1",
    "overview, 30 days": "overview?window_days=30",
    "overview, 365 days": "overview?window_days=365",
    "users, offset 10,000": "users?limit=500&offset=10000",
    "users, exact": f"users?q={quote(PERSON)}",
    "search of users, a part": "user-search?q=user77&limit=500",
    "search of users, most match": "user-search?q=example&limit=500&sort=address",
    "search of users, no match": "user-search?q=nonsense",
    "search of users, locked": "user-search?state=locked",
    "search of users, no factor": "user-search?state=no_factor&sort=last_sign_in&limit=500",
    "search of users, never signed in": "user-search?state=never_signed_in",
    "user": "users/{user}",
    "metadata": "users/{user}/metadata",
    "sessions of a user": "users/{user}/sessions?limit=500",
    "factors": "users/{user}/factors",
    "API keys": "users/{user}/api-keys?limit=500",
    "events": "events?limit=500",
    "events, span": "events?limit=500&since={since}&until={until}",
    "events, type": "events?limit=500&type=login_failed",
    "events, user": "events?limit=500&user={user}",
    "events, IP address": "events?limit=500&ip=198.51.100.7",
    "events, IP and no match": "events?limit=500&ip=198.51.100.7&type=passkey_removed",
    "events, network": "events?limit=500&network=198.51.100.0/24",
    "events, part of a network": "events?limit=500&network=198.51.100.7/32&type=passkey_removed",
    "anomalies, offset 10,000": "anomalies?limit=500&offset=10000",
    "anomalies, unreviewed": "anomalies?limit=500&offset=10000&status=unreviewed",
    "anomalies, confirmed": "anomalies?limit=500&offset=10000&status=confirmed",
    "hash-migration, 365 days": "security/hash-migration?window_days=365",
    "mfa-adoption, 365 days": "security/mfa-adoption?window_days=365",
    "digest, 365 days": "digest?window_days=365",
    "config-tuning, 365 days": "config-tuning?window_days=365",
    "diagnose": f"support/diagnose?email={quote(PERSON)}",
    "deliveries": "webhooks/deliveries?limit=500",
    "deliveries, failed": "webhooks/deliveries?limit=500&status=failed",
    "log": "logging/recent?limit=500",
    "log, warn": "logging/recent?limit=500&level=warn",
    "digests": "digest/history?limit=200",
}
PAGES = {
    "overview, 365 days": "?window_days=365",
    "login methods": "login-methods",
    "users, no factor": "users?state=no_factor",
    "user": "users/{user}",
    "reviews": "reviews",
    "an attack, 365 days": "attacks/198.51.100.0/24?window_days=365",
    "events of a network": "events?network=198.51.100.0/24",
    "events of an address": "events?user={person}",
    "find, a part of an address": "find?q=user77",
    "find, an IP address": "find?q=198.51.100.7",
    "deliveries": "deliveries",
    "logs, a text": "logs?text=nonsense",
}
TABLES = ("authsvc_accounts_event", "authsvc_accounts_account", "authsvc_sessions_family", "authsvc_sessions_token")


def size(*, users: int, variables: Mapping[str, str], directory: Path) -> str:
    """Fill the database and return the tables: user routes before and after, and operator routes after."""
    url = variables["DATABASE_URL"]
    variables = {
        **variables,
        "WEBHOOK_URL": "https://receiver.invalid",
        "WEBHOOK_SECRET": "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
        "WEBHOOK_EVENTS": "oauth_linked",
        "LOG_SHIPPING": "record",
        "LOG_SHIPPING_LEVEL": "error",
        "DIGEST_INTERVAL_HOURS": "168",
        "OPERATOR_SECOND_FACTOR": "optional",
    }
    with Service(variables=variables, directory=directory, arguments=["--no-worker"]) as service:
        caller = Caller(service.port)
        data = caller.get_data("POST", "/v1/signup", {"email": PERSON, "password": PASSWORD})
        _manage("grant_operator", "-email", PERSON, "--unproven", variables=variables)
        before = _everyday(caller)
        fill(url, users=users)
        # The filling takes minutes, and no client keeps a connection that long.
        caller.disconnect()
        sys.stderr.write("counting the events of each day\n")
        _manage("prune", variables=variables)
        scans = _scans(url)
        after = _everyday(caller)
        everyday_scans = {table: count - scans[table] for table, count in _scans(url).items()}
        token = _log_in(caller)["access_token"]
        span = {"since": rfc3339(now() - timedelta(days=300)), "until": rfc3339(now() - timedelta(days=100))}
        paths = {name: f"/v1/admin/{path.format(user=data['user_id'], **span)}" for name, path in ADMIN.items()}
        admin = {name: _percentiles(partial(_get, caller, path, token)) for name, path in paths.items()}
        console = _Console(service.port)
        links = {name: path.format(user=data["user_id"], person=quote(PERSON)) for name, path in PAGES.items()}
        pages = {name: _percentiles(partial(console.open, path)) for name, path in links.items()}
    return "\n\n".join(
        [
            f"{users:,} users, {users * EVENTS_PER_USER:,} events.",
            report.table(
                ["route", "p50 empty", "p50 full", "p95 full"],
                [[name, _ms(before[name][0]), _ms(after[name][0]), _ms(after[name][1])] for name in after],
            ),
            "Tables that these routes scanned completely: "
            + (", ".join(f"{table} {count} times" for table, count in everyday_scans.items() if count) or "none")
            + ".",
            report.table(
                ["operators' route", "p50", "p95", f"under {LIMIT_MILLISECONDS:.0f} ms"],
                [
                    [name, _ms(p50), _ms(p95), "yes" if p95 < LIMIT_MILLISECONDS else "no"]
                    for name, (p50, p95) in admin.items()
                ],
            ),
            report.table(
                ["page of the console", "p50", "p95"],
                [[name, _ms(p50), _ms(p95)] for name, (p50, p95) in pages.items()],
            ),
        ]
    )


class _Console:
    """A browser in which the operator is signed in to the console."""

    def __init__(self, port: int) -> None:
        self._url = f"http://127.0.0.1:{port}/console/"
        self._session = requests.Session()
        # The console answers at BASE_URL only, and browsers send the origin with each form.
        base_url = core_settings().base_url
        self._session.headers.update({"Host": urlsplit(base_url).netloc, "Origin": base_url})
        form = {"email": PERSON, "password": PASSWORD}
        self._session.post(urljoin(self._url, "/sign-in"), form, allow_redirects=False).raise_for_status()

    def open(self, path: str) -> None:
        """Open the page. Raises RuntimeError when the answer is neither the page nor the way to what was found."""
        answer = self._session.get(self._url + path, allow_redirects=False)
        if answer.status_code >= HTTPStatus.BAD_REQUEST or "sign-in" in answer.headers.get("Location", ""):
            raise RuntimeError(f"GET {path} was answered {answer.status_code}.")


def _everyday(caller: Caller) -> dict[str, tuple[float, float]]:
    tokens = _log_in(caller)

    def refresh() -> None:
        tokens.update(caller.get_data("POST", "/v1/refresh", {"refresh_token": tokens["refresh_token"]}))

    return {
        "login": _percentiles(lambda: _log_in(caller)),
        "refresh": _percentiles(refresh),
        "sessions": _percentiles(lambda: _get(caller, "/v1/sessions", tokens["access_token"])),
        "verify": _percentiles(lambda: _get(caller, "/v1/verify", tokens["access_token"])),
    }


def _log_in(caller: Caller) -> dict[str, str]:
    tokens: dict[str, str] = caller.get_data("POST", "/v1/login", {"email": PERSON, "password": PASSWORD})
    return tokens


def _get(caller: Caller, path: str, token: str) -> None:
    answer = caller.call("GET", path, token=token)
    if answer.status != 200:
        raise RuntimeError(f"GET {path} was answered {answer.status}: {answer.body}")


def _percentiles(call: Callable[[], object]) -> tuple[float, float]:
    """Return the median and the 95th percentile of the call, in milliseconds."""
    taken = []
    for _ in range(CALLS):
        started = time.perf_counter()
        call()
        taken.append((time.perf_counter() - started) * 1000)
    cuts = quantiles(taken, n=20)
    return cuts[9], cuts[18]


def _scans(url: str) -> dict[str, int]:
    """Return how often each large table has been scanned completely."""
    with psycopg.connect(url, autocommit=True) as connection:
        # PostgreSQL's processes report their statistics with a delay.
        time.sleep(2)
        rows = connection.execute(
            "SELECT relname, seq_scan FROM pg_stat_user_tables WHERE relname = ANY(%s)", (list(TABLES),)
        ).fetchall()
    return {str(name): int(count) for name, count in rows}


def _manage(*arguments: str, variables: Mapping[str, str]) -> None:
    subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env={**os.environ, **variables},
        stdout=subprocess.DEVNULL,
        check=True,
    )


def _ms(milliseconds: float) -> str:
    return f"{milliseconds:,.1f} ms"
