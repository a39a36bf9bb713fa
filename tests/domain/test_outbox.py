"""Outgoing mails, from the request in a transaction to the mail server that accepts them."""

import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from django.db import connection, transaction
from pytest_django import Settings
from time_machine import TimeMachineFixture

from core.db.ids import new_id
from core.db.leases import claim, still_claimed
from core.db.transactions import write
from core.http.client import Client
from core.jobs import jobs
from mail import queue, transports
from mail.compose import MailTemplate, enqueue
from mail.models import OutgoingMail
from mail.queue import LEASE, DeliverMails
from mail.transports import Letter
from tests.factories import AccountFactory
from tests.smtp import DisconnectingHandler, SilentHandler, SmtpHandler, mail_server
from tools.local_postgres import free_port

NOW = datetime(2026, 11, 21, 3, 44, 29, 123456, tzinfo=UTC)
SECOND = timedelta(seconds=1)
MINUTE = timedelta(minutes=1)
TOKEN = "Tok-en_" * 6 + "T"
CODE = "840613"
CLIENT = Client(ip="203.0.113.7", user_agent="Mozilla/5.0")
UNSEALABLE = "The mail cannot be decrypted: SECRET_KEY changed, or the row was manipulated."
DEAD = f"smtp://127.0.0.1:{free_port()}"

pytestmark = pytest.mark.django_db

UseServer = Callable[[str], None]


@pytest.fixture(autouse=True)
def _clock(time_machine: TimeMachineFixture) -> None:
    time_machine.move_to(NOW, tick=False)


@pytest.fixture(autouse=True)
def use_server(settings: Settings) -> UseServer:
    """Send mails to the given address from now on. Until the first call, no server listens at the address."""

    def use(url: str) -> None:
        settings.AUTH_SERVICE = {"BASE_URL": "https://auth.example.com", "EMAIL_URL": url}

    use(DEAD)
    return use


@write
def mail_link(*, to: str = "alice@example.net", account_id: Any = None) -> None:
    enqueue(
        template=MailTemplate.MAGIC_LINK,
        to=to,
        account_id=account_id,
        values={"token": TOKEN, "code": CODE},
        client=CLIENT,
        now=NOW,
        expires_at=NOW + 15 * MINUTE,
    )


def enqueue_notice() -> None:
    enqueue(
        template=MailTemplate.PASSWORD_CHANGED,
        to="alice@example.net",
        account_id=None,
        values={},
        client=CLIENT,
        now=NOW,
    )


mail_notice = write(enqueue_notice)


def deliver(now: datetime = NOW, *, stop: Callable[[], bool] = lambda: False) -> None:
    DeliverMails().run(now, stop)


def waiting() -> list[OutgoingMail]:
    return list(OutgoingMail.objects.order_by("id"))


def recipients(handler: SmtpHandler) -> list[str]:
    return sorted(to for received in handler.received for to in received.to)


@pytest.mark.django_db(transaction=True)
def test_a_mail_is_requested_inside_a_transaction_and_rolled_back_with_it() -> None:
    with pytest.raises(RuntimeError, match="enqueue must run inside a transaction"):
        enqueue_notice()
    with transaction.atomic():
        enqueue_notice()
        transaction.set_rollback(True)

    assert waiting() == []


def test_the_row_of_a_mail_stores_its_content_encrypted() -> None:
    mail_link()

    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM authsvc_accounts_outgoingmail")
        (columns,) = cursor.fetchall()
    stored = b"|".join(
        bytes(value) if isinstance(value, memoryview | bytes) else str(value).encode() for value in columns
    )
    for secret in (TOKEN, CODE, "alice", "example.net", "sign in", "203.0.113.7"):
        assert secret.encode() not in stored


def test_no_mail_waits_while_mail_is_off(use_server: UseServer) -> None:
    use_server("off")

    mail_link()

    assert waiting() == []


def test_deleting_an_account_deletes_its_mails_and_keeps_mails_without_an_account() -> None:
    account = AccountFactory.create()
    mail_link(account_id=account.pk)
    mail_notice()

    account.user.delete()

    assert [row.template for row in waiting()] == ["password_changed"]


