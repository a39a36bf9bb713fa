"""The examination of a running deployment: what works, what fails, and what the operator should do."""

import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import orjson
from django.conf import settings as django_settings
from django.core.checks import ERROR, Tags, run_checks
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, InterfaceError, connection
from django.db.models import Min, QuerySet

from core import ratelimit
from core.clock import now as read_clock
from core.clock import rfc3339
from core.conf import core_settings
from core.db import sql
from core.db.outage import reason_of
from core.db.tables import compare_migrations
from core.keys import ring_file
from core.keys.signing_keys import State
from core.outgoing import OutgoingError, fetch
from events.models import Event
from events.webhooks.delivery import unfinished_deliveries
from mail import queue
from mail.conf import settings as mail_settings
from mail.models import OutgoingMail
from mail.transports import Unavailable

from ..passwords import argon2id, hashing
from .heartbeat import SILENCE_MAX, find_last_beat

KEY_AGE_MAX = timedelta(days=180)
"""The age from which a new signing key is advisable."""

MAIL_AGE_MAX = timedelta(minutes=5)
DELIVERY_AGE_MAX = timedelta(hours=1)

CLOCK_DIFFERENCE_MAX = timedelta(seconds=5)
"""Leases, tokens and codes of authenticator apps tolerate this difference between two clocks."""

FREE_SHARE_MIN = 0.05
FREE_SHARE_ADVISED = 0.10

ROWS_MAX = 200
"""The number of events, of mails and of deliveries that the examination reads."""

NAMES_MAX = 5
"""The number of migrations that a finding names one by one."""

ACCOUNTS_MIN = 3
"""The least number of accounts behind one address that looks like the address of a proxy."""

PAGE_SIZES = Path("/sys/kernel/mm/transparent_hugepage/enabled")
"""The setting of Linux for huge pages, such as `always [madvise] never`."""

FETCH_SECONDS = 5.0
KEY_SET_MAX_BYTES = 64 * 1024


