"""`manage.py users deactivate` and `reactivate`, and every way into a deactivated account."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings as django_settings

from accounts.models import Event
from accounts.state.epochs import CredentialsEpoch
from accounts.state.lookup import hold_account_for_operator
from core.db.transactions import write
from tests import password_resets, recoveries
from tests.authenticator import Authenticator
from tests.client import PASSWORD, Api
from tests.keys import make_key, verify
from tests.mails import delivered, text_of, token_in
from tests.passkeys import enroll, log_in_alone
from tests.people import Person
from tests.second_factors import complete_by_totp, enroll_totp, pause

from .commands import log_in, outcome, users, users_fail


def test_only_the_right_password_of_a_deactivated_account_says_so(alice: Person) -> None:
    out, problems = users("deactivate", alice.email)

    assert (out, problems) == (f"{alice.email} ({alice.user_id}): deactivated\n", "")
    assert log_in(alice) == "account_deactivated"
    assert log_in(alice, "a wrong horse battery") == "invalid_credentials"
    reasons = Event.objects.filter(type="login_failed").order_by("id").values_list("metadata", flat=True)
    assert list(reasons) == [{"reason": "account_deactivated"}, {}]


def test_a_deactivated_account_locks_as_any_other(alice: Person) -> None:
    users("deactivate", alice.email)

    codes = [log_in(alice, "a wrong horse battery") for _ in range(5)]

    assert codes == ["invalid_credentials"] * 5
    assert log_in(alice) == "account_locked"


def test_the_sessions_end_and_the_keys_stop_until_the_reactivation(alice: Person, bob: Person) -> None:
    session, theirs = alice.log_in(), bob.log_in()
    key = make_key(session)["key"]

    users("deactivate", alice.user_id)

    assert session.api.post("/v1/refresh", {"refresh_token": session.refresh}).code == "invalid_token"
    assert session.api.get("/v1/me", token=session.access).code == "invalid_access_token"
    assert verify(key).code == "invalid_api_key"
    assert theirs.is_live()
    (ended,) = Event.objects.filter(type="session_ended", user_id=alice.user_id)
    assert ended.metadata["cause"] == "account_deactivated"

    assert users("reactivate", alice.user_id)[0].endswith(": reactivated\n")

    assert verify(key).status == 200
    assert not session.is_live()
    assert alice.log_in().is_live()


def test_each_act_has_an_event_of_its_own_and_one_with_the_user_of_the_system(alice: Person) -> None:
    users("deactivate", alice.email)
    assert users("deactivate", alice.email)[0].endswith(": was deactivated already\n")
    users("reactivate", alice.email)
    assert users("reactivate", alice.email)[0].endswith(": was active already\n")

    own = Event.objects.filter(user_id=alice.user_id).exclude(type="signup_success").order_by("id")
    assert list(own.values_list("type", flat=True)) == [
        "account_deactivated",
        "operator_command",
        "account_reactivated",
        "operator_command",
    ]
    first = own[1].metadata
    assert (first["author"], first["command"]) == ("command line", "deactivate")
    assert first["os_user"]


def reset(person: Person) -> Callable[[], str]:
    token = password_resets.mailed_token(person)
    return lambda: outcome(password_resets.reset(Api(), token, "another horse battery"))


def magic_link(person: Person) -> Callable[[], str]:
    Api().post("/v1/magic-link/request", {"email": person.email})
    token = token_in(delivered(person.email)[-1])
    return lambda: outcome(Api().post("/v1/magic-link/complete", {"token": token}))


def code_of_a_link(person: Person) -> Callable[[], str]:
    Api().post("/v1/magic-link/request", {"email": person.email})
    found = re.search(r"\b[0-9]{6}\b", text_of(delivered(person.email)[-1]))
    assert found
    body = {"email": person.email, "code": found[0]}
    return lambda: outcome(Api().post("/v1/magic-link/code", body))


def passkey(person: Person) -> Callable[[], str]:
    authenticator = Authenticator()
    enroll(person, authenticator)
    return lambda: outcome(log_in_alone(Api(), authenticator))


def pending_login(person: Person) -> Callable[[], str]:
    app = enroll_totp(person.log_in())
    token = pause(person)
    return lambda: outcome(complete_by_totp(Api(), token, app.code(steps=1)))


def recovery(person: Person) -> Callable[[], str]:
    enroll_totp(person.log_in())
    token = pause(person)
    return lambda: outcome(recoveries.request(Api(), token))


@pytest.mark.parametrize(
    ("begin", "code"),
    [
        (reset, "verification_token_invalid"),
        (magic_link, "verification_token_invalid"),
        (code_of_a_link, "invalid_login_code"),
        (passkey, "invalid_passkey_response"),
        (pending_login, "invalid_pending_login"),
        (recovery, "invalid_pending_login"),
    ],
)
def test_a_proof_from_before_the_deactivation_is_refused_and_stays_refused_after_it(
    alice: Person, begin: Callable[[Person], Callable[[], str]], code: str
) -> None:
    attempt = begin(alice)

    users("deactivate", alice.email)

    assert attempt() == code
    users("reactivate", alice.email)
    assert attempt() == ("ok" if begin is passkey else code)


@pytest.mark.parametrize("path", ["/v1/magic-link/request", "/v1/password/forgot"])
def test_a_request_of_a_link_answers_as_ever_and_mails_nothing(alice: Person, path: str) -> None:
    before = len(delivered(alice.email))
    users("deactivate", alice.email)

    answers = [Api().post(path, {"email": email}) for email in (alice.email, "mallory@example.com")]

    assert answers[0].data == answers[1].data
    assert len(delivered(alice.email)) == before


def test_no_one_signs_up_with_the_address_of_a_deactivated_account(alice: Person) -> None:
    users("deactivate", alice.email)

    answer = Api().post("/v1/signup", {"email": alice.email, "password": PASSWORD})

    assert answer.code == "user_exists"


def test_a_dry_run_says_what_would_happen_and_changes_nothing(alice: Person) -> None:
    session = alice.log_in()

    out, _ = users("deactivate", alice.email, "--dry-run")

    assert out.splitlines() == [
        f"{alice.email} ({alice.user_id}): deactivated",
        "Nothing was changed (--dry-run).",
    ]
    assert session.is_live()
    assert not Event.objects.filter(type__in=["account_deactivated", "operator_command"]).exists()


def test_the_others_are_done_when_one_fails(alice: Person, bob: Person) -> None:
    out, problems, error = users_fail("deactivate", alice.email, "mallory@example.com", bob.email)

    assert [line.split(" ")[0] for line in out.splitlines()] == [alice.email, bob.email]
    assert problems == "mallory@example.com: no account has this address\n"
    assert error == "1 of 3 failed."


def test_the_epoch_of_a_deactivated_account_is_held_by_no_login(alice: Person) -> None:
    users("deactivate", alice.email)

    @write
    def hold() -> Any:
        return CredentialsEpoch.of(hold_account_for_operator(user_id=alice.user_id)).hold()

    assert hold() is None


@pytest.mark.skipif(
    django_settings.AUTH_USER_MODEL == "authsvc_accounts.User", reason="the standalone project has no is_active"
)
def test_the_flag_of_the_site_counts_as_a_deactivation(alice: Person) -> None:
    user: Any = alice.account().user
    user.is_active = False
    user.save()

    assert log_in(alice) == "account_deactivated"
    assert log_in(alice, "a wrong horse battery") == "invalid_credentials"
    _, problems, _ = users_fail("reactivate", alice.email)
    assert "the site has set is_active to false" in problems