def test_a_sent_mail_is_deleted(use_server: UseServer) -> None:
    handler = SmtpHandler()
    mail_link()
    with mail_server(handler) as port:
        use_server(f"smtp://127.0.0.1:{port}")
        deliver()

    (received,) = handler.received
    body = received.message.get_body(("plain",))
    assert body is not None
    assert TOKEN in body.get_content()
    assert (received.sender, received.to) == ("no-reply@auth.example.com", ["alice@example.net"])
    assert waiting() == []


@pytest.mark.parametrize(
    ("given", "sender"),
    [
        ({"BASE_URL": "https://auth.example.com"}, "no-reply@auth.example.com"),
        ({"BASE_URL": "http://localhost:8000"}, "no-reply@localhost"),
        ({"BASE_URL": "http://192.0.2.7:8000"}, "no-reply@localhost"),
        ({"BASE_URL": "http://[2001:db8::7]"}, "no-reply@localhost"),
        ({"EMAIL_FROM": "Gate <gate@example.org>"}, "gate@example.org"),
    ],
)
def test_the_sender_is_the_configured_one_or_derived_from_the_base_url(
    settings: Settings, given: dict[str, str], sender: str
) -> None:
    handler = SmtpHandler()
    mail_notice()
    with mail_server(handler) as port:
        settings.AUTH_SERVICE = {"EMAIL_URL": f"smtp://127.0.0.1:{port}", **given}
        deliver()

    assert [received.sender for received in handler.received] == [sender]


def test_a_batch_uses_one_connection_and_the_rest_goes_with_the_next_batch(use_server: UseServer) -> None:
    handler = SmtpHandler()
    for number in range(queue.BATCH + 2):
        mail_link(to=f"{number}@example.net")
    with mail_server(handler) as port:
        use_server(f"smtp://127.0.0.1:{port}")
        deliver()
        assert (len(handler.received), handler.sessions) == (queue.BATCH, 1)
        deliver()

    assert (len(handler.received), handler.sessions) == (queue.BATCH + 2, 2)
    assert waiting() == []


def test_an_unreachable_server_is_retried_with_growing_pauses_until_the_token_expires(
    time_machine: TimeMachineFixture, caplog: pytest.LogCaptureFixture
) -> None:
    mail_link()

    assert attempts_until_given_up(time_machine, caplog) == [0, 5, 35, 155, 755]
    assert waiting() == []


def test_a_notice_is_tried_for_three_days(time_machine: TimeMachineFixture, caplog: pytest.LogCaptureFixture) -> None:
    mail_notice()

    attempts = attempts_until_given_up(time_machine, caplog)

    assert attempts[:7] == [0, 5, 35, 155, 755, 755 + 1800, 755 + 3600]
    assert 3 * 86400 - 1800 <= attempts[-1] < 3 * 86400
    assert waiting() == []


def attempts_until_given_up(time_machine: TimeMachineFixture, caplog: pytest.LogCaptureFixture) -> list[int]:
    """Run the job each time it is due. Return the seconds of each run."""
    moments = []
    job = DeliverMails()
    while due := job.next_due(NOW):
        moments.append(round((due - NOW).total_seconds()))
        time_machine.move_to(due, tick=False)
        deliver(due)
    (given_up,) = [
        record for record in caplog.records if record.message == "a mail was not sent and will not be tried again"
    ]
    assert given_up.levelno == logging.WARNING
    assert vars(given_up)["attempts"] == len(moments) - 1
    assert "alice" not in str([vars(record) for record in caplog.records])
    return moments


def test_a_server_that_recovers_receives_every_mail(use_server: UseServer, time_machine: TimeMachineFixture) -> None:
    handler = SmtpHandler()
    for number in range(3):
        mail_link(to=f"{number}@example.net")
    deliver()
    assert [row.next_attempt_at for row in waiting()] == [NOW + 5 * SECOND] * 3

    with mail_server(handler) as port:
        use_server(f"smtp://127.0.0.1:{port}")
        deliver(NOW + 4 * SECOND)
        assert handler.received == []
        deliver(NOW + 5 * SECOND)

    assert recipients(handler) == ["0@example.net", "1@example.net", "2@example.net"]


