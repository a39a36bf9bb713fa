"""The effect of too many logins, and of a database outage, on other calls."""

import sys
import time
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from http.client import HTTPException
from itertools import cycle
from pathlib import Path
from statistics import quantiles
from threading import Event

from tools.local_postgres import LocalPostgres

from . import report
from .driver import OVERLOADED, Driven, PythonDriver
from .paths import USER_AGENTS, Stock, access_tokens, login_load
from .service import PASSWORD, Answer, Caller, Service, environment

STORM_CLIENTS = 64
STORM_SECONDS = 15
PROBE_CONNECTIONS = 4
PROBE_PAUSE_SECONDS = 0.01
RETRY_AFTER_SECONDS = 1
"""The pause that a 503 `overloaded` demands."""

USERS = 4
USER_PAUSE_SECONDS = 0.05
OUTAGE_SECONDS = 40
CALM_SECONDS = 10
RECOVERY_SECONDS = 20
NORMAL_WITHIN_SECONDS = 10


@dataclass(slots=True)
class Probed:
    """The duration of each call in milliseconds, and its answer."""

    verify: list[float] = field(default_factory=list)
    refresh: list[float] = field(default_factory=list)
    answers: Counter[str] = field(default_factory=Counter)


def storm(*, variables: Mapping[str, str], directory: Path) -> str:
    """Return the times of verify and refresh with and without 64 clients that log in."""
    rows = []
    with Service(variables=variables, directory=directory) as service, PythonDriver() as driver:
        stock = Stock(service.port)
        load = login_load(stock, connections=STORM_CLIENTS)
        for clients, pause in (
            ("no client", None),
            (f"{STORM_CLIENTS}, each waits for Retry-After", RETRY_AFTER_SECONDS),
            (f"{STORM_CLIENTS}, each retries at once", 0),
        ):
            over = Event()
            with ThreadPoolExecutor(1) as pool:
                probing = pool.submit(_probe, stock, port=service.port, over=over)
                try:
                    if pause is None:
                        time.sleep(STORM_SECONDS)
                        driven = None
                    else:
                        driven = driver.drive(load, port=service.port, seconds=STORM_SECONDS, pause=pause)
                finally:
                    over.set()
            rows.append(_storm_row(clients, probing.result(), driven))
    header = [
        "clients that log in",
        "verify p50, p99",
        "refresh p50, p99",
        "probes",
        "logins/s",
        "503 overloaded/s",
        "others",
    ]
    remark = "Probes by one client, one after the other, on connections to all web processes. Aim: p99 below 100 ms."
    return f"{report.table(header, rows)}\n\n{remark}"


def _probe(stock: Stock, *, port: int, over: Event) -> Probed:
    callers = cycle([Caller(port) for _ in range(PROBE_CONNECTIONS)])
    access = access_tokens(stock, count=1)[0]
    refresh = stock.log_in(1, user_agent=USER_AGENTS[0])
    probed = Probed()
    while not over.wait(PROBE_PAUSE_SECONDS):
        caller = next(callers)
        started = time.perf_counter()
        answer = caller.call("GET", "/v1/verify", token=access)
        verified = time.perf_counter()
        probed.verify.append((verified - started) * 1000)
        probed.answers[f"verify {_outcome(answer)}"] += 1
        answer = caller.call("POST", "/v1/refresh", {"refresh_token": refresh})
        probed.refresh.append((time.perf_counter() - verified) * 1000)
        probed.answers[f"refresh {_outcome(answer)}"] += 1
        refresh = answer.body["data"]["refresh_token"] if answer.status == 200 else refresh
    return probed


def _storm_row(clients: str, probed: Probed, driven: Driven | None) -> list[str]:
    answers = driven.answers if driven else Counter[int]()
    seconds = driven.seconds if driven else STORM_SECONDS
    others = {status: count for status, count in answers.items() if status not in {200, OVERLOADED}}
    return [
        clients,
        _percentiles(probed.verify),
        _percentiles(probed.refresh),
        _counts(probed.answers),
        f"{answers[200] / seconds:.0f}",
        f"{answers[OVERLOADED] / seconds:.0f}",
        str(others or "none"),
    ]


