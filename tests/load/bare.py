"""A WSGI application that does nothing, on the service's own server program: `python -m tests.load.bare PORT WORKERS`."""

import multiprocessing
import sys
from collections.abc import Callable, Iterable
from typing import Any

from config.serving.management.commands.serve import _serve_web

BODY = b'{"data":{"user_id":"01990000-0000-7000-8000-000000000000"}}'
HEADERS = [("Content-Type", "application/json"), ("Content-Length", str(len(BODY)))]


def answer(_environ: dict[str, Any], start_response: Callable[[str, list[tuple[str, str]]], object]) -> Iterable[bytes]:
    """Answer every request in the same way."""
    start_response("200 OK", HEADERS)
    return (BODY,)


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    _serve_web(answer, address="127.0.0.1", port=int(sys.argv[1]), workers=int(sys.argv[2]))