def test_a_permanently_refused_mail_is_given_up_and_the_others_are_sent(
    use_server: UseServer, caplog: pytest.LogCaptureFixture
) -> None:
    handler = SmtpHandler(rcpt_answers=["550 <0@example.net>: who?"])
    for number in range(3):
        mail_link(to=f"{number}@example.net")
    with mail_server(handler) as port:
        use_server(f"smtp://127.0.0.1:{port}")
        deliver()

    assert len(handler.received) == 2
    assert waiting() == []
    (record,) = [record for record in caplog.records if record.name == "authsvc.mail"]
    assert (record.levelname, record.message) == ("WARNING", "a mail was not sent and will not be tried again")
    assert vars(record)["reason"] == "The mail server answered 550 to RCPT."
    assert "example.net" not in str(vars(record))


def test_a_temporarily_refused_mail_is_sent_later(use_server: UseServer) -> None:
    handler = SmtpHandler(data_answers=["451 not now"])
    mail_link(to="alice@example.net")
    mail_link(to="bob@example.net")
    with mail_server(handler) as port:
        use_server(f"smtp://127.0.0.1:{port}")
        deliver()
        assert len(handler.received) == 1
        assert [(row.attempts, row.next_attempt_at) for row in waiting()] == [(1, NOW + 5 * SECOND)]
        deliver(NOW + 5 * SECOND)

    assert recipients(handler) == ["alice@example.net", "bob@example.net"]
    assert waiting() == []


@pytest.mark.parametrize(
    "handler", [DisconnectingHandler(), SilentHandler(), SmtpHandler(sender_answers=["550 you may not"])]
)
def test_a_server_failure_during_a_batch_delays_only_the_current_mail(
    use_server: UseServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, handler: SmtpHandler
) -> None:
    monkeypatch.setattr(transports, "SMTP_SECONDS", 0.3)
    for number in range(3):
        mail_link(to=f"{number}@example.net")
    with mail_server(handler) as port:
        use_server(f"smtp://127.0.0.1:{port}")
        deliver()

    assert sorted((row.attempts, row.next_attempt_at) for row in waiting()) == [
        (0, NOW),
        (0, NOW),
        (1, NOW + 5 * SECOND),
    ]
    warnings = [record.message for record in caplog.records if record.levelname == "WARNING"]
    assert warnings == ["mails cannot be sent right now"]
    healthy = SmtpHandler()
    with mail_server(healthy) as port:
        use_server(f"smtp://127.0.0.1:{port}")
        deliver()
        deliver(NOW + 5 * SECOND)
    assert recipients(healthy) == ["0@example.net", "1@example.net", "2@example.net"]
    assert waiting() == []


def test_a_stopping_worker_releases_the_mails_that_it_did_not_begin(use_server: UseServer) -> None:
    handler = SmtpHandler()
    for number in range(3):
        mail_link(to=f"{number}@example.net")
    with mail_server(handler) as port:
        use_server(f"smtp://127.0.0.1:{port}")
        deliver(stop=lambda: bool(handler.received))

    assert len(handler.received) == 1
    assert [(row.attempts, row.next_attempt_at) for row in waiting()] == [(0, NOW)] * 2


def test_a_slow_server_does_not_hold_the_worker_for_the_whole_batch(
    use_server: UseServer, time_machine: TimeMachineFixture
) -> None:
    class SlowHandler(SmtpHandler):
        async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802 - the name is aiosmtpd's
            time_machine.shift(6)
            return await super().handle_DATA(server, session, envelope)

    handler = SlowHandler()
    for number in range(4):
        mail_link(to=f"{number}@example.net")
    with mail_server(handler) as port:
        use_server(f"smtp://127.0.0.1:{port}")
        deliver()

    assert len(handler.received) == 2
    assert [row.next_attempt_at for row in waiting()] == [NOW + 12 * SECOND] * 2


