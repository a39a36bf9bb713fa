"""`./dev bench --timing`: whether the time of a refused login tells that an address is known."""

import time
from collections.abc import Mapping
from pathlib import Path
from statistics import median, quantiles

from . import report
from .paths import LOGIN_ACCOUNTS, Stock
from .service import Caller, Service

PAIRS = 200
WARM_UP_PAIRS = 20
MOST_OF_THE_TIME = 0.10
MOST_MILLISECONDS = 5


def timing(*, variables: Mapping[str, str], directory: Path) -> str:
    """Return how long logins with a wrong password take for known and for unknown addresses, in turn."""
    # A locked account is answered otherwise; here none gets that far.
    patient = {**variables, "LOCKOUT_THRESHOLD": "1000000"}
    known: list[float] = []
    unknown: list[float] = []
    with Service(variables=patient, directory=directory) as service:
        stock = Stock(service.port)
        caller = Caller(service.port)
        for number in range(WARM_UP_PAIRS + PAIRS):
            address = stock.email(number % LOGIN_ACCOUNTS)
            pair = [(known, address), (unknown, address.replace("user", "none"))]
            for taken, email in pair if number % 2 else reversed(pair):
                milliseconds = _refuse(caller, email)
                if number >= WARM_UP_PAIRS:
                    taken.append(milliseconds)
    return _report(known, unknown)


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