class Verdict(Enum):
    """The verdict on one subject. ADVICE is an opportunity, while FAULT needs an operator."""

    OK = "ok"
    ADVICE = "advice"
    FAULT = "FAULT"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A finding, as a sentence. `action` is what to do; it is "" for the verdict OK."""

    subject: str
    verdict: Verdict
    found: str
    action: str = ""


def examine(*, now: datetime) -> Iterator[Finding]:
    """Yield the findings about each subject.

    The examination changes nothing, except that it counts one attempt in the store of the rate limits. It sends no mail.
    Without a database, or without its tables, the subjects that need them are left out.
    """
    yield from _examine_settings()
    yield from _examine_keys(now)
    yield from _examine_disk()
    yield from _examine_hashing()
    yield from _examine_mail()
    for step in (_examine_database, _examine_migrations):
        findings = list(step())
        yield from findings
        if any(finding.verdict is Verdict.FAULT for finding in findings):
            return
    yield from _examine_with_database()
    yield from _examine_counters(now)
    yield from _examine_clock()
    yield from _examine_worker(now)
    yield from _examine_queues(now)
    yield from _examine_proxies()


def _ok(subject: str, found: str) -> Finding:
    return Finding(subject=subject, verdict=Verdict.OK, found=found)


def _advice(subject: str, found: str, action: str) -> Finding:
    return Finding(subject=subject, verdict=Verdict.ADVICE, found=found, action=action)


def _fault(subject: str, found: str, action: str) -> Finding:
    return Finding(subject=subject, verdict=Verdict.FAULT, found=found, action=action)


def _examine_settings() -> Iterator[Finding]:
    """Yield the findings of the system checks of settings, the service's own and Django's."""
    found = run_checks(tags=["authsvc", Tags.security], include_deployment_checks=True)
    found = [one for one in found if not one.is_silenced()]
    for one in found:
        report = _fault if one.level >= ERROR else _advice
        yield report("settings", f"{one.msg} ({one.id})", one.hint or "See docs/settings.md.")
    if not found:
        yield _ok("settings", "The settings are consistent and strong.")


def _examine_keys(now: datetime) -> Iterator[Finding]:
    try:
        ring = ring_file.read_ring()
    except ImproperlyConfigured as error:
        yield _fault("keys", str(error), _action_for_keys())
        return
    if exposure := ring_file.find_exposure():
        yield _fault("keys", exposure, "Afterwards, replace the key: signing_keys rotate --now.")
    for key in ring.all_keys:
        if ring.state_of(key, now=now) is State.ACTIVE:
            signed = "" if key in ring.keys else " ID tokens"
            age = f"Key {key.kid} has signed{signed} for {(now - key.active_at).days} days."
            is_old = now - key.active_at > KEY_AGE_MAX
            yield _advice("keys", age, "Replace it: signing_keys rotate.") if is_old else _ok("keys", age)
    yield _compare_published_keys({one.kid for one in ring.published_keys(now=now)})


def _action_for_keys() -> str:
    """Return what to do about a file of the signing keys that cannot be read."""
    if not ring_file.find_obstacle():
        return (
            "If the service has run before, restore the file from a backup, or copy it from another machine. Otherwise the "
            "first start or login makes it."
        )
    if os.access(ring_file.ring_path(), os.F_OK):
        return "Let the service's user read the file. If its content is damaged, restore it from a backup."
    return "Name a path in SIGNING_KEYS_FILE that the service's user can write."


def _compare_published_keys(own: set[str]) -> Finding:
    """Return whether the service at BASE_URL publishes the keys of this machine."""
    url = f"{core_settings().base_url}/.well-known/jwks.json"
    try:
        answer = fetch(
            method="GET",
            url=url,
            headers={},
            body=None,
            timeout_seconds=FETCH_SECONDS,
            max_bytes=KEY_SET_MAX_BYTES,
            allow_private=True,
        )
        published = {key["kid"] for key in orjson.loads(answer.body)["keys"]}
    except (OutgoingError, ValueError, LookupError, TypeError) as error:
        reason = str(error) if isinstance(error, OutgoingError) else "The answer is no set of keys."
        found = f"This machine cannot read {url}. {reason}"
        return _advice("keys", found, "If other machines cannot either, start the service, or correct BASE_URL.")
    if published == own:
        return _ok("keys", f"{url} publishes the keys of this machine.")
    return _fault(
        "keys",
        f"{url} publishes other keys than SIGNING_KEYS_FILE of this machine has.",
        "Give all machines the same file. Otherwise each machine refuses the tokens of the others.",
    )


def _examine_disk() -> Iterator[Finding]:
    for path in _directories():
        usage = shutil.disk_usage(path)
        share = usage.free / usage.total
        free = f"{path} has {usage.free / 2**30:.1f} GiB free, {share:.0%}."
        if share < FREE_SHARE_ADVISED:
            report = _fault if share < FREE_SHARE_MIN else _advice
            yield report("disk", free, "Free disk space, or enlarge the disk.")
        else:
            yield _ok("disk", free)


def _directories() -> Sequence[Path]:
    """Return the directories in which the service writes files on this machine, one for each disk."""
    files = [Path(getattr(django_settings, "BASE_DIR", ""), core_settings().signing_keys_file)]
    if connection.vendor == "sqlite":
        files.append(Path(connection.settings_dict["NAME"]))
    if (mail := urlsplit(mail_settings().email_url)).scheme == "file":
        files.append(Path(unquote(mail.path), "x"))
    there = [next(parent for parent in file.absolute().parents if os.access(parent, os.F_OK)) for file in files]
    return list({path.stat().st_dev: path for path in reversed(there)}.values())


def _examine_hashing() -> Iterator[Finding]:
    """Yield advice when password hashes would take a third less time with huge pages.

    PyNaCl maps new memory for each hash, and Linux fills small pages one by one.
    """
    if not argon2id.is_of_pynacl(hashing.todays_kind()) or not PAGE_SIZES.exists():
        return
    if "[always]" in PAGE_SIZES.read_text():
        yield _ok("hashing", "Linux gives huge pages to password hashes.")
        return
    found = "A password hash takes half as long again, because Linux gives it small pages."
    yield _advice("hashing", found, f"Run: echo always > {PAGE_SIZES}. Or use the image, which needs no huge pages.")


def _examine_mail() -> Iterator[Finding]:
    if mail_settings().email_url.startswith(("off", "console:")):
        # A system check warns of it.
        return
    try:
        queue.check_transport()
    except Unavailable as reason:
        yield _fault("mail", str(reason), "Check EMAIL_URL, the mail server and the network.")
    else:
        yield _ok("mail", "The transport of EMAIL_URL accepts a connection.")


def _examine_database() -> Iterator[Finding]:
    try:
        connection.ensure_connection()
        is_read_only = connection.vendor == "postgresql" and (
            sql.fetch_all("SELECT current_setting('transaction_read_only')", ())[0][0] == "on"
        )
    except (DatabaseError, InterfaceError) as error:
        action = "Start the database, or correct DATABASE_URL. The service needs no restart."
        yield _fault("database", f"The database does not answer: {reason_of(error)}.", action)
        return
    if is_read_only:
        action = "Use the address of the primary server. Look for default_transaction_read_only."
        yield _fault("database", "The database accepts no writes.", action)
    else:
        yield _ok("database", "The database answers.")


def _examine_migrations() -> Iterator[Finding]:
    migrations = compare_migrations()
    missing, unknown = migrations.missing, migrations.unknown
    if missing:
        names = f"{missing[0]}, …, {missing[-1]}" if len(missing) > NAMES_MAX else ", ".join(missing)
        found = f"Migrations that are not applied: {len(missing)} ({names})."
        yield _fault("migrations", found, "Run manage.py migrate.")
    elif unknown:
        found = f"The database has migrations of a newer release: {', '.join(unknown)}."
        yield _advice("migrations", found, "Install the newer release on this machine too.")
    else:
        yield _ok("migrations", "All migrations are applied.")


def _examine_with_database() -> Iterator[Finding]:
    """Yield the findings of the system checks that ask the database."""
    for one in run_checks(tags=[Tags.database], databases=["default"]):
        yield _fault("settings", f"{one.msg} ({one.id})", one.hint or "See docs/settings.md.")


def _examine_counters(now: datetime) -> Iterator[Finding]:
    if ratelimit.is_answering(now=now):
        yield _ok("counters", "The store of the rate limits answers.")
        return
    found = "The store of the rate limits does not answer, so each process counts alone."
    yield _fault("counters", found, "Start the server of CACHE_URL, or the database. Look for the reason in the log.")


def _examine_clock() -> Iterator[Finding]:
    if connection.vendor != "postgresql":
        return
    # The earlier examinations took time, so `now` is older than the answer.
    difference = abs(sql.fetch_all("SELECT clock_timestamp()", ())[0][0] - read_clock())
    found = f"The clocks of this machine and of the database differ by {difference.total_seconds():.1f} s."
    if difference > CLOCK_DIFFERENCE_MAX:
        yield _fault("clock", found, "Synchronize the clocks of all machines by NTP.")
    else:
        yield _ok("clock", found)


def _examine_worker(now: datetime) -> Iterator[Finding]:
    beat = find_last_beat()
    if beat is not None and now - beat <= SILENCE_MAX:
        yield _ok("worker", f"A worker ran at {rfc3339(beat)}.")
        return
    found = "No worker has run yet." if beat is None else f"No worker has run since {rfc3339(beat)}."
    yield _fault("worker", found, "Start manage.py worker, or serve without --no-worker.")


def _examine_queues(now: datetime) -> Iterator[Finding]:
    if late := _find_late(OutgoingMail.objects.all(), longest=MAIL_AGE_MAX, now=now):
        yield _fault("mail", f"A mail has waited since {rfc3339(late)}.", "Search the log for: mails cannot be sent.")
    else:
        yield _ok("mail", "No mail waits for long.")
    # A receiver that fails is not a fault of this deployment.
    if late := _find_late(unfinished_deliveries(), longest=DELIVERY_AGE_MAX, now=now):
        yield _advice("webhook", f"A delivery has waited since {rfc3339(late)}.", "Repair the receiver.")
    else:
        yield _ok("webhook", "No delivery waits for long.")


def _find_late(rows: QuerySet[Any], *, longest: timedelta, now: datetime) -> datetime | None:
    """Return the time of the oldest of the next rows, if it has waited longer than `longest`."""
    oldest: datetime | None = rows.order_by("next_attempt_at")[:ROWS_MAX].aggregate(oldest=Min("created_at"))["oldest"]
    return oldest if oldest and now - oldest > longest else None


def _examine_proxies() -> Iterator[Finding]:
    """Yield whether the newest events have the addresses of callers, and not that of a proxy."""
    newest = Event.objects.exclude(ip="").exclude(user_id=None).order_by("-pk")[:ROWS_MAX]
    seen = list(newest.values_list("ip", "user_id"))
    addresses = {ip_address(ip) for ip, _ in seen}
    trusted = core_settings().trusted_proxies
    behind = [user for ip, user in seen if any(ip_address(ip) in network for network in trusted)]
    if len(set(behind)) >= ACCOUNTS_MIN and len(behind) == len(seen):
        found = (
            "All callers appear under the address of a trusted proxy: " + ", ".join(sorted(map(str, addresses))) + "."
        )
        action = "Let the proxy set PROXY_IP_HEADER. Otherwise all its callers share their rate limits."
        yield _fault("proxies", found, action)
    elif len(set(behind)) >= ACCOUNTS_MIN:
        found = f"{len(behind)} of the newest {len(seen)} events have the address of a trusted proxy."
        action = (
            "Calls from the machine of a proxy have its address. If there are none, let each proxy set PROXY_IP_HEADER."
        )
        yield _advice("proxies", found, action)
    elif len(addresses) == 1 and len({user for _, user in seen}) >= ACCOUNTS_MIN and not min(addresses).is_global:
        found = f"All callers appear under one private address: {min(addresses)}."
        action = "If it is your proxy, name it in TRUSTED_PROXIES. Otherwise all callers share their rate limits."
        yield _advice("proxies", found, action)
    else:
        yield _ok("proxies", "The newest events have the addresses of callers.")
