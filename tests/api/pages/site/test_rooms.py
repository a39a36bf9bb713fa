"""A room of a host site in the account, as the example in docs/pages.md adds it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from django.forms import model_to_dict
from django.urls import include, path, reverse

import gatehouse.urls
import pages.urls
from pages.account.rooms import rooms
from tests.api.host_site.pages import examples_of, run_examples
from tests.pages import Browser, path_of, signed_in
from tests.people import Person

PAGE, HEADING, ROOM = "pages.md", "Add a room to the account", "library-nickname"
SITE = run_examples(PAGE, HEADING)

urlpatterns = [
    *SITE["urlpatterns"],
    path("account/", include(pages.urls)),
    path("v1/", include(gatehouse.urls.api_patterns)),
]

pytestmark = [
    pytest.mark.urls(__name__),
    pytest.mark.skipif(
        django_settings.AUTH_USER_MODEL == "authsvc_accounts.User", reason="only the users of a site have nicknames"
    ),
]


@pytest.fixture(autouse=True)
def _room(templates: Path) -> Iterator[None]:
    """The registered room, with its template."""
    (template,) = examples_of(PAGE, HEADING, language="django")
    (templates / "library").mkdir()
    (templates / "library/nickname.html").write_text(template)
    before = list(rooms)
    SITE["LibraryConfig"].ready(None)
    yield
    for room in [room for room in rooms if room not in before]:
        rooms.unregister(room)


def nickname(person: Person) -> object:
    return model_to_dict(person.account().user)["nickname"]


def test_the_room_is_in_the_navigation_and_changes_the_row_of_the_person(alice: Person, bob: Person) -> None:
    browser = signed_in(alice).open("authsvc-account")
    listed = re.findall(r'<li><a href="([^"]+)"', browser.text.partition("</nav>")[0])
    assert listed[listed.index(reverse("authsvc-account-address")) + 1] == "/account/nickname"

    browser.open(ROOM)
    assert f'<a href="{reverse(ROOM)}" aria-current="page">' in browser.text
    browser.submit(ROOM, nickname="Reader <1>")

    assert browser.status == 303
    assert "Other readers see you as Reader &lt;1&gt;." in browser.follow().text
    assert "Your nickname is saved." in browser.text
    assert (nickname(alice), nickname(bob)) == ("Reader <1>", "nobody")


def test_the_room_keeps_what_was_typed_and_refuses_strangers(alice: Person) -> None:
    assert path_of(Browser().open(ROOM).location) == reverse("authsvc-sign-in")
    browser = signed_in(alice).open(ROOM)
    long = "x" * 41

    browser.submit(ROOM, nickname=long)

    assert (browser.status, browser.field("nickname")) == (422, long)
    assert 'id="nickname-error">' in browser.text
    assert browser.send(ROOM, {"nickname": "Eve"}).status == 403
    assert nickname(alice) == "nobody"
