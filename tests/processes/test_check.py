"""`manage.py check --deploy`, which an administrator runs before the first start."""

import re

import pytest
from django.conf import settings

from tests.operators import only_on_full

from .conftest import Run
from .running import ROOT
from .variables import without_findings as good

pytestmark = [
    pytest.mark.django_db(transaction=True),
    only_on_full,
    pytest.mark.skipif(settings.ROOT_URLCONF != "config.urls", reason="a site checks itself"),
]


def test_a_well_configured_full_deployment_has_no_finding(manage: Run) -> None:
    documented = re.findall(r"^\| `OAUTH_<NAME>_(\w+)`", (ROOT / "docs" / "settings.md").read_text(), re.MULTILINE)
    of_providers = {f"OAUTH_{provider}_{name}": "" for name in documented for provider in ("GOOGLE", "MY_SHOP")}

    checked = manage("check", "--deploy", "--fail-level", "WARNING", **good(), **of_providers)

    assert len(documented) >= 5
    assert (checked.exit_code(), checked.err.read_text()) == (0, "")
    assert checked.out.read_text().startswith("System check identified no issues")


WEAK = {
    "BASE_URL": ("http://auth.example.com", "BASE_URL is not https, so tokens are sent unencrypted."),
    "EMAIL_URL": ("off", "EMAIL_URL sends no mail, so users who forgot their password cannot sign in."),
    "RATE_LIMITS": ("login=off,mail=off", "RATE_LIMITS turns these limits off: login, mail."),
    "RECENT_LOGIN_SECONDS": (
        "off",
        "RECENT_LOGIN_SECONDS is off, so a stolen access token can take the whole account over.",
    ),
    "ARGON2_TIME": (
        "1",
        "ARGON2_MEMORY_KIB and ARGON2_TIME are too low: an attacker can guess passwords cheaply.",
    ),
    "TRUSTED_PROXIES": (
        "10.0.0.0/8",
        "A client can forge its IP address if a proxy passes the header X_Forwarded_For on.",
    ),
    "SIGNING_KEYS_FILE": (
        "/proc/1/status/x",
        "SIGNING_KEYS_FILE: /proc/1/status/x cannot be made, because /proc/1/status",
    ),
    "ALLOWED_HOSTS": ("*", "ALLOWED_HOSTS is *, so the service accepts every Host header."),
}
"""For each setting, a weak value and the finding."""


def test_each_weak_setting_causes_exactly_one_finding(manage: Run) -> None:
    weak = {name: value for name, (value, _) in WEAK.items()}

    checked = manage("check", "--deploy", "--fail-level", "WARNING", **{**good(), **weak})

    assert checked.exit_code() == 1
    found = checked.err.read_text()
    assert [sentence for _, sentence in WEAK.values() if found.count(sentence) != 1] == []
    assert f"identified {len(WEAK)} issues" in found


def test_allowed_hosts_without_the_host_of_base_url_and_a_misspelt_variable_of_a_provider_cause_findings(
    manage: Run,
) -> None:
    wrong = {"ALLOWED_HOSTS": "localhost,example.com", "OAUTH_GOOGLE_CLIENT_SECRETS": "x"}

    checked = manage("check", "--deploy", "--fail-level", "WARNING", **good(), **wrong)

    assert checked.exit_code() == 1
    found = checked.err.read_text()
    assert "ALLOWED_HOSTS lacks auth.example.com, the host of BASE_URL, so the service refuses its users." in found
    assert "OAUTH_GOOGLE_CLIENT_SECRETS is not a setting of the service." in found
    assert "identified 2 issues" in found


@pytest.mark.parametrize("hosts", ["auth.example.com", ".example.com,localhost"])
def test_allowed_hosts_with_the_host_of_base_url_cause_no_finding(manage: Run, hosts: str) -> None:
    checked = manage("check", "--deploy", "--fail-level", "WARNING", **good(), ALLOWED_HOSTS=hosts)

    assert (checked.exit_code(), checked.err.read_text()) == (0, "")
