"""Libraries that few requests need are imported at their first use, because they take memory in every process."""

import pytest
from django.conf import settings

from .conftest import Run

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(settings.ROOT_URLCONF != "config.urls", reason="a site has modules of its own"),
]

SCRIPT = """
import sys
import config.wsgi
from django.core.checks import run_checks
run_checks()
print(sorted({"drf_spectacular.plumbing", "opentelemetry", "prometheus_client", "segno", "webauthn"} & set(sys.modules)))
"""


def test_the_start_imports_no_library_that_few_requests_need(manage: Run) -> None:
    running = manage("shell", "--no-imports", "-c", SCRIPT)

    assert running.exit_code() == 0
    assert running.out.read_text() == "[]\n"
