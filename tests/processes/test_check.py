"""`manage.py check --deploy`, which an administrator runs before the first start."""

import pytest
from django.conf import settings

from tests.operators import only_on_full

from .conftest import Run
from .surroundings import without_findings as good

pytestmark = [
    pytest.mark.django_db(transaction=True),
    only_on_full,
    pytest.mark.skipif(settings.ROOT_URLCONF != "config.urls", reason="a site checks itself"),
]


def test_a_well_configured_full_deployment_has_no_finding(manage: Run) -> None:
    checked = manage("check", "--deploy", "--fail-level", "WARNING", **good())

    assert (checked.exit_code(), checked.err.read_text()) == (0, "")
    assert checked.out.read_text().startswith("System check identified no issues")


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("BASE_URL", "http://auth.example.com", "BASE_URL is not https: tokens would travel in clear."),
        ("EMAIL_URL", "off", "EMAIL_URL sends no mail: a forgotten password cannot be got around."),
        ("RATE_LIMITS", "login=off,mail=off", "RATE_LIMITS bounds none of this: login, mail."),
        ("ARGON2_TIME", "1", "ARGON2_MEMORY_KIB and ARGON2_TIME make hashes that are cheap to guess at."),
        ("TRUSTED_PROXIES", "10.0.0.0/8", "A proxy that passes X_Forwarded_For on lets a caller choose its address."),
        ("ALLOWED_HOSTS", "*", "ALLOWED_HOSTS is *: any Host is taken for the service's."),
    ],
)
def test_a_weak_setting_causes_exactly_one_finding(manage: Run, name: str, value: str, sentence: str) -> None:
    checked = manage("check", "--deploy", "--fail-level", "WARNING", **{**good(), name: value})

    assert checked.exit_code() == 1
    assert sentence in checked.err.read_text()
    assert "identified 1 issue" in checked.err.read_text()
