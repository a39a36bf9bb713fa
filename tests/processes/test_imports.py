"""A start imports little: each import takes time, and memory in every process."""

import json

import pytest
from django.conf import settings
from django.db import connection

from .conftest import Run

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(settings.ROOT_URLCONF != "config.urls", reason="a site has modules of its own"),
]

FEW_NEED = {
    "requests": {"drf_spectacular.plumbing", "opentelemetry", "prometheus_client", "segno", "webauthn"},
    "commands": {
        "accounts.views",
        "askai.ask",
        "config.urls",
        "console.urls",
        "joserfc",
        "requests",
        "rest_framework.serializers",
        "ua_parser",
        "webauthn",
    },
    "clients": {"config.urls", "requests", "rest_framework.serializers"},
}

START = """
import config.wsgi
from django.core.checks import run_checks
run_checks()
"""
COMMANDS = """
from django.core.management import call_command
for words in ["migrate --plan", "prune --dry-run", "service_keys list", "users invitations"]:
    call_command(*words.split(), skip_checks=False)
"""
CLIENTS = """
from django.core.management import call_command
call_command("clients", "list", skip_checks=False)
"""
REQUESTS = """
import json, sys
from django.test import Client
from config.serving.management.commands import serve
from config.wsgi import application
serve._preload()
serve._preload_keys()
client, loaded = Client(headers={"Host": "localhost"}), set(sys.modules)

def data(path, body):
    answer = client.post(path, json.dumps(body), content_type="application/json")
    assert answer.status_code in {200, 201}, answer.content
    return answer.json()["data"]

credentials = {"email": "alice@example.com", "password": "correct horse battery"}
data("/v1/signup", credentials)
tokens = data("/v1/refresh", {"refresh_token": data("/v1/login", credentials)["refresh_token"]})
for path in ["verify", "session", "sessions"]:
    answer = client.get(f"/v1/{path}", headers={"Authorization": f"Bearer {tokens['access_token']}"})
    assert answer.status_code == 200, answer.content
print("loaded", sorted(set(sys.modules) - loaded))
"""
WORKER = """
import os, signal, sys, threading
from accounts.management.commands.worker import run_worker
# The thread of the timer inherits the mask. Otherwise the signal would end the process.
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
threading.Timer(1, os.kill, (os.getpid(), signal.SIGTERM)).start()
run_worker()
print("accounts.migrations" in sys.modules)
"""
COLLECTOR = """
import gc, json
print(json.dumps([gc.isenabled(), gc.get_freeze_count(), sum(each["collections"] for each in gc.get_stats())]))
"""


@pytest.mark.skipif(connection.vendor != "sqlite", reason="on PostgreSQL, each command imports the driver")
def test_a_command_on_sqlite_does_not_import_the_driver_of_postgresql(manage: Run) -> None:
    running = manage("shell", "--no-imports", "-c", f"{COMMANDS}\nimport sys; print('psycopg' in sys.modules)")

    assert running.exit_code() == 0, running.err.read_text()
    assert running.out.read_text().splitlines()[-1] == "False"


@pytest.mark.parametrize(
    ("code", "libraries"), [(START, "requests"), (COMMANDS, "commands"), (CLIENTS, "clients")], ids=FEW_NEED
)
def test_a_start_imports_no_library_that_few_of_its_kind_need(manage: Run, code: str, libraries: str) -> None:
    count = f"import sys; print('loaded', sorted({FEW_NEED[libraries]} & set(sys.modules)))"

    running = manage("shell", "--no-imports", "-c", f"{code}\n{count}")

    assert running.exit_code() == 0, running.err.read_text()
    assert running.out.read_text().splitlines()[-1] == "loaded []"


def test_the_requests_of_a_session_load_no_module_in_a_web_process(manage: Run) -> None:
    running = manage("shell", "--no-imports", "-c", REQUESTS)

    assert running.exit_code() == 0, running.err.read_text()
    assert running.out.read_text().splitlines()[-1] == "loaded []"


def test_the_worker_of_the_service_reads_no_migration(manage: Run) -> None:
    """The service has migrated before. The migrations would take 12 MiB in the worker."""
    running = manage("shell", "--no-imports", "-c", WORKER)

    assert running.exit_code() == 0, running.err.read_text()
    assert running.out.read_text().splitlines()[-1] == "False"


def test_the_collector_searches_no_module_during_a_start(manage: Run) -> None:
    running = manage("shell", "--no-imports", "-c", COLLECTOR)

    assert running.exit_code() == 0
    enabled, frozen, collections = json.loads(running.out.read_text())
    assert enabled
    assert frozen > 100_000
    # The start itself allocates enough for 250 collections.
    assert collections < 20


def test_the_end_of_a_request_runs_only_the_check_of_the_connection(manage: Run) -> None:
    code = (
        "import config.wsgi; from django.core.signals import request_finished, request_started; "
        "print([[receiver().__name__ for _, receiver, *_ in signal.receivers] for signal in (request_started, request_finished)])"
    )

    running = manage("shell", "--no-imports", "-c", code)

    assert running.exit_code() == 0, running.err.read_text()
    assert running.out.read_text().splitlines()[-1] == "[[], ['close_failed_connection']]"
