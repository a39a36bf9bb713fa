"""Django's admin of the host project shows the service's rows to staff, and changes none of them."""

import subprocess
import sys
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import Account
from events.models import Event
from events.webhooks.models import Delivery
from sessions_app.models import Family, Token
from tests.factories import DeliveryFactory, EventFactory, HostUserFactory
from tests.people import Person

pytestmark = pytest.mark.skipif(
    settings.AUTH_USER_MODEL == "authsvc_accounts.User", reason="the standalone project has no admin"
)
PAGES = ("authsvc_accounts/account", "authsvc_accounts/event", "authsvc_accounts/delivery", "authsvc_sessions/family")


def staff(*names: str) -> Client:
    """Return a client of a new staff user with the permissions, each `app_label.codename`."""
    person = HostUserFactory.create(is_staff=True)
    for name in names:
        label, codename = name.split(".")
        # The site installs django.contrib.auth, whose models the standalone project cannot import.
        permissions: Any = apps.get_app_config("auth").get_model("Permission")
        person.user_permissions.add(permissions.objects.get(content_type__app_label=label, codename=codename))
    return client_of(person)


def client_of(person: Any) -> Client:
    client = Client()
    client.force_login(person)
    return client


@pytest.fixture
def superuser() -> Client:
    """A client of a user with all permissions."""
    return client_of(HostUserFactory.create(is_staff=True, is_superuser=True))


@pytest.fixture
def shown(alice: Person) -> dict[str, str]:
    """The address of the page of one row, by the address of its list."""
    alice.log_in()
    rows = {
        PAGES[0]: Account.objects.get(),
        PAGES[1]: Event.objects.filter(type="login_success").get(),
        PAGES[2]: DeliveryFactory.create(payload='{"type":"login_success"}'),
        PAGES[3]: Family.objects.get(),
    }
    return {f"/admin/{page}/": f"/admin/{page}/{row.pk}/change/" for page, row in rows.items()}


def rows_of(listing: str) -> list[dict[str, Any]]:
    """Return all rows of the list's table."""
    _, _, label, name, _ = listing.split("/")
    return list(apps.get_model(label, name)._default_manager.values())


def search(client: Client, page: str, text: str) -> int:
    """Return the number of rows that the list shows for the search."""
    answer = client.get(f"/admin/{page}/", {"q": text})
    assert answer.status_code == 200
    return int(answer.context["cl"].result_count)


def test_staff_with_the_view_permissions_see_each_row_and_no_secret(shown: dict[str, str]) -> None:
    client = staff(*(f"{page.replace('/', '.view_')}" for page in PAGES))
    token = Token.objects.get()

    for listing, page in shown.items():
        for address in (listing, page, page.replace("change", "history")):
            answer = client.get(address)
            html = answer.content.decode()
            assert answer.status_code == 200
            assert bytes(token.digest).hex() not in html
            assert "digest" not in html
        assert 'type="submit" value' not in client.get(page).content.decode()


def test_even_a_superuser_can_change_nothing(superuser: Client, shown: dict[str, str]) -> None:
    for listing, page in shown.items():
        delete = page.replace("change", "delete")
        before = rows_of(listing)

        answers = [
            superuser.get(f"{listing}add/"),
            superuser.post(f"{listing}add/", {}),
            superuser.post(page, {"type": "x"}),
            superuser.get(delete),
            superuser.post(delete, {"post": "yes"}),
            superuser.post(listing, {"action": "delete_selected", "_selected_action": page.split("/")[-3]}),
        ]

        assert [answer.status_code for answer in answers[:-1]] == [403] * 5
        assert rows_of(listing) == before


def test_staff_without_the_view_permissions_see_nothing(shown: dict[str, str]) -> None:
    client = staff("people.view_person")

    assert "authsvc_" not in client.get("/admin/").content.decode()
    assert {client.get(address).status_code for pair in shown.items() for address in pair} == {403}


def test_a_search_finds_rows_by_an_exact_address_or_id(superuser: Client, alice: Person) -> None:
    alice.log_in()
    EventFactory.create(ip="2001:db8::1")
    delivery = DeliveryFactory.create()

    assert search(superuser, PAGES[0], "ALICE@example.com") == 1
    assert search(superuser, PAGES[0], "alice@example") == 0
    assert search(superuser, PAGES[0], f" {alice.user_id} ") == 1
    assert search(superuser, PAGES[1], alice.user_id) == Event.objects.filter(user_id=alice.user_id).count()
    assert search(superuser, PAGES[1], "2001:DB8:0::1") == 1
    assert search(superuser, PAGES[2], str(delivery.pk)) == 1
    assert search(superuser, PAGES[3], alice.user_id) == 1
    assert [search(superuser, page, "' OR 1=1") for page in PAGES] == [0, 0, 0, 0]


def test_the_filters_select_by_type_and_status(superuser: Client, alice: Person) -> None:
    EventFactory.create(type="account_locked")
    DeliveryFactory.create(status=Delivery.Status.FAILED)

    locked = superuser.get(f"/admin/{PAGES[1]}/?type=account_locked").context["cl"]
    pending = superuser.get(f"/admin/{PAGES[2]}/?status=pending").context["cl"]

    assert (locked.result_count, pending.result_count) == (1, 0)


def test_a_list_refuses_other_lookups(superuser: Client, alice: Person) -> None:
    assert superuser.get(f"/admin/{PAGES[3]}/?tokens__digest__gte=0").status_code == 400
    assert superuser.get(f"/admin/{PAGES[0]}/?email_key__contains=a").status_code == 400


def test_a_list_neither_counts_nor_sorts_the_whole_table(superuser: Client, alice: Person) -> None:
    for page in PAGES:
        with CaptureQueriesContext(connection) as queries:
            superuser.get(f"/admin/{page}/?o=1")

        counted, listed = (query["sql"] for query in queries if f'FROM "{page.split("/")[0]}' in query["sql"])
        assert "LIMIT 10000" in counted
        assert "ORDER BY" not in counted
        assert listed.partition("ORDER BY")[2].split(".")[-1] in ('"id" DESC', '"user_id" DESC')


def test_staff_can_delete_a_user_with_the_account(alice: Person) -> None:
    alice.log_in()
    client = staff("people.view_person", "people.delete_person")

    answer = client.post(f"/admin/people/person/{alice.user_id}/delete/", {"post": "yes"})

    assert answer.status_code == 302
    assert not get_user_model()._default_manager.filter(pk=alice.user_id).exists()
    assert not Account.objects.exists()
    assert not Family.objects.exists()


def test_a_setting_turns_the_pages_off() -> None:
    program = (
        "import django; from django.conf import settings; settings.AUTH_SERVICE['DJANGO_ADMIN'] = 'off'; django.setup()\n"
        "from django.contrib import admin; print(*(model._meta.app_label for model in admin.site._registry))"
    )

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert "people" in done.stdout
    assert "authsvc" not in done.stdout
