"""The examination of a running deployment."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.checks import run_checks
from django.core.management import call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from pytest_django import Settings

from accounts.models import Event
from accounts.ops import doctor
from accounts.ops.doctor import Finding, Verdict, examine
from accounts.ops.heartbeat import SILENCE_MAX, Heartbeat
from core import ratelimit
from core.clock import now
from core.db.deployment import has_own_users
from core.keys import ring
from mail.models import OutgoingMail
from tests.factories import DeliveryFactory
from tests.loopback import answering, response, serving

pytestmark = pytest.mark.django_db

Configure = Callable[..., None]


@pytest.fixture
def configure(settings: Settings) -> Configure:
    """Change settings of the service."""

    def change(**variables: str) -> None:
        settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, **variables}

    return change


@pytest.fixture(autouse=True)
def _healthy(configure: Configure, tmp_path: Path) -> Iterator[None]:
    """A deployment without a fault: fresh keys, which BASE_URL publishes, a mail directory, and a worker."""
    configure(SIGNING_KEYS_FILE=f"{tmp_path}/keys.json", EMAIL_URL=f"file://{tmp_path}/mails", RATE_LIMITS="on")
    ring.ensure_ring(now=now())
    Heartbeat().run(now(), lambda: False)
    # After a store that did not answer, an earlier test leaves a pause of some seconds.
    ratelimit.close()
    with serving(answering(response(Path(f"{tmp_path}/keys.json").read_bytes()))) as peer:
        configure(BASE_URL=peer.url(""))
        yield


def faults(subject: str) -> list[Finding]:
    found = [finding for finding in examine(now=now()) if finding.verdict is Verdict.FAULT]
    assert {finding.subject for finding in found} <= {subject}
    assert all(finding.action for finding in found)
    return found


def diagnose() -> tuple[int, str]:
    """Return the exit code of the command and its output."""
    said = StringIO()
    try:
        call_command("doctor", stdout=said)
    except SystemExit as end:
        return int(str(end.code)), said.getvalue()
    return 0, said.getvalue()


def test_a_healthy_deployment_has_no_fault_and_advice_fails_nothing() -> None:
    code, said = diagnose()

    assert (code, "Faults: 0." in said) == (0, True)
    # BASE_URL is http here.
    assert "advice  settings" in said
    subjects = {"keys", "disk", "mail", "database", "migrations", "counters", "worker", "webhook", "proxies"}
    assert all(f"ok      {subject}" in said for subject in subjects)
    assert ("ok      clock" in said) == (connection.vendor == "postgresql")


def test_a_worker_that_was_not_seen_for_a_minute_is_a_fault() -> None:
    Heartbeat().run(now() - SILENCE_MAX - timedelta(seconds=1), lambda: False)

    code, said = diagnose()

    assert code == 1
    assert "FAULT   worker     No worker has run since" in said
    assert "-> Start manage.py worker, or serve without --no-worker." in said
    assert "Faults: 1." in said


def test_other_published_keys_and_readable_keys_are_faults(configure: Configure, tmp_path: Path) -> None:
    configure(SIGNING_KEYS_FILE=f"{tmp_path}/other.json")
    ring.ensure_ring(now=now())
    (tmp_path / "other.json").chmod(0o644)

    readable, other = faults("keys")

    assert "mode 644" in readable.found
    assert "publishes other keys" in other.found


def test_a_missing_key_file_is_a_fault(configure: Configure, tmp_path: Path) -> None:
    configure(SIGNING_KEYS_FILE=f"{tmp_path}/none.json")

    (fault,) = faults("keys")

    assert "cannot be read" in fault.found
    assert fault.action.endswith("Otherwise the first start or login makes it.")


def test_a_key_file_that_cannot_be_made_is_a_fault_whose_action_is_another_path(
    configure: Configure, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    configure(SIGNING_KEYS_FILE=f"{tmp_path}/file/keys.json")

    (fault,) = faults("keys")

    assert fault.action == "Name a path in SIGNING_KEYS_FILE that the service's user can write."


def test_a_damaged_key_file_is_a_fault_whose_action_is_a_backup(configure: Configure, tmp_path: Path) -> None:
    (tmp_path / "damaged.json").write_text("{}")
    configure(SIGNING_KEYS_FILE=f"{tmp_path}/damaged.json")

    (fault,) = faults("keys")

    assert "restore it from a backup" in fault.action


@pytest.mark.skipif(has_own_users(), reason="a standalone service does not start without its keys")
def test_a_check_of_a_site_warns_of_keys_that_cannot_be_made(configure: Configure, tmp_path: Path) -> None:
    assert "authsvc.W025" not in {found.id for found in run_checks()}
    (tmp_path / "file").touch()

    configure(SIGNING_KEYS_FILE=f"{tmp_path}/file/keys.json")

    assert "authsvc.W025" in {found.id for found in run_checks()}


@pytest.mark.parametrize("answer", [b"not json", b"[]", b'{"keys": [{}]}'])
def test_a_base_url_without_keys_is_an_advice(configure: Configure, answer: bytes) -> None:
    with serving(answering(response(answer))) as peer:
        configure(BASE_URL=peer.url(""))

        found = [one for one in examine(now=now()) if "cannot read" in one.found]

    assert [(one.subject, one.verdict) for one in found] == [("keys", Verdict.ADVICE)]


def test_an_unreachable_mail_server_is_a_fault(configure: Configure) -> None:
    configure(EMAIL_URL="smtp://127.0.0.1:9")

    assert [fault.action for fault in faults("mail")] == ["Check EMAIL_URL, the mail server and the network."]


def test_an_old_mail_is_a_fault_and_an_old_delivery_is_an_advice() -> None:
    times = {"created_at": now() - timedelta(minutes=6), "expires_at": now(), "next_attempt_at": now()}
    OutgoingMail.objects.create(template="magic_link", sealed=b"", **times)
    DeliveryFactory.create(status="pending", created_at=now() - timedelta(hours=2))

    (fault,) = faults("mail")

    assert fault.found.startswith("A mail has waited since ")
    assert [one.subject for one in examine(now=now()) if "A delivery has waited" in one.found] == ["webhook"]


def test_a_missing_migration_is_a_fault_and_ends_the_examination() -> None:
    recorder = MigrationRecorder(connection)
    recorder.record_unapplied("authsvc_accounts", "0014_worker_heartbeat")
    try:
        found = list(examine(now=now()))
    finally:
        recorder.record_applied("authsvc_accounts", "0014_worker_heartbeat")

    assert (found[-1].subject, found[-1].action) == ("migrations", "Run manage.py migrate.")
    assert "authsvc_accounts 0014_worker_heartbeat" in found[-1].found


def test_a_migration_of_a_newer_release_is_an_advice() -> None:
    recorder = MigrationRecorder(connection)
    recorder.record_applied("authsvc_accounts", "9999_newer")
    try:
        found = [one for one in examine(now=now()) if one.subject == "migrations"]
    finally:
        recorder.record_unapplied("authsvc_accounts", "9999_newer")

    assert [one.verdict for one in found] == [Verdict.ADVICE]


def record_events(*addresses: str) -> None:
    for number, ip in enumerate(addresses):
        Event.objects.create(type="login_success", ip=ip, user_id=str(number), metadata="{}", created_at=now())


def test_callers_that_all_have_the_address_of_a_trusted_proxy_are_a_fault(configure: Configure) -> None:
    configure(TRUSTED_PROXIES="10.0.0.0/8")
    record_events("10.0.0.7", "10.0.0.7", "10.0.0.7")

    (fault,) = faults("proxies")

    assert fault.found == "All callers appear under the address of a trusted proxy: 10.0.0.7."


@pytest.mark.parametrize(
    ("addresses", "verdict"),
    [
        (("127.0.0.1",), Verdict.OK),
        (("127.0.0.1", "127.0.0.1", "203.0.113.7"), Verdict.OK),
        (("127.0.0.1", "127.0.0.1", "127.0.0.1", "203.0.113.7"), Verdict.ADVICE),
    ],
)
def test_a_call_from_the_machine_of_a_right_proxy_is_no_fault(
    configure: Configure, addresses: tuple[str, ...], verdict: Verdict
) -> None:
    configure(TRUSTED_PROXIES="127.0.0.1/32")
    record_events(*addresses)

    assert [one.verdict for one in examine(now=now()) if one.subject == "proxies"] == [verdict]


@pytest.mark.parametrize(
    ("addresses", "verdict"),
    [
        (("10.0.0.7",) * 3, Verdict.ADVICE),
        (("10.0.0.7",) * 2, Verdict.OK),
        (("10.0.0.7", "10.0.0.7", "10.0.0.8"), Verdict.OK),
        (("8.8.8.8",) * 3, Verdict.OK),
    ],
)
def test_many_accounts_behind_one_private_address_are_an_advice(addresses: tuple[str, ...], verdict: Verdict) -> None:
    record_events(*addresses)

    assert [one.verdict for one in examine(now=now()) if one.subject == "proxies"] == [verdict]


def test_a_system_check_that_fails_is_a_fault(configure: Configure, settings: Any) -> None:
    configure(ENCRYPTION_KEY=settings.AUTH_SERVICE["SETTINGS_ENCRYPTION_KEY"])

    assert any("authsvc.E002" in fault.found for fault in faults("settings"))


def test_counters_without_their_server_are_a_fault(configure: Configure) -> None:
    configure(CACHE_URL="redis://127.0.0.1:9")

    assert [fault.subject for fault in faults("counters")] == ["counters"]


@pytest.mark.parametrize(
    ("sizes", "verdict"), [("[always] madvise never", Verdict.OK), ("always [madvise] never", Verdict.ADVICE)]
)
def test_small_pages_for_password_hashes_are_advice(
    sizes: str, verdict: Verdict, configure: Configure, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    setting = tmp_path / "enabled"
    setting.write_text(sizes)
    monkeypatch.setattr(doctor, "PAGE_SIZES", setting)
    configure(ARGON2_PARALLELISM="1")

    found = [finding.verdict for finding in examine(now=now()) if finding.subject == "hashing"]

    # In a host project, argon2-cffi computes the hashes.
    assert found == ([verdict] if has_own_users() else [])
