"""What only a foreign site has: its own users, with integer keys and addresses that may be doubled."""

from io import StringIO
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command

from accounts import hashing
from accounts.models import Account
from tests.client import PASSWORD, Api
from tests.people import Person

People: Any = get_user_model()

pytestmark = pytest.mark.skipif(
    settings.AUTH_USER_MODEL == "authsvc_accounts.User", reason="the standalone project's users are its own"
)


def make(handle: str, contact: str, **fields: object) -> int:
    person = People(handle=handle, contact=contact, password=hashing.hash_password(PASSWORD), **fields)
    person.save()
    return int(person.pk)


def log_in(api: Api, email: str, password: str = PASSWORD) -> str:
    answer = api.post("/v1/login", {"email": email, "password": password})
    return answer.code if answer.status >= 400 else "ok"


def test_a_user_of_the_site_gets_an_account_at_the_first_login(api: Api) -> None:
    key = make("carol", "carol@example.com")

    tokens = api.post("/v1/login", {"email": "carol@example.com", "password": PASSWORD}).data

    assert api.get("/v1/verify", token=tokens["access_token"]).data == {"user_id": str(key)}
    assert Account.objects.get().email_key == "carol@example.com"


def test_the_very_first_wrong_password_counts(api: Api) -> None:
    make("carol", "carol@example.com")

    log_in(api, "carol@example.com", "wrong")

    assert Account.objects.get().failed_attempts == 1


def test_users_who_share_an_address_cannot_log_in_by_it(api: Api) -> None:
    make("carol", "shared@example.com")
    make("dave", "shared@example.com")

    assert log_in(api, "shared@example.com") == "invalid_credentials"
    assert not Account.objects.exists()


def test_who_was_shut_out_by_the_site_gets_in_nowhere(api: Api, alice: Person) -> None:
    session = alice.log_in()
    People._default_manager.filter(pk=alice.user_id).update(is_active=False)

    assert log_in(api, alice.email) == "invalid_credentials"
    assert api.post("/v1/refresh", {"refresh_token": session.refresh}).code == "invalid_token"
    assert api.post("/v1/logout-all", token=session.access).code == "invalid_access_token"


def test_signup_makes_a_user_of_the_site_with_a_name_of_its_own(alice: Person) -> None:
    person = People._default_manager.get(pk=alice.user_id)

    assert (person.contact, person.nickname) == ("alice@example.com", "nobody")
    assert len(person.handle) == 36


def test_link_accounts_makes_every_account_and_names_who_was_left_out(alice: Person) -> None:
    carol = make("carol", "Carol@example.com")
    dave, erin, frank = make("dave", "two@example.com"), make("erin", "TWO@example.com"), make("frank", "")
    output = StringIO()

    call_command("link_accounts", stdout=output)
    call_command("link_accounts", stdout=StringIO())

    assert set(Account.objects.values_list("pk", flat=True)) == {int(alice.user_id), carol}
    lines = output.getvalue().splitlines()
    assert {int(line.split()[3].rstrip(":")) for line in lines[:-1]} == {dave, erin, frank}
    assert "1 linked, 3 left out" in lines[-1]


def test_the_sites_own_pages_are_the_sites(api: Api) -> None:
    assert api.client.get("/").content == b"the site's own page"