def test_a_mail_that_a_killed_worker_claimed_is_sent_after_its_lease(use_server: UseServer) -> None:
    class Killed(BaseException):
        pass

    def kill() -> bool:
        raise Killed

    handler = SmtpHandler()
    mail_link()
    with mail_server(handler) as port:
        use_server(f"smtp://127.0.0.1:{port}")
        with pytest.raises(Killed):
            deliver(stop=kill)
        assert DeliverMails().next_due(NOW) == NOW + LEASE
        deliver(NOW + LEASE - SECOND)
        assert handler.received == []
        deliver(NOW + LEASE)

    assert len(handler.received) == 1
    assert waiting() == []


def test_two_copies_of_one_mail_have_the_same_message_id(use_server: UseServer) -> None:
    handler = SmtpHandler()
    mail_link()
    with mail_server(handler) as port:
        use_server(f"smtp://127.0.0.1:{port}")
        (row,) = waiting()
        deliver()
        row.save(force_insert=True)
        deliver(NOW + MINUTE)

    first, second = (received.message for received in handler.received)
    assert first["Message-ID"] == second["Message-ID"] == f"<{row.pk}@auth.example.com>"
    assert first["Date"] == second["Date"]


def test_a_worker_that_lost_its_claim_changes_nothing() -> None:
    mail_link()
    (first,) = claim(OutgoingMail.objects.all(), limit=5, lease=LEASE, now=NOW)
    assert claim(OutgoingMail.objects.all(), limit=5, lease=LEASE, now=NOW + LEASE - SECOND) == []
    (second,) = claim(OutgoingMail.objects.all(), limit=5, lease=LEASE, now=NOW + LEASE)

    assert still_claimed(first).update(attempts=7) == 0
    assert still_claimed(first).delete() == (0, {})
    assert still_claimed(second).update(attempts=1) == 1
    assert [row.attempts for row in waiting()] == [1]


def test_the_mails_that_have_been_due_longest_are_claimed_first() -> None:
    for _ in range(3):
        mail_link()
    rows = waiting()
    for row, seconds in zip(rows, (2, 3, 1), strict=True):
        OutgoingMail.objects.filter(pk=row.pk).update(next_attempt_at=NOW - seconds * SECOND)

    claimed = claim(OutgoingMail.objects.all(), limit=2, lease=LEASE, now=NOW)

    assert [row.pk for row in claimed] == [rows[1].pk, rows[0].pk]
    assert {row.next_attempt_at for row in claimed} == {NOW + LEASE}


@pytest.mark.django_db(transaction=True)
def test_several_workers_send_every_mail_exactly_once(use_server: UseServer) -> None:
    mails, workers = 60, 4
    handler = SmtpHandler()
    for number in range(mails):
        mail_link(to=f"{number}@example.net")
    line = threading.Barrier(workers)

    def work() -> None:
        try:
            line.wait()
            # The clock is frozen. Therefore a mail that one worker has claimed is due for no other worker.
            while DeliverMails().next_due(NOW) == NOW:
                deliver()
        finally:
            connection.close()

    with mail_server(handler) as port, ThreadPoolExecutor(workers) as pool:
        use_server(f"smtp://127.0.0.1:{port}")
        for running in [pool.submit(work) for _ in range(workers)]:
            running.result()

    assert recipients(handler) == sorted(f"{number}@example.net" for number in range(mails))
    assert waiting() == []


@pytest.mark.django_db(transaction=True)
def test_a_worker_skips_rows_that_another_worker_has_locked() -> None:
    mail_link()
    claimed: list[int] = []
    if connection.vendor == "sqlite":
        pytest.skip("SQLite has one writer at a time")

    def work() -> None:
        try:
            claimed.append(len(claim(OutgoingMail.objects.all(), limit=5, lease=LEASE, now=NOW)))
        finally:
            connection.close()

    with transaction.atomic():
        list(OutgoingMail.objects.select_for_update())
        worker = threading.Thread(target=work)
        worker.start()
        worker.join(10)

    assert claimed == [0]


def assert_given_up(caplog: pytest.LogCaptureFixture, *reasons: str) -> None:
    given_up = [
        record for record in caplog.records if record.message == "a mail was not sent and will not be tried again"
    ]
    assert [vars(record)["reason"] for record in given_up] == list(reasons)
    assert waiting() == []