def _percentiles(milliseconds: list[float]) -> str:
    cuts = quantiles(milliseconds, n=100)
    return f"{cuts[49]:.1f}, {cuts[98]:.1f} ms"


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call during an outage: the time of its answer by `time.monotonic()`, the answer, and the seconds."""

    path: str
    at: float
    outcome: str
    seconds: float


def outage(*, directory: Path) -> str:
    """Return what callers observed while PostgreSQL stopped and started again."""
    with LocalPostgres(venv=Path(sys.prefix), data=directory / "postgres") as postgres:
        postgres.create_database(name="gatehouse")
        variables = environment(database_url=postgres.url(database="gatehouse"), directory=directory)
        with Service(variables=variables, directory=directory) as service:
            stock = Stock(service.port)
            before = set(service.pids())
            over = Event()
            with ThreadPoolExecutor(USERS) as pool:
                users = [
                    pool.submit(_use, stock, number, port=service.port, over=over) for number in range(1, 1 + USERS)
                ]
                try:
                    time.sleep(CALM_SECONDS)
                    stopped_at = time.monotonic()
                    postgres.stop()
                    time.sleep(OUTAGE_SECONDS)
                    postgres.start()
                    back_at = time.monotonic()
                    time.sleep(RECOVERY_SECONDS)
                finally:
                    over.set()
            replaced = before ^ set(service.pids())
            faults = service.faults()
    return _outage_report(users, stopped_at=stopped_at, back_at=back_at, replaced=replaced, faults=faults)


def _use(stock: Stock, number: int, *, port: int, over: Event) -> list[Call]:
    """Call the service repeatedly despite errors. Log in again after the session has ended."""
    caller = Caller(port)
    access = access_tokens(stock, count=1)[0]
    refresh = stock.log_in(number, user_agent=USER_AGENTS[0])
    calls = []
    while not over.is_set():
        for method, path, body in (
            ("GET", "/v1/verify", None),
            ("GET", "/v1/health", None),
            ("GET", "/v1/sessions", None),
            ("POST", "/v1/refresh", {"refresh_token": refresh}),
            ("POST", "/v1/login", {"email": stock.email(number), "password": PASSWORD}),
        ):
            started = time.monotonic()
            try:
                answer = caller.call(method, path, body, token=None if body else access)
            except (OSError, HTTPException) as error:
                outcome = type(error).__name__
            else:
                outcome = _outcome(answer)
                if body and answer.status == 200:
                    refresh = answer.body["data"]["refresh_token"]
            at = time.monotonic()
            calls.append(Call(path=path, at=at, outcome=outcome, seconds=at - started))
            time.sleep(USER_PAUSE_SECONDS)
    return calls


def _outage_report(
    users: list[Future[list[Call]]], *, stopped_at: float, back_at: float, replaced: set[int], faults: list[str]
) -> str:
    observed = [call for user in users for call in user.result()]
    rows = []
    for path in dict.fromkeys(call.path for call in observed):
        calls = [call for call in observed if call.path == path]
        rows.append(
            [
                path,
                _counts(Counter(call.outcome for call in calls if call.at < stopped_at)),
                _counts(Counter(call.outcome for call in calls if stopped_at <= call.at < back_at)),
                _counts(Counter(call.outcome for call in calls if back_at <= call.at)),
                f"{max(call.seconds for call in calls):.2f} s",
            ]
        )
    late = [call.at - back_at for call in observed if call.at > back_at and call.outcome != "200"]
    unexpected = {call.outcome for call in observed} - {"200", "503 db_unreachable"}
    summary = (
        f"Normal {max(late, default=0):.1f} s after PostgreSQL accepted connections again (at most "
        f"{NORMAL_WITHIN_SECONDS}). Processes that ended or started: {len(replaced)} (target: 0). Answers other than 200 "
        f"and 503 db_unreachable: {', '.join(sorted(unexpected)) or 'none'}. Lines logged as errors: {len(faults)}."
    )
    header = ["path", "before", f"away for {OUTAGE_SECONDS} s", "back", "slowest answer"]
    return f"{report.table(header, rows)}\n\n{summary}"


def _outcome(answer: Answer) -> str:
    return "200" if answer.status == 200 else f"{answer.status} {answer.body['error']['code']}"


def _counts(outcomes: Counter[str]) -> str:
    return ", ".join(f"{count} × {outcome}" for outcome, count in outcomes.most_common()) or "none"
