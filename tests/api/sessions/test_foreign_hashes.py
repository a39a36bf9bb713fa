"""Passwords whose hash comes from another system, from the first login to the end of the migration."""

import io

import pytest
from django.core.management import call_command
from passlib import hash as libpass
from pytest_django import Settings

from accounts.models import Event, StoredHashKind
from accounts.passwords import hashing
from accounts.passwords.foreign.adoption import WeakHash, adopt, wrap
from accounts.proofs.hash_kinds import ScanHashKinds, add_users, find_progress
from core.clock import now
from core.db.transactions import write
from tests.client import PASSWORD, Answer, Api
from tests.people import Person, sign_up

OTHERS = {
    "phpass": libpass.phpass.using(rounds=7).hash(PASSWORD),
    "sha512-crypt": libpass.sha512_crypt.using(rounds=1000).hash(PASSWORD),
    "pbkdf2-sha512": libpass.pbkdf2_sha512.using(rounds=10).hash(PASSWORD),
    "bcrypt": libpass.bcrypt.using(rounds=4, ident="2y").hash(PASSWORD),
    "md5 in argon2id": libpass.ldap_salted_md5.hash(PASSWORD),
}


@pytest.fixture
def eve(db: None) -> Person:
    return sign_up("eve")


def store(person: Person, text: str) -> None:
    """Store the hash of another system, as an import does."""
    found = adopt(text)
    if isinstance(found, WeakHash):
        found = wrap(found, costs=hashing.costs_of_new_hashes())
    user = person.account().user
    user.password = found.stored
    user.save(update_fields=["password"])


def log_in(api: Api, person: Person, password: str = PASSWORD) -> Answer:
    return api.post("/v1/login", {"email": person.email, "password": password})


@pytest.mark.parametrize("kind", ["phpass", "sha512-crypt", "pbkdf2-sha512", "md5 in argon2id"])
def test_the_first_right_login_writes_a_new_hash_and_a_wrong_one_does_not(api: Api, alice: Person, kind: str) -> None:
    store(alice, OTHERS[kind])
    before = alice.account().user.password

    assert log_in(api, alice, "wrong battery").code == "invalid_credentials"
    assert alice.account().user.password == before
    assert log_in(api, alice).status == 200
    assert log_in(api, alice).status == 200

    assert hashing.kind_of(alice.account().user.password) == hashing.todays_kind()
    assert Event.objects.filter(type="password_hash_upgraded", user_id=alice.user_id).count() == 1


def test_an_upgrade_that_is_off_keeps_the_hash(api: Api, alice: Person, settings: Settings) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "PASSWORD_HASH_UPGRADE": "off"}
    store(alice, OTHERS["phpass"])

    assert [log_in(api, alice).status, log_in(api, alice).status] == [200, 200]
    assert hashing.is_foreign(alice.account().user.password)


def test_the_owner_confirms_and_changes_a_password_of_another_system(
    api: Api, alice: Person, settings: Settings
) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "PASSWORD_HASH_UPGRADE": "off"}
    store(alice, OTHERS["phpass"])
    session = alice.log_in()

    wrong = api.post("/v1/reauthenticate", {"password": "wrong"}, token=session.access)
    right = api.post("/v1/reauthenticate", {"password": PASSWORD}, token=session.access)
    body = {"current_password": PASSWORD, "new_password": "another good password"}
    changed = api.post("/v1/change-password", body, token=session.access)

    assert (wrong.code, right.status, changed.status) == ("invalid_credentials", 200, 200)
    assert log_in(api, alice).code == "invalid_credentials"
    assert log_in(api, alice, "another good password").status == 200


def progress(*arguments: str) -> list[str]:
    """Return the lines of the command."""
    results = io.StringIO()
    call_command("users", "password-hashes", *arguments, stdout=results, stderr=io.StringIO(), no_color=True)
    return results.getvalue().splitlines()


def test_the_command_shows_each_kind_until_all_hashes_are_new(
    api: Api, alice: Person, bob: Person, eve: Person
) -> None:
    store(alice, OTHERS["phpass"])
    store(bob, OTHERS["bcrypt"])
    assert progress() == ["No worker has counted yet. Run this command with --count."]

    job = ScanHashKinds()
    job.run(now(), lambda: False)
    assert progress()[:4] == [
        "1  argon2id                  the kind of new hashes",
        "1  bcrypt                    the next login rewrites it",
        "1  phpass                    the next login rewrites it",
        "33.3% of 3 hashes are of the kind of new hashes.",
    ]
    due_in_migration = job.next_due(now())

    # The rows are those of the service, in a host project too.
    for person in (alice, bob):
        store(person, OTHERS["phpass"])
        log_in(api, person)
    assert progress("--count")[:2] == [
        "3  argon2id                  the kind of new hashes",
        "100.0% of 3 hashes are of the kind of new hashes.",
    ]
    job.run(now(), lambda: False)
    due_afterwards = job.next_due(now())
    assert due_in_migration is not None
    assert due_afterwards is not None
    assert due_in_migration < due_afterwards


def test_an_import_adds_its_users_to_the_counts_and_refusals_know_the_kinds(alice: Person) -> None:
    ScanHashKinds().run(now(), lambda: False)
    kind = hashing.kind_of("foreign$phpass$13$saltsalt$" + "." * 22)
    assert kind is not None

    for number in (5, 7):
        write(add_users)(kinds={kind: number, hashing.todays_kind(): 1}, now=now())

    found = find_progress()
    assert [(one.name, one.is_present, one.users) for one in found.kinds] == [
        ("phpass", False, 12),
        ("argon2id", True, 3),
    ]
    assert (found.users, found.remaining) == (15, 12)
    assert StoredHashKind.objects.filter(kind=kind).exists()
