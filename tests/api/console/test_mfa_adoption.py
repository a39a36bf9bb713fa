from datetime import timedelta

import time_machine

from core.clock import now
from events.rollup import roll_up
from tests.authenticator import Authenticator
from tests.operators import Console
from tests.passkeys import register
from tests.people import Person, SignedIn
from tests.second_factors import enroll_totp, generate_codes

PATH = "/security/mfa-adoption"


def disable_totp(session: SignedIn) -> None:
    body = {"password": session.person.password}
    assert session.api.post("/v1/totp/disable", body, token=session.access).status == 200


def remove_passkey(session: SignedIn) -> None:
    (passkey,) = session.api.get("/v1/passkeys", token=session.access).data
    body = {"password": session.person.password}
    path = f"/v1/passkeys/{passkey['credential_id']}"
    assert session.api.delete(path, body, token=session.access).status == 200


def factor(name: str, *, ever: tuple[int, int], in_window: tuple[int, int]) -> dict[str, object]:
    return {
        "factor": name,
        "enrolled_events": ever[0],
        "removed_events": ever[1],
        "enrolled_events_in_window": in_window[0],
        "removed_events_in_window": in_window[1],
    }


def test_without_factors_every_count_is_zero(console: Console) -> None:
    assert console.get(PATH).data == {
        "total_users": 1,
        "window_days": 7,
        "factors": [
            factor("totp", ever=(0, 0), in_window=(0, 0)),
            factor("passkey", ever=(0, 0), in_window=(0, 0)),
        ],
    }


def test_each_enrolment_and_each_removal_of_a_factor_is_counted(console: Console, alice: Person, bob: Person) -> None:
    first, second = alice.log_in(), bob.log_in()
    enroll_totp(first)
    disable_totp(first)
    enroll_totp(first)
    enroll_totp(second)
    register(first, Authenticator())
    remove_passkey(first)

    assert console.get(PATH).data == {
        "total_users": 3,
        "window_days": 7,
        "factors": [
            factor("totp", ever=(3, 1), in_window=(3, 1)),
            factor("passkey", ever=(1, 1), in_window=(1, 1)),
        ],
    }


def test_recovery_codes_do_not_count_as_a_factor(console: Console, alice: Person) -> None:
    before = console.get(PATH).data
    generate_codes(alice.log_in())

    assert console.get(PATH).data == before


def test_an_unconfirmed_enrolment_does_not_count(console: Console, alice: Person) -> None:
    session = alice.log_in()
    before = console.get(PATH).data
    session.api.post("/v1/totp/enroll", token=session.access)

    assert console.get(PATH).data == before


def test_counts_are_exact_with_and_without_stored_daily_counts(
    travel: time_machine.Traveller, console: Console, alice: Person, bob: Person
) -> None:
    enroll_totp(alice.log_in())
    travel.shift(timedelta(days=10))
    session = bob.log_in()
    enroll_totp(session)
    disable_totp(session)
    travel.shift(timedelta(hours=1))
    expected = [factor("totp", ever=(2, 1), in_window=(1, 1)), factor("passkey", ever=(0, 0), in_window=(0, 0))]

    before = console.renewed().get(PATH).data["factors"]
    assert list(roll_up(now=now()))
    after = console.renewed().get(PATH).data["factors"]

    assert before == after == expected
