"""Concurrent events that each mail the account owner."""

from functools import partial

import pytest
from pytest_django import Settings

from accounts.models import OutgoingMail
from tests.client import Api
from tests.people import sign_up
from tests.places import caller_elsewhere

from .crowd import ROUNDS, Crowd

pytestmark = pytest.mark.django_db(transaction=True)

CALLERS = 16


@pytest.fixture(autouse=True)
def _mail(settings: Settings) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "EMAIL_URL": "file:///unused", "EMAIL_VERIFICATION": "off"}


def test_concurrent_api_keys_mail_the_owner_five_times() -> None:
    with Crowd(CALLERS) as crowd:
        for number in range(ROUNDS):
            session = sign_up(f"alice{number}").log_in()

            create = partial(Api().post, "/v1/api-keys", {"name": "x"}, token=session.access)
            answers = crowd.at_once(*[create] * CALLERS)

            assert {answer.status for answer in answers} == {201}
            assert OutgoingMail.objects.filter(account=session.person.account()).count() == 5


def test_concurrent_sign_ins_from_new_places_mail_the_owner_five_times() -> None:
    with Crowd(CALLERS) as crowd:
        for number in range(ROUNDS):
            alice = sign_up(f"alice{number}")
            alice.log_in()
            places = [caller_elsewhere(place) for place in range(CALLERS)]

            crowd.at_once(*[partial(alice.log_in, place) for place in places])

            assert OutgoingMail.objects.filter(account=alice.account()).count() == 5
