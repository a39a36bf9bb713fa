"""The changes that each role permits, in the pages and below /v1/admin."""

from collections.abc import Callable

import pytest

from accounts.host import users
from accounts.management.users.os_user import find_os_user
from console.models import Operator
from console.operators.grants import find_rights
from console.roles import Right, Role, rights_of
from core.http.view import Auth
from tests.console_browser import grant, sign_in_with_app, signed_in
from tests.contract.mounted import operations_and_pages
from tests.operators import Console
from tests.people import Person, existing

from .flagged import guess_at

Configure = Callable[..., None]

pytestmark = pytest.mark.usefixtures("full_deployment", "db")

FOR_EVERY_OPERATOR = {
    "console/time-zone",
}
"""The forms that change nothing of the service."""

WIDGET = {"enabled": True, "greeting": "Hello", "placeholder": "", "allowed_origins": [], "entities": []}


def console_of(person: Person, role: str) -> Console:
    grant(person, role=role)
    return Console(person.log_in())


def contract_writes(console: Console, alice: Person) -> list[tuple[int, str]]:
    """Call the contract's three writes, and return the status and the message of each."""
    answers = [
        console.put(f"/users/{alice.user_id}/metadata/plan", {"value": "gold"}),
        console.put(f"/anomalies/{guess_at(alice)}", {"status": "confirmed"}),
        console.put("/settings/ask-ai-widget", WIDGET),
    ]
    return [(answer.status, answer.body.get("error", {}).get("message", "")) for answer in answers]


@pytest.mark.parametrize(
    ("role", "statuses"),
    [
        ("reader", [403, 403, 403]),
        ("support", [200, 200, 403]),
        ("admin", [200, 200, 200]),
        ("superadmin", [200, 200, 200]),
    ],
)
def test_each_role_has_its_writes_below_v1_admin(alice: Person, role: str, statuses: list[int]) -> None:
    console = console_of(existing("olivia"), role)

    answers = contract_writes(console, alice)

    assert [status for status, _ in answers] == statuses
    assert all(("Your role does not let you " in message) == (status == 403) for status, message in answers)
    assert console.get("/users").status == 200


@pytest.mark.parametrize(("role", "status"), [("reader", 403), ("superadmin", 403), ("support", 303), ("admin", 303)])
def test_each_role_has_its_writes_in_the_pages(alice: Person, configure: Configure, role: str, status: int) -> None:
    configure(OPERATOR_ACTS="on")
    olivia = existing("olivia")
    grant(olivia, role=role)
    browser = sign_in_with_app(olivia)

    browser.submit(f"users/{alice.user_id}/acts", {"act": "sign-out", "reason": "A call"})

    assert browser.status == status
    assert ("Your role does not let you act on accounts" in browser.text) == (status == 403)
    browser.submit(f"users/{alice.user_id}/metadata", {"key": "plan", "value": '"gold"'})
    assert (browser.status == 403) == (role == "reader")
    assert browser.open(f"users/{alice.user_id}").status == 200
    assert ("Your role only reads accounts" in browser.text) == (status == 403)


def test_a_grant_from_before_the_roles_keeps_the_contracts_writes_and_an_admin_is_one(alice: Person) -> None:
    olivia = existing("olivia")
    grant(olivia, role="support")
    # The row that a release without roles wrote.
    Operator.objects.filter(pk=users.to_account_id(olivia.user_id)).update(granted_role=None)

    assert [status for status, _ in contract_writes(Console(olivia.log_in()), alice)] == [200, 200, 200]
    assert Right.ACT not in rights_of(None)

    Operator.objects.filter(pk=users.to_account_id(olivia.user_id)).update(role="admin")
    assert find_rights(user_id=olivia.user_id) == rights_of(Role.ADMIN)


def test_every_page_that_writes_declares_the_right_that_it_needs() -> None:
    without = {
        path[path.index("console/") :]
        for path, view in operations_and_pages().items()
        if path.startswith("POST ")
        and view.__module__.startswith("console.browser.")
        and view.auth is Auth.ADMIN
        and not hasattr(view, "writes_need")
    }

    exports = {path for path in without if path.startswith("console/export/") or path == "console/users/{}/data"}
    assert without - exports == FOR_EVERY_OPERATOR


def test_the_page_of_operators_shows_each_role_and_who_granted_it(configure: Configure, alice: Person) -> None:
    configure(OPERATOR_SECOND_FACTOR="optional")
    olivia = existing("olivia")
    grant(olivia)
    grant(alice, role="night shift")
    browser = signed_in(olivia)

    browser.open("operators")

    row = browser.text.partition(f">{alice.email}</a>")[2].partition("</tr>")[0]
    assert "night shift" in row
    assert "a label of yours" in row
    assert find_os_user() in row
    assert f"Made an account an operator, as night shift, run by {find_os_user()}" in browser.text
