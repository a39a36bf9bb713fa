"""Several workers, the owner and an operator at one planned act. The row of the act decides which of them comes first."""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import pytest
from pytest_django import Settings

from accounts.errors import VerificationTokenInvalid
from accounts.models import Event
from console.account_acts.catalogue import ActName
from console.account_acts.performing import Order, order_act
from console.account_acts.planned import PerformPlannedActs, cancel, stop_by_link
from console.models import PlannedAct
from core import clock
from core.http.client import Client
from core.keys.opaque import new_token
from mfa.models import Totp
from tests.operators import existing_operator, only_on_full
from tests.people import Person, existing
from tests.second_factors import enroll_totp

from .crowd import ROUNDS_OF_FEW, Crowd

pytestmark = [pytest.mark.django_db(transaction=True), only_on_full]

CLIENT = Client(ip="203.0.113.7", user_agent="")
REASON = "A race"


def plan(person: Person, *, operator_id: str, now: datetime) -> tuple[PlannedAct, str]:
    """Plan the removal of the factors, which is due now. Return the act and the raw token of its link."""
    order = Order(
        act=ActName.REMOVE_FACTORS, user_id=person.user_id, reason=REASON, operator_id=operator_id, client=CLIENT
    )
    order_act(order, now=now - timedelta(days=2))
    token = new_token()
    PlannedAct.objects.update(digest=token.digest)
    return PlannedAct.objects.get(), token.raw


def stop(token: str, *, now: datetime) -> None:
    with suppress(VerificationTokenInvalid):
        stop_by_link(token=token, client=CLIENT, now=now)


def test_a_planned_act_is_done_or_cancelled_exactly_once(settings: Settings, transactional_db: None) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "OPERATOR_ACTS": "on"}
    operator_id, alice, now = existing_operator("olivia").person.user_id, existing("alice"), clock.now()

    with Crowd(4) as crowd:
        for _ in range(ROUNDS_OF_FEW):
            if not Totp.objects.exists():
                enroll_totp(alice.log_in())
            planned, token = plan(alice, operator_id=operator_id, now=now)
            work: Callable[[], Any] = partial(PerformPlannedActs().run, now, lambda: False)
            call_off = partial(
                cancel,
                planned_id=str(planned.pk),
                user_id=alice.user_id,
                reason=REASON,
                operator_id=operator_id,
                client=CLIENT,
                now=now,
            )
            Event.objects.filter(type="operator_acted").delete()

            crowd.at_once(work, work, call_off, partial(stop, token, now=now))

            (step,) = Event.objects.filter(type="operator_acted").values_list("metadata__step", flat=True)
            assert step in {"done", "cancelled"}
            assert Totp.objects.exists() == (step == "cancelled")
            assert not PlannedAct.objects.exists()
