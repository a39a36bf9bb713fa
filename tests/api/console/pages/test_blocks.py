"""Networks that operators block, and what a blocked caller gets."""

import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from io import StringIO

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.urls import reverse

from accounts.models import Event
from accounts.ops.retention import prunables
from console.blocks.networks import SOURCE, prunable_blocks
from console.models import BlockedNetwork
from core import clock
from core.ratelimit.blocked import REFRESH_SECONDS, blocked
from tests.client import Api
from tests.console_browser import Browser, grant, prefix, sign_in_with_app
from tests.people import Person
from tests.rows import each

Configure = Callable[..., None]

EVE = "198.51.100.66"
NETWORK = "198.51.100.0/24"


@pytest.fixture
def acting(olivia: Person, configure: Configure) -> Iterator[Browser]:
    """A browser in which Olivia, an admin, is signed in with a second factor. OPERATOR_ACTS is on."""
    configure(OPERATOR_ACTS="on")
    yield sign_in_with_app(olivia)
    BlockedNetwork.objects.all().delete()
    blocked.refresh(SOURCE, now=clock.now())


def block(browser: Browser, network: str, *, hours: str = "24", **more: str) -> Browser:
    return browser.submit("blocks", {"network": network, "hours": hours, "reason": "An attack", **more})


def call_from(ip: str) -> int:
    return Api(ip=ip).get("/v1/sessions").status


def test_a_blocked_network_gets_429_until_the_end_and_others_do_not(acting: Browser, olivia: Person) -> None:
    assert call_from(EVE) == 401

    assert block(acting, f" {EVE}/24 ").status == 303
    assert NETWORK in acting.follow().text

    refused = Api(ip=EVE).post("/v1/login", {"email": olivia.email, "password": "x"})
    assert (refused.status, refused.code) == (429, "rate_limited")
    assert 24 * 3600 - 60 < int(refused.headers["Retry-After"]) <= 24 * 3600
    assert Browser(ip=EVE).open("authsvc-sign-in").status == 429
    assert [call_from("198.51.101.66"), call_from("2001:db8::1")] == [401, 401]
    with time_machine.travel(clock.now() + timedelta(hours=24, seconds=1), tick=False):
        assert call_from(EVE) == 401
    event = Event.objects.get(type="operator_acted")
    assert (event.user_id, event.metadata) == (
        olivia.user_id,
        {"act": "block-network", "step": "done", "network": NETWORK, "reason": "An attack", "hours": 24},
    )
    assert "Blocked a network for 24 h (An attack)" in acting.open("operators").text


def test_a_second_block_replaces_the_first_and_an_unblock_ends_it(acting: Browser) -> None:
    block(acting, "2001:db8::1/64", hours="2")
    block(acting, "2001:db8::/64", hours="5")

    (row,) = BlockedNetwork.objects.all()
    assert row.ends_at - row.blocked_at == timedelta(hours=5)
    assert call_from("2001:db8::99") == 429
    assert acting.submit("blocks/end", {"network": row.network, "reason": "", "unblocks": "1"}).status == 422
    acting.submit("blocks/end", {"network": row.network, "reason": "It is over", "unblocks": "1"}).follow()
    assert "The block has ended." in acting.text
    assert call_from("2001:db8::99") == 401


@pytest.mark.parametrize(
    ("network", "stored", "ip"),
    [
        (f"::ffff:{EVE}", f"{EVE}/32", EVE),
        (f"::ffff:{EVE}/120", NETWORK, EVE),
        (f"fe80::1%{'a' * 50}", "fe80::1/128", "fe80::1%eth0"),
    ],
)
def test_each_form_of_an_address_blocks_the_address(acting: Browser, network: str, stored: str, ip: str) -> None:
    block(acting, network)

    assert BlockedNetwork.objects.get().network == stored
    assert call_from(ip) == 429


@each(
    "network, hours, said",
    [
        ("example.com", "1", "Type an IP address or a network"),
        ("198.0.0.0/8", "1", "at most a /16"),
        ("2001::/16", "1", "at most a /32"),
        ("127.0.0.1", "1", "No client has an address"),
        ("::ffff:198.0.0.0/104", "1", "at most a /16"),
        ("10.1.2.3", "1", "TRUSTED_PROXIES has an address"),
        (NETWORK, "0", "from 1 to 168"),
        (NETWORK, "169", "from 1 to 168"),
        (NETWORK, "1.5", "from 1 to 168"),
        (NETWORK, "\u0663", "from 1 to 168"),
    ],
)
def test_a_block_that_makes_no_sense_is_refused_beside_its_field(
    acting: Browser, configure: Configure, network: str, hours: str, said: str
) -> None:
    configure(TRUSTED_PROXIES="10.0.0.0/8")

    assert block(acting, network, hours=hours).status == 422

    assert said in acting.text
    assert 'aria-invalid="true"' in acting.text
    assert not BlockedNetwork.objects.exists()


def test_the_own_network_needs_a_confirmation_and_a_command_unblocks_it(acting: Browser) -> None:
    assert block(acting, "203.0.113.0/24").status == 409
    assert "contains your own address, 203.0.113.7" in acting.text
    assert not BlockedNetwork.objects.exists()
    assert block(acting, "203.0.113.0/24", own="yes").status == 303
    assert acting.open().status == 429

    out = StringIO()
    call_command("blocked_networks", stdout=out)
    assert out.getvalue().startswith("203.0.113.0/24  until 20")
    call_command("blocked_networks", "--unblock", "203.0.113.9/24", stdout=out)
    with pytest.raises(CommandError, match="is not blocked"):
        call_command("blocked_networks", "--unblock", "203.0.113.0/24", stdout=out)

    with time_machine.travel(clock.now() + timedelta(seconds=REFRESH_SECONDS)):
        deadline = time.monotonic() + 10
        while acting.open().status == 429:
            # The thread that reads the list runs beside the requests.
            assert time.monotonic() < deadline
    assert acting.open("operators").status == 200
    assert "Unblocked a network" in acting.text


def test_blocks_need_the_role_and_the_setting(acting: Browser, configure: Configure, alice: Person) -> None:
    block(acting, EVE)
    assert call_from(EVE) == 429
    grant(alice, role="reader")
    reader = sign_in_with_app(alice)
    assert block(reader, NETWORK).status == 403
    assert "Your role does not block networks" in reader.open("blocks").text

    attack = reverse("authsvc-console-attack", args=[NETWORK])
    link = f'href="{prefix()}blocks?network=198.51.100.0/24"'
    assert [link in browser.open(attack).text for browser in (acting, reader)] == [True, False]
    assert f'value="{NETWORK}"' in acting.open(f"blocks?network={NETWORK}").text

    configure(OPERATOR_ACTS="off")

    assert call_from(EVE) == 401
    assert block(acting, NETWORK).status == 403
    assert "no block counts" in acting.open(f"blocks?network={NETWORK}").text


def test_ended_blocks_are_pruned_after_a_day(acting: Browser) -> None:
    block(acting, EVE, hours="1")

    assert "blocked_networks" in [one.name for one in prunables]
    assert not prunable_blocks(clock.now() + timedelta(hours=24))
    assert prunable_blocks(clock.now() + timedelta(hours=26)).count() == 1
