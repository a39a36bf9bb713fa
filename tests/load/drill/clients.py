"""Tabs of Chromium share a session with short tokens, while requests and answers are lost."""

import time
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import BrowserContext, Page

from tests.browser.chromium import find_chromium, launched
from tests.clients.building import built_client
from tests.clients.proxy import Fate, Proxy, proxying
from tests.load.service import PASSWORD, Caller, Service, environment

from .stage import Outcome, Progress, fresh_database

TABS = 20
SECONDS = 120
ACCESS_TOKEN_SECONDS = 5
LOST_SHARE = 0.2
"""The share of the calls of which the request or the answer is lost."""

EMAIL = "alice@example.com"
REFRESH = "/v1/refresh"
SCRIPT = """
import { Gatehouse } from "/client.js";
const count = (name) => (sessionStorage[name] = Number(sessionStorage[name] ?? 0) + 1);
const options = { baseUrl: location.origin, storage: localStorage, onSignedOut: () => count("signed out") };
window.client = new Gatehouse(options);
window.work = async () => {
  while (!window.isOver) {
    await client.request("GET", "/v1/sessions").then(() => count("answered"), (error) => count(error.code));
    await new Promise((resolve) => setTimeout(resolve, 1000 * Math.random()));
  }
};
"""


def clients(*, directory: Path) -> Outcome:
    """Run the tabs. From time to time, reload a tab, or close one and open another."""
    path = find_chromium()
    if path is None:
        raise RuntimeError("no Chromium here")
    try:
        script = (built_client() / "dist" / "index.js").read_text()
    except pytest.skip.Exception as missing:
        raise RuntimeError(str(missing)) from None
    progress, random, lost = Progress("clients"), Random(), Counter[Fate]()

    def fate(_path: str) -> Fate:
        decided: Fate = random.choice(("lose request", "lose answer")) if random.random() < LOST_SHARE else "pass"
        lost[decided] += 1
        return decided

    with fresh_database("postgresql", directory=directory) as url:
        variables = environment(database_url=url, directory=directory)
        variables["ACCESS_TOKEN_SECONDS"] = str(ACCESS_TOKEN_SECONDS)
        with (
            Service(variables=variables, directory=directory) as service,
            proxying(service.port) as proxy,
            launched(path) as browser,
        ):
            Caller(service.port).get_data("POST", "/v1/signup", {"email": EMAIL, "password": PASSWORD})
            proxy.pages = {
                "/": ("text/html", f'<!doctype html><script type="module">{SCRIPT}</script>'),
                "/client.js": ("text/javascript", script),
            }
            context = browser.new_context(base_url=proxy.url)
            tabs = [_open(context) for _ in range(TABS)]
            tabs[0].evaluate("([email, password]) => client.login(email, password)", [EMAIL, PASSWORD])
            proxy.fate = fate
            noted, leavings = _work(tabs, proxy=proxy, random=random, progress=progress)
            proxy.fate = lambda _path: "pass"
            for tab in tabs:
                noted += _counts(tab)
                noted["in the end"] += tab.evaluate("client.request('GET', '/v1/sessions').then(() => 1, () => 0)")
            faults = service.faults()
    wrong = {code: number for code, number in noted.items() if code not in {"answered", "no_answer", "in the end"}}
    dead = TABS - noted["in the end"]
    return Outcome(
        drill="clients",
        done=f"{TABS} tabs on tokens of {ACCESS_TOKEN_SECONDS} s for {SECONDS} s; {leavings} tabs reloaded or closed",
        lost=[
            *[f"{code}, {number} times" for code, number in wrong.items()],
            *([f"{dead} tabs without a session in the end"] if dead else []),
            *faults,
        ],
        figures=(
            f"{noted['answered']:,} requests answered, {noted['no_answer']} without an answer; "
            f"{len(set(proxy.keys(path=REFRESH)))} refreshes by {len(proxy.keys(path=REFRESH))} calls; "
            f"{lost['lose request']} requests and {lost['lose answer']} answers lost by the proxy"
        ),
    )


def _work(tabs: list[Page], *, proxy: Proxy, random: Random, progress: Progress) -> tuple[Counter[str], int]:
    """Let all tabs work. Return the counts of the closed tabs, and the number of reloaded and closed tabs."""
    noted, leavings = Counter[str](), 0
    for tab in tabs:
        tab.evaluate("work(); 0")
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        index = random.randrange(TABS)
        tab = tabs[index]
        tab.wait_for_timeout(1000 * random.random())
        if random.random() < 0.5:
            tab.reload()
            tab.wait_for_function("window.work !== undefined")
        else:
            noted += _counts(tab)
            tab.close()
            tabs[index] = tab = _open(tab.context)
        tab.evaluate("work(); 0")
        leavings += 1
        signed_out = noted["signed out"] + sum(_counts(tab)["signed out"] for tab in tabs)
        progress.report(f"{len(proxy.keys(path=REFRESH))} calls to refresh, {signed_out} tabs signed out")
    for tab in tabs:
        tab.evaluate("window.isOver = true")
    return noted, leavings


def _open(context: BrowserContext) -> Page:
    tab = context.new_page()
    tab.goto("/")
    tab.wait_for_function("window.work !== undefined")
    return tab


def _counts(tab: Page) -> Counter[str]:
    """Return the outcomes of the requests of the tab, also of those before a reload."""
    counts: dict[str, str] = tab.evaluate("({ ...sessionStorage })")
    return Counter({name: int(number) for name, number in counts.items()})
