"""`./dev bench --pages`: a login by page beside a login of the API, and the time and the weight of the sign-in page."""

import re
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from statistics import median, quantiles
from urllib.parse import urlencode

import psycopg

from . import image, report
from .contest import Contender, Sample, measure_in_turn
from .driver import Load
from .paths import CONNECTIONS, LOGIN_ACCOUNTS, Stock, login_load
from .service import PASSWORD, PATIENCE, Process, Service, create_database, processor_seconds

API, PAGE = "login of the API", "login by page"
OPENINGS = 400
RATIO_MAX = 1.2
MILLISECONDS_MAX = 40.0
WEIGHT_MAX = 60_000
_CHEAPEST = {"ARGON2_MEMORY_KIB": "8", "ARGON2_TIME": "1"}
_FILE = re.compile(r'(?:<script src|<link rel="stylesheet" href|<link rel="icon" href)="([^"]+)"')


class Deployment(Process):
    """A service together with the processes of its PostgreSQL."""

    def __init__(self, service: Service, *, database_url: str) -> None:
        super().__init__(pid=service.pid, port=service.port)
        self._service = service
        self._database = None if database_url.startswith("sqlite:") else _server_of(database_url)

    def cpu_seconds(self) -> float:
        """Return the CPU time of the web processes and of the database."""
        database = self._database.pids() if self._database else []
        return self._service.cpu_seconds() + sum(map(processor_seconds, database))


def measure_pages(*, rounds: int, seconds: float, variables: Mapping[str, str], directory: Path) -> str:
    """Return the table of both logins for each cost of the hash, and that of the sign-in page."""
    costs = {
        "of the image": {"PYTHONPATH": str(image.build_argon2(directory))},
        "of a checkout": {},
        "as cheap as possible": _CHEAPEST,
    }
    rows: list[list[str]] = []
    for number, (name, own) in enumerate(costs.items()):
        url = _own_database(number, url=variables["DATABASE_URL"], directory=directory)
        with Service(variables={**variables, **own, "DATABASE_URL": url}, directory=directory) as service:
            stock = Stock(service.port)
            deployment = Deployment(service, database_url=url)
            samples = _compare(deployment, stock, rounds=rounds, seconds=seconds)
            page = _describe_page(service.port)
        ratios = [ours.cpu / theirs.cpu for ours, theirs in zip(samples[PAGE], samples[API], strict=True)]
        is_kept = "yes" if median(ratios) <= RATIO_MAX else "no"
        cpu = [report.spread([one.cpu for one in samples[path]], "{:,.0f} µs") for path in (API, PAGE)]
        rows.append([name, *cpu, report.spread(ratios, "{:.2f}"), is_kept])
    table = report.table(["hash", f"CPU of a {API}", f"CPU of a {PAGE}", "ratio", f"at most {RATIO_MAX}"], rows)
    return (
        f"{table}\n\nA login by page is the form with the address and the password. Both logins run in turn on one service. "
        f"The CPU time is that of the web processes and of the database.\n\n{page}"
    )


def _compare(deployment: Deployment, stock: Stock, *, rounds: int, seconds: float) -> Mapping[str, Sequence[Sample]]:
    loads: dict[str, Callable[[float], Load]] = {
        API: lambda _: login_load(stock, connections=CONNECTIONS),
        PAGE: lambda _: page_login_load(stock, connections=CONNECTIONS),
    }
    contender = Contender(name="Gatehouse", server="granian", process=deployment, loads=loads)
    found = measure_in_turn([contender], paths=list(loads), rounds=rounds, seconds=seconds)
    return {path: samples for (path, _, _), samples in found.items()}


def page_login_load(stock: Stock, *, connections: int) -> Load:
    """Send the form of the sign-in with the right password, for one account after the other.

    The browser has a cookie already, because the script of the pages stores the zone of the device.
    """
    emails = [urlencode({"email": stock.email(number)}) for number in range(1, LOGIN_ACCOUNTS)]
    return Load.post(
        "/sign-in",
        body=("", f"&{urlencode({'password': PASSWORD, 'next': '/account/'})}"),
        values=emails,
        connections=connections,
        media_type="application/x-www-form-urlencoded",
        headers="Sec-Fetch-Site: same-origin\r\nCookie: gatehouse-device-zone=Europe/Berlin\r\n",
    )


def _describe_page(port: int) -> str:
    """Return the table of the openings of the sign-in page, by one browser after the other."""
    with closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as browser:
        taken = []
        for _ in range(OPENINGS):
            started = time.perf_counter()
            page = _get(browser, "/sign-in")
            taken.append((time.perf_counter() - started) * 1000)
        weight, number = len(page), 1
        for path in _FILE.findall(_get(browser, "/sign-in", encoding="identity").decode()):
            weight, number = weight + len(_get(browser, path)), number + 1
    slowest = quantiles(taken, n=20)[-1]
    row = [
        f"{median(taken):.1f} ms",
        f"{slowest:.1f} ms",
        "yes" if slowest < MILLISECONDS_MAX else "no",
        f"{weight / 1000:.1f} kB in {number} files",
        "yes" if weight < WEIGHT_MAX else "no",
    ]
    header = [
        "p50 of GET /sign-in",
        "p95",
        f"below {MILLISECONDS_MAX:.0f} ms",
        "weight",
        f"below {WEIGHT_MAX / 1000:.0f} kB",
    ]
    return (
        f"{report.table(header, [row])}\n\n{OPENINGS} openings, one after the other, compressed as browsers ask for it."
    )


def _get(browser: HTTPConnection, path: str, *, encoding: str = "gzip") -> bytes:
    browser.request("GET", path, headers={"Host": "localhost", "Accept-Encoding": encoding})
    answer = browser.getresponse()
    body = answer.read()
    if answer.status != 200:
        raise RuntimeError(f"GET {path} was answered {answer.status}")
    return body


def _own_database(number: int, *, url: str, directory: Path) -> str:
    """Return the URL of an empty database."""
    name = f"pages{number}"
    return f"sqlite:///{directory}/{name}.sqlite3" if url.startswith("sqlite:") else create_database(name, url=url)


def _server_of(database_url: str) -> Process:
    """Return the PostgreSQL server on this machine. Its first process started the one of each connection."""
    with psycopg.connect(database_url) as connection:
        status = Path(f"/proc/{connection.info.backend_pid}/status").read_text()
    [parent] = re.findall(r"^PPid:\s+(\d+)$", status, flags=re.MULTILINE)
    return Process(pid=int(parent), port=0)