def test_a_mail_whose_token_has_expired_is_not_sent(use_server: UseServer, caplog: pytest.LogCaptureFixture) -> None:
    handler = SmtpHandler()
    mail_link()
    OutgoingMail.objects.update(expires_at=NOW)
    with mail_server(handler) as port:
        use_server(f"smtp://127.0.0.1:{port}")
        deliver()

    assert handler.received == []
    assert_given_up(caplog, "The mail expired.")


def test_a_mail_sealed_under_a_lost_key_is_given_up(
    use_server: UseServer, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    mail_link()
    settings.SECRET_KEY = "another"
    use_server("console://")

    deliver()

    assert_given_up(caplog, UNSEALABLE)


def test_a_mail_that_was_moved_to_another_row_is_given_up(
    use_server: UseServer, caplog: pytest.LogCaptureFixture
) -> None:
    mail_link(to="alice@example.net")
    mail_link(to="eve@example.net")
    hers, eves = waiting()
    OutgoingMail.objects.filter(pk=eves.pk).update(sealed=hers.sealed)
    OutgoingMail.objects.filter(pk=hers.pk).delete()
    use_server("console://")

    deliver()

    assert_given_up(caplog, UNSEALABLE)


@pytest.mark.parametrize("to", ["nobody", "a@b.example, eve@example.net", "a@b.example\r\nBcc: eve@example.net"])
def test_a_mail_whose_recipient_is_not_an_address_is_given_up(
    use_server: UseServer, caplog: pytest.LogCaptureFixture, to: str
) -> None:
    handler = SmtpHandler()
    mail_link(to=to)
    with mail_server(handler) as port:
        use_server(f"smtp://127.0.0.1:{port}")
        deliver()

    assert handler.received == []
    assert_given_up(caplog, "The recipient is not a valid e-mail address.")


def test_a_mail_that_raises_an_unexpected_error_does_not_delay_the_others(
    use_server: UseServer, caplog: pytest.LogCaptureFixture
) -> None:
    put_undeliverable_mail()
    mail_link()
    handler = SmtpHandler()
    with mail_server(handler) as port:
        use_server(f"smtp://127.0.0.1:{port}")
        caplog.set_level(logging.INFO)
        deliver()

    assert len(handler.received) == 1
    assert [(row.template, row.attempts) for row in waiting()] == [("odd", 1)]
    assert [vars(record)["reason"] for record in caplog.records if record.name == "authsvc.mail"] == ["ValueError"]


@write
def put_undeliverable_mail() -> UUID:
    letter = Letter(id=new_id(), written_at=NOW, to="a@b.example", subject="One\nTwo", text="", html="", token="")
    queue.put(letter=letter, template="odd", account_id=None, expires_at=NOW + MINUTE)
    return letter.id


def test_mails_wait_and_expire_after_mail_was_turned_off(
    use_server: UseServer, time_machine: TimeMachineFixture, caplog: pytest.LogCaptureFixture
) -> None:
    mail_link()
    use_server("off")

    assert attempts_until_given_up(time_machine, caplog) == [0, 5, 35, 155, 755]


def test_the_job_belongs_to_the_worker_and_is_due_when_a_mail_is_due() -> None:
    (job,) = [job for job in jobs if job.name == "mails"]
    assert job.next_due(NOW) is None

    mail_link()
    assert job.next_due(NOW) == NOW

    deliver()
    assert job.next_due(NOW) == NOW + 5 * SECOND


@pytest.mark.parametrize(("debug", "shown"), [(True, TOKEN), (False, "***")])
def test_the_console_transport_shows_the_token_only_in_debug_mode(
    use_server: UseServer, settings: Settings, capsys: pytest.CaptureFixture[str], debug: bool, shown: str
) -> None:
    settings.DEBUG = debug
    mail_link()
    use_server("console://")

    deliver()

    printed = capsys.readouterr().out
    assert f"https://auth.example.com/mail/magic-link#token={shown}\n" in printed
    assert (TOKEN in printed) == (CODE in printed) == debug
