import pytest
from pytest_django import Settings
from time_machine import TimeMachineFixture

from core.db import ids
from events.webhooks import delivery

from .receiving import NOW, NOWHERE, OLD_SECRET, UseWebhook


@pytest.fixture(autouse=True)
def _clock(time_machine: TimeMachineFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ids, "_sequence", ids._Sequence())
    time_machine.move_to(NOW, tick=False)


@pytest.fixture(autouse=True)
def use_webhook(settings: Settings) -> UseWebhook:
    """Send events to the given address from now on. Until the first call, no server listens at the address."""
    before = dict(settings.AUTH_SERVICE)

    def use(url: str, **others: str) -> None:
        own = {"WEBHOOK_URL": url, "WEBHOOK_SECRET": OLD_SECRET, "WEBHOOK_ALLOW_PRIVATE": "on"}
        settings.AUTH_SERVICE = {**before, **own, **others}

    use(NOWHERE)
    return use


@pytest.fixture
def without_jitter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivery, "JITTER", 0)
