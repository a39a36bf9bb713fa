import pytest
from pytest_django import Settings
from time_machine import TimeMachineFixture

from core.db import ids
from core.http.access_log import request_id_of_context
from events.logs.shipping import ShippingHandler

from .collecting import NOW, UseShipping


@pytest.fixture(autouse=True)
def _clock(time_machine: TimeMachineFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ids, "_sequence", ids._Sequence())
    request_id_of_context.set("")
    time_machine.move_to(NOW, tick=False)


@pytest.fixture(autouse=True)
def use_shipping(settings: Settings) -> UseShipping:
    """Ship to the given address from now on. Until the first call, lines go nowhere."""
    before = dict(settings.AUTH_SERVICE)

    def use(target: str, **others: str) -> None:
        settings.AUTH_SERVICE = {**before, "LOG_SHIPPING": target, **others}

    use("record")
    return use


@pytest.fixture
def handlers_without_thread(monkeypatch: pytest.MonkeyPatch) -> list[ShippingHandler]:
    """Prevent threads from storing lines. Return the handlers that would have started a thread."""
    handlers: list[ShippingHandler] = []

    def start(handler: ShippingHandler) -> None:
        handlers.append(handler)

    monkeypatch.setattr(ShippingHandler, "_store_periodically", start)
    return handlers
