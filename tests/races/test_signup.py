"""Concurrent sign-ups for one address in several spellings."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import connection

from accounts.host.users import belong_to_host
from accounts.models import Account
from tests.client import PASSWORD, Api

from .crowd import ROUNDS, Crowd

SPELLINGS = (
    "ren\u00e9e{}@example.com",
    "RENE\u0301E{}@example.com",
    " Ren\u00e9e{}@Example.COM",
    "\uff32en\u00e9e{}@example.com",
)


@pytest.mark.django_db(transaction=True)
def test_an_address_in_several_spellings_gets_one_account() -> None:
    callers = [Api() for _ in range(16)]

    with Crowd(len(callers)) as crowd:
        for number in range(ROUNDS):
            spellings = [spelling.format(number) for spelling in SPELLINGS] * 4

            answers = crowd.at_once(
                *[
                    partial(api.post, "/v1/signup", {"email": email, "password": PASSWORD})
                    for api, email in zip(callers, spellings, strict=True)
                ]
            )

            assert Counter(answer.status for answer in answers) == {201: 1, 409: 15}
            assert {answer.code for answer in answers if answer.status == 409} == {"user_exists"}
            assert Account.objects.count() == number + 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(not belong_to_host(), reason="only a host project has constraints that the service did not make")
def test_an_address_that_violates_the_hosts_unique_index_is_reported_as_taken() -> None:
    callers = [Api() for _ in range(8)]

    with unique_addresses(), Crowd(len(callers)) as crowd:
        for number in range(ROUNDS):
            body = {"email": f"alice{number}@example.com", "password": PASSWORD}

            answers = crowd.at_once(*[partial(api.post, "/v1/signup", body) for api in callers])

            assert Counter(answer.code for answer in answers if answer.status != 201) == {"user_exists": 7}


@contextmanager
def unique_addresses() -> Iterator[None]:
    """Add a unique index on the addresses of the users' table, as many host projects have."""
    model: Any = get_user_model()
    column = model._meta.get_field(model.get_email_field_name()).column
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE UNIQUE INDEX one_address ON {model._meta.db_table} (LOWER({column}))")
        try:
            yield
        finally:
            cursor.execute("DROP INDEX one_address")
