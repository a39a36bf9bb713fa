"""`./dev bench --timing`: whether the time of an answer reveals that an address is known."""

import sqlite3
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from statistics import median, quantiles
from typing import TypeAlias

import psycopg
from django.contrib.auth.hashers import BCryptSHA256PasswordHasher, PBKDF2PasswordHasher

from . import report
from .paths import LOGIN_ACCOUNTS, Stock
from .service import PASSWORD, Caller, Service

PAIRS = 200
WARM_UP_PAIRS = 20
MOST_OF_THE_TIME = 0.10
MOST_MILLISECONDS = 5

Ask: TypeAlias = Callable[[Caller, str], float]
"""A function that sends a request for the address and returns the milliseconds until its answer."""


def timing(*, variables: Mapping[str, str], directory: Path) -> str:
    """Return how long logins with a wrong password and requests for a magic link take, for known and unknown addresses.

    The logins are measured with hashes of today's kind alone, then with older kinds among them.
    """
    # A locked account gets another answer. No account reaches the threshold here.
    patient = {**variables, "LOCKOUT_THRESHOLD": "1000000"}
    sections = []
    with Service(variables=patient, directory=directory) as service:
        stock = Stock(service.port)
        caller = Caller(service.port)
        sections.append(f"Magic links\n\n{_compare(_ask_for_link, stock=stock, caller=caller)}")
        sections.append(f"Logins\n\n{_compare(_refuse, stock=stock, caller=caller)}")
        for name, encoded in _older_hashes().items():
            _store_for_all(encoded, database_url=variables["DATABASE_URL"])
            sections.append(f"Logins, {name} stored\n\n{_compare(_refuse, stock=stock, caller=caller)}")
    return "\n\n".join(sections)


def _compare(ask: Ask, *, stock: Stock, caller: Caller) -> str:
    known: list[float] = []
    unknown: list[float] = []
    for number in range(WARM_UP_PAIRS + PAIRS):
        address = stock.email(number % LOGIN_ACCOUNTS)
        pair = [(known, address), (unknown, address.replace("user", "none"))]
        for taken, email in pair if number % 2 else reversed(pair):
            milliseconds = ask(caller, email)
            if number >= WARM_UP_PAIRS:
                taken.append(milliseconds)
    return _report(known, unknown)


def _older_hashes() -> dict[str, str]:
    hashes = {"PBKDF2": PBKDF2PasswordHasher().encode(PASSWORD, "salt")}
    try:
        bcrypt = BCryptSHA256PasswordHasher()
        hashes["bcrypt"] = bcrypt.encode(PASSWORD, bcrypt.salt())
    except ValueError:
        # bcrypt is no dependency of the service.
        return hashes
    return hashes


def _store_for_all(encoded: str, *, database_url: str) -> None:
    """Set this hash for all users, as an import would."""
    if database_url.startswith("sqlite:"):
        with closing(sqlite3.connect(database_url.removeprefix("sqlite:///"))) as database, database:
            database.execute("UPDATE authsvc_user SET password = ?", (encoded,))
        return
    with psycopg.connect(database_url) as session:
        session.execute("UPDATE authsvc_user SET password = %s", (encoded,))


def _ask_for_link(caller: Caller, email: str) -> float:
    """Return the milliseconds until the request was answered."""
    started = time.perf_counter()
    answer = caller.call("POST", "/v1/magic-link/request", {"email": email})
    milliseconds = (time.perf_counter() - started) * 1000
    if answer.status != 200:
        raise RuntimeError(f"a request for a link was answered {answer.status}: {answer.body}")
    return milliseconds


def _refuse(caller: Caller, email: str) -> float:
    """Return the milliseconds until the login was refused."""
    started = time.perf_counter()
    answer = caller.call("POST", "/v1/login", {"email": email, "password": "a wrong battery staple"})
    milliseconds = (time.perf_counter() - started) * 1000
    if (answer.status, answer.body["error"]["code"]) != (401, "invalid_credentials"):
        raise RuntimeError(f"a wrong password was answered {answer.status}: {answer.body}")
    return milliseconds


def _report(known: list[float], unknown: list[float]) -> str:
    rows = []
    for name, taken in (("known", known), ("unknown", unknown)):
        low, _, high = quantiles(taken, n=4)
        rows.append([name, f"{median(taken):.2f} ms", f"{low:.2f} to {high:.2f} ms"])
    gap = abs(median(known) - median(unknown))
    part = gap / median(known)
    verdict = "holds" if part < MOST_OF_THE_TIME and gap < MOST_MILLISECONDS else "does not hold"
    summary = (
        f"{PAIRS} pairs, the order changing from pair to pair. Gap of the medians: {gap:.2f} ms, {part:.1%} (below "
        f"{MOST_MILLISECONDS} ms and {MOST_OF_THE_TIME:.0%}): {verdict}."
    )
    return f"{report.table(['address', 'median', 'middle half'], rows)}\n\n{summary}"
