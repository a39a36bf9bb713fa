"""The requests that `instructions` counts: a process of its own under callgrind, which calls the application itself.

The process writes a JSON object to its standard output: the number of counted requests of each path, in their order. It
calls `getsid` before and after the requests of a path, and callgrind writes its counts at each call.
"""

import gc
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from typing import Any

from django.core.management import call_command
from django.test import RequestFactory

from config.wsgi import application
from core.threads import set_limits

from .service import PASSWORD

WARM_UP = 10
SESSIONS = 10
COUNTED = {"verify": 100, "session": 100, "sessions": 50, "refresh": 50, "login": 20}
AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0"


def main() -> None:
    """Sign up, warm up, and send the requests of each path between two calls of `getsid`."""
    call_command("migrate", interactive=False, verbosity=0)
    set_limits()
    credentials = {"email": "alice@example.com", "password": PASSWORD}
    data("POST", "/v1/signup", credentials)
    access = [data("POST", "/v1/login", credentials) for _ in range(SESSIONS)][-1]["access_token"]
    # The sessions of the refreshes belong to another account, so that the list stays one of ten sessions.
    other = {**credentials, "email": "bob@example.com"}
    data("POST", "/v1/signup", other)
    made: dict[str, Callable[[], dict[str, Any]]] = {
        "verify": lambda: environ("GET", "/v1/verify", token=access),
        "session": lambda: environ("GET", "/v1/session", token=access),
        "sessions": lambda: environ("GET", "/v1/sessions", token=access),
        "refresh": lambda: environ(
            "POST", "/v1/refresh", {"refresh_token": data("POST", "/v1/login", other)["refresh_token"]}
        ),
        "login": lambda: environ("POST", "/v1/login", other),
    }
    requests = {name: [make() for _ in range(WARM_UP + COUNTED[name])] for name, make in made.items()}
    for environs in requests.values():
        send(environs[:WARM_UP])
    # As in the web processes, the collector leaves all older objects alone.
    gc.collect()
    gc.freeze()
    subprocess.run(["callgrind_control", "--instr=on", str(os.getpid())], stdout=subprocess.DEVNULL, check=True)
    for environs in requests.values():
        os.getsid(0)
        send(environs[WARM_UP:])
        os.getsid(0)
    sys.stdout.write(json.dumps(COUNTED))


def environ(method: str, path: str, body: Mapping[str, str] | None = None, *, token: str = "") -> dict[str, Any]:
    """Return the WSGI environment of a request."""
    headers = {"Host": "localhost", "User-Agent": AGENT} | ({"Authorization": f"Bearer {token}"} if token else {})
    content = b"" if body is None else json.dumps(body).encode()
    request = RequestFactory().generic(method, path, content, content_type="application/json", headers=headers)
    return dict(request.environ)


def data(method: str, path: str, body: Mapping[str, str]) -> Any:
    """Return the payload of a successful answer."""
    return json.loads(_answer(environ(method, path, body)))["data"]


def send(environs: list[dict[str, Any]]) -> None:
    """Send the requests. Each must succeed."""
    for one in environs:
        _answer(one)


def _answer(one: dict[str, Any]) -> bytes:
    """Return the body of the answer, which is read and closed as a server does it."""
    body = application(one, _check)
    try:
        return b"".join(body)
    finally:
        if (close := getattr(body, "close", None)) is not None:
            close()


def _check(status: str, _headers: object) -> None:
    if status not in {"200 OK", "201 Created"}:
        raise RuntimeError(status)


if __name__ == "__main__":
    main()
