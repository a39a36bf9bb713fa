"""Settings that nobody could serve with stop the start."""

import pytest
from django.conf import settings

from .conftest import Run

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(settings.ROOT_URLCONF != "config.urls", reason="a site has settings of its own"),
]


@pytest.mark.parametrize(
    "command", [("serve", "--port", "0"), ("check",), ("migrate",)], ids=lambda command: command[0]
)
@pytest.mark.parametrize(
    ("name", "value"),
    [("SECRET_KEY", ""), ("RATE_LIMITS", "login=20"), ("RATE_LIMITS", "foo=3/m"), ("CACHE_URL", "foo")],
)
def test_a_setting_that_is_missing_or_malformed_stops_every_command(
    manage: Run, command: tuple[str, ...], name: str, value: str
) -> None:
    running = manage(*command, **{name: value})

    assert running.exit_code() == 1
    assert f"{name} must be " in running.err.read_text().splitlines()[-1]
