"""The pages of users: the state of an account, and the open invitations."""

from tests.api.users.commands import users
from tests.console_browser import Browser, prefix
from tests.people import Person


def test_a_deactivated_account_shows_its_state_and_the_command_to_copy(
    browser: Browser, olivia: Person, bob: Person
) -> None:
    browser.open(f"users/{bob.user_id}")
    assert f"manage.py users deactivate {bob.user_id}</pre>" in browser.text
    assert ">Deactivated</span>" not in browser.text

    users("deactivate", bob.email)

    browser.open(f"users/{bob.user_id}")
    assert '<span class="badge bad">Deactivated</span></h1>' in browser.text
    assert f"manage.py users reactivate {bob.user_id}</pre>" in browser.text
    browser.open("users")
    rows = {row.partition("</tr>")[0] for row in browser.text.split("<tr>")}
    (shown,) = [row for row in rows if f'href="{prefix()}users/{bob.user_id}"' in row]
    assert ">Deactivated</span>" in shown
    assert browser.text.count(">Deactivated</span>") == 1


def test_the_acts_of_the_command_line_are_listed_with_the_user_of_the_system(
    browser: Browser, olivia: Person, bob: Person
) -> None:
    users("sign-out", bob.email)
    users("invite", "carol@example.com")

    browser.open("operators")

    assert "Ran users sign-out as " in browser.text
    assert f'href="{prefix()}users/{bob.user_id}">{bob.email}</a>' in browser.text
    assert "Ran users invite as " in browser.text


def test_open_invitations_are_listed_below_the_users(browser: Browser, olivia: Person) -> None:
    browser.open("users")
    assert "Open invitations" not in browser.text
    assert "manage.py users invite alice@example.com" in browser.text

    users("invite", "carol@example.com")

    browser.open("users")
    assert '<span class="user-text">carol@example.com</span>' in browser.text
