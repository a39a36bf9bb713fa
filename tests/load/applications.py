"""`./dev bench --applications`: a refresh of an application at the token endpoint beside one of `/v1/refresh`."""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median
from urllib.parse import parse_qs, urlencode, urlsplit

import requests

from tests.processes.running import ROOT

from . import report
from .contest import Contender, Sample, measure_in_turn
from .driver import Load
from .pages import Deployment
from .paths import CONNECTIONS, Stock, refresh_load
from .service import PASSWORD, PATIENCE, Service

SESSION, ACCESS, IDENTITY = "/v1/refresh", "application, no ID token", "application, ID token"
RATIO_MAX = 1.2
_BACK = "https://app.example.com/back"
_FORM = "application/x-www-form-urlencoded"


def measure_applications(*, rounds: int, seconds: float, variables: Mapping[str, str], directory: Path) -> str:
    """Return the table of the refreshes. The one without an ID token signs as many tokens as `/v1/refresh`."""
    with Service(variables=variables, directory=directory) as service:
        stock = Stock(service.port)
        client = _register(variables)
        browser = _signed_in(service.port, email=stock.email(1))
        loads: dict[str, Callable[[float], Load]] = {
            SESSION: lambda _: refresh_load(stock, connections=CONNECTIONS),
            ACCESS: lambda _: _load(browser, client, scope="email", port=service.port),
            IDENTITY: lambda _: _load(browser, client, scope="openid email", port=service.port),
        }
        deployment = Deployment(service, database_url=variables["DATABASE_URL"])
        contender = Contender(name="Gatehouse", server="granian", process=deployment, loads=loads)
        found = measure_in_turn([contender], paths=list(loads), rounds=rounds, seconds=seconds)
    samples = {path: taken for (path, _, _), taken in found.items()}
    rows = [_row(path, samples[path], beside=samples[SESSION]) for path in loads]
    table = report.table(["refresh", "requests/s", "CPU per request", "ratio", f"at most {RATIO_MAX}"], rows)
    return (
        f"{table}\n\nAll refreshes run in turn on one service. The CPU time is that of the web processes and of the "
        "database. `/v1/refresh` signs one token. An application with the scope `openid` gets two."
    )


def _row(path: str, samples: Sequence[Sample], *, beside: Sequence[Sample]) -> list[str]:
    ratios = [ours.cpu / theirs.cpu for ours, theirs in zip(samples, beside, strict=True)]
    figures = [
        report.spread([one.rate for one in samples], "{:,.0f}"),
        report.spread([one.cpu for one in samples], "{:,.0f} µs"),
    ]
    if path == SESSION:
        return [path, *figures, "", ""]
    return [path, *figures, report.spread(ratios, "{:.2f}"), "yes" if median(ratios) <= RATIO_MAX else "no"]


def _register(variables: Mapping[str, str]) -> Mapping[str, str]:
    """Return the `client_id` and the `client_secret` of a new client."""
    command = ["clients", "create", "Load", "--first-party", "--without-pkce", "--redirect-uri", _BACK]
    printed = subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=ROOT,
        env={**os.environ, **variables},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout
    return dict(line.split(maxsplit=1) for line in printed.splitlines() if line.startswith("client_"))


def _signed_in(port: int, *, email: str) -> requests.Session:
    """Return a browser in which the person is signed in. It names the host whose pages the service serves."""
    browser = requests.Session()
    browser.headers.update({"Host": "localhost", "Sec-Fetch-Site": "same-origin"})
    form = {"email": email, "password": PASSWORD, "next": "/account/"}
    browser.post(f"http://127.0.0.1:{port}/sign-in", data=form, timeout=PATIENCE, allow_redirects=False)
    return browser


def _load(browser: requests.Session, client: Mapping[str, str], *, scope: str, port: int) -> Load:
    """Let each connection refresh its own session of the client repeatedly."""
    tokens = [_refresh_token(browser, client, scope=scope, port=port) for _ in range(CONNECTIONS)]
    before = urlencode({"grant_type": "refresh_token", **client}) + "&refresh_token="
    return Load.post(
        "/oauth2/token",
        body=(before, ""),
        values=tokens,
        connections=CONNECTIONS,
        next_value="refresh_token",
        media_type=_FORM,
    )


def _refresh_token(browser: requests.Session, client: Mapping[str, str], *, scope: str, port: int) -> str:
    asked = {"client_id": client["client_id"], "redirect_uri": _BACK, "response_type": "code", "scope": scope}
    service = f"http://127.0.0.1:{port}/oauth2"
    answer = browser.get(f"{service}/authorize", params=asked, timeout=PATIENCE, allow_redirects=False)
    [code] = parse_qs(urlsplit(answer.headers["Location"]).query)["code"]
    form = {"grant_type": "authorization_code", "code": code, "redirect_uri": _BACK, **client}
    return str(browser.post(f"{service}/token", data=form, timeout=PATIENCE).json()["refresh_token"])
