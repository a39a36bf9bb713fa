"""Concurrent imports of the same users."""

from collections import Counter
from functools import partial
from pathlib import Path

import pytest

from accounts.models import Account
from accounts.ops.transfer.importing import Plan, Step, import_users
from accounts.ops.transfer.records import Record
from accounts.ops.transfer.rows import Terms
from accounts.ops.transfer.seen import SeenKeys
from core.clock import now
from events.models import Event
from tests.client import PASSWORD, Api

from .crowd import ROUNDS, Crowd

ROWS = 60


def import_all(path: Path, *, prefix: str) -> list[Step]:
    records = (
        Record(number=number, value={"email": f"{prefix}{number}@example.com", "id": f"{prefix}{number}"})
        for number in range(1, ROWS + 1)
    )
    with SeenKeys(path) as seen:
        return list(import_users(records, plan=Plan(terms=Terms(source="race", now=now())), seen=seen))


@pytest.mark.django_db(transaction=True)
def test_each_user_is_imported_once_and_a_sign_up_in_between_refuses_only_its_row(tmp_path: Path) -> None:
    with Crowd(3) as crowd:
        for number in range(ROUNDS):
            prefix = f"round{number}-"
            body = {"email": f"{prefix}7@example.com", "password": PASSWORD}

            *imports, signed_up = crowd.at_once(
                partial(import_all, tmp_path / f"{number}a", prefix=prefix),
                partial(import_all, tmp_path / f"{number}b", prefix=prefix),
                partial(Api().post, "/v1/signup", body),
            )

            steps = [step for each in imports for step in each]
            accounts = Account.objects.filter(email_key__startswith=prefix)
            assert accounts.count() == ROWS
            assert sum(step.imported for step in steps) == ROWS - (signed_up.status == 201)
            assert sum(step.imported + step.present + len(step.refusals) for step in steps) == 2 * ROWS
            assert {refusal.number for step in steps for refusal in step.refusals} <= {7}
            keys = [str(key) for key in accounts.values_list("pk", flat=True)]
            events = Event.objects.filter(type__in=("account_imported", "signup_success"), user_id__in=keys)
            assert Counter(events.values_list("user_id", flat=True)) == Counter(keys)
