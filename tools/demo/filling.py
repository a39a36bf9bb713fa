"""The rows of the demo, in the tables of an empty full deployment."""

import logging
import secrets
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Any

import orjson
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.db import models

from accounts.models import Account, User
from accounts.passwords import hashing
from apikeys.models import ApiKey
from console.models import Operator, RecordedDigest, Review
from console.operators.grants import DEFAULT_ROLE
from console.reports import digest
from console.reports.window import Window
from console.roles import Role
from core.addresses import email_key
from core.db.transactions import write
from events import rollup
from events.conf import DEFAULT_EVENTS, webhook_settings
from events.logs.models import ShippedLog
from events.logs.redaction import MASK
from events.models import EventCount
from events.vocabulary import EventType
from events.webhooks.models import Delivery, DeliveryAttempt
from events.webhooks.queue import payload_of
from mail.conf import SecurityMail
from mail.models import SecurityMailCount
from mfa.models import Passkey
from sessions_app.conf import settings as session_settings
from sessions_app.logins.login import LoginMethod
from sessions_app.models import Family, Identity, LastLogin, Token

from . import attack, authenticator_app
from .history import DAYS, ONE_DAY, History, live
from .residents import Place, Resident, id_at, settle

SEED = 20_260_101
OPERATOR = "operator@example.com"
_BATCH = 2_000
_BAD_DAYS_AGO = 2
"""The webhook's receiver failed on the afternoon of this day."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Credentials:
    """The credentials of the demo's operator."""

    email: str
    password: str
    app_secret: str


class HasUsers(Exception):
    """The database already has users."""


def fill(*, users: int, now: datetime, say: Callable[[str], None]) -> Credentials:
    """Fill the database, and return the credentials of the operator. `say` gets a line for each step.

    The same call at the same time makes the same data, except for credentials. Raises HasUsers, and adds nothing, when
    the database has users.
    """
    if User.objects.exists():
        raise HasUsers
    random = Random(SEED)
    history = History(since=now - DAYS * ONE_DAY, now=now, random=random)
    residents = settle(users=users, since=history.since, now=now, random=random)
    live(history, residents)
    attack.strike(history, residents)
    attack.strike_by_night(history, residents)
    _lock_now(history, residents)
    keys = _keys(history, residents)
    history.events.sort(key=lambda event: event.created_at)

    credentials = _add_history(history, residents, keys, say=say)
    for _ in rollup.roll_up(now=now):
        pass
    _add_rows(_digests(history))
    return credentials


@write
def _add_history(
    history: History, residents: list[Resident], keys: list[ApiKey], *, say: Callable[[str], None]
) -> Credentials:
    """Store all rows that the history describes. Opens its own transaction, so an interruption leaves no half demo."""
    credentials = _add_operator(history)
    say(f"{len(residents):,} users with their factors, sessions and keys")
    _add_users(history, residents, random=history.random)
    _add_rows(_identities(history, residents))
    _add_rows(keys)
    say(f"{len(history.events):,} events of {DAYS} days")
    _add_rows(history.events)
    say("reviews, webhook deliveries, log lines and digests")
    _add_rows(_mail_counts(history))
    _add_rows(_reviews(history))
    deliveries = list(_deliveries(history))
    _add_rows(deliveries)
    _add_rows(_attempts(deliveries, random=history.random))
    _add_rows(_log_lines(history))
    # A worker may have counted the days before the demo, which had no events then.
    EventCount.objects.all().delete()
    return credentials


def _add_rows(rows: Iterable[models.Model]) -> None:
    found = list(rows)
    if found:
        type(found[0])._default_manager.bulk_create(found, batch_size=_BATCH)


def _add_operator(history: History) -> Credentials:
    now = history.now
    credentials = Credentials(
        email=OPERATOR, password=secrets.token_urlsafe(12), app_secret=authenticator_app.new_secret()
    )
    user = User.objects.create(email=OPERATOR, password=hashing.hash_password(credentials.password))
    since = history.since - ONE_DAY
    account = Account.objects.create(
        user=user, email_key=email_key(OPERATOR), email_proven_at=since, created_at=since, updated_at=since
    )
    authenticator_app.row(account=account, secret=credentials.app_secret, since=since).save()
    Operator.objects.create(account=account, role=DEFAULT_ROLE, granted_role=Role.ADMIN, granted_at=now)
    return credentials


def _add_users(history: History, residents: list[Resident], *, random: Random) -> None:
    # No caller knows these two passwords.
    password = secrets.token_urlsafe()
    new, old = hashing.hash_password(password), PBKDF2PasswordHasher().encode(password, "demo salt", 260_000)
    locked = {event.user_id: event.created_at for event in history.events if event.type == EventType.ACCOUNT_LOCKED}
    signed_in: defaultdict[str | None, list[datetime]] = defaultdict(list)
    for event in history.events:
        if event.type == EventType.LOGIN_SUCCESS:
            signed_in[event.user_id].append(event.created_at)
    accounts, stored, families, tokens, apps, passkeys, logins = [], [], [], [], [], [], []
    for one in residents:
        standing = history.standing(one)
        is_old = one.created_at < history.since and not standing.is_upgraded
        stored.append(User(id=one.id, email=one.email, password=old if is_old else new))
        account = Account(
            user_id=one.id,
            email_key=email_key(one.email),
            email_proven_at=one.created_at + timedelta(minutes=4) if random.random() < 0.9 else None,
            metadata={"plan": random.choice(("team", "business"))} if random.random() < 0.2 else {},
            created_at=one.created_at,
            updated_at=one.created_at,
        )
        if (lock := locked.get(str(one.id))) and lock + timedelta(minutes=15) > history.now:
            account.locked_until, account.locks_in_row = lock + timedelta(minutes=15), 1
        accounts.append(account)
        if standing.app_since:
            secret = authenticator_app.new_secret()
            apps.append(authenticator_app.row(account=account, secret=secret, since=standing.app_since))
        for made_at, aaguid in standing.passkeys:
            passkeys.append(
                Passkey(
                    id=id_at(made_at, random),
                    account=account,
                    credential_id=random.randbytes(32),
                    public_key=random.randbytes(77),
                    sign_count=0,
                    transports=["internal"],
                    aaguid=aaguid,
                    is_backup_eligible=True,
                    is_backed_up=True,
                    user_verified=True,
                    nickname=random.choice(("Laptop", "Phone", "Work", "Passkey")),
                    created_at=made_at,
                )
            )
        for place, (began, used) in standing.sessions.items():
            family, token = _session(account, place, began=began, used=used, random=random)
            families.append(family)
            tokens.append(token)
        if last := _last_login(one, [*signed_in[str(one.id)], *(began for began, _ in standing.sessions.values())]):
            logins.append(LastLogin(account=account, at=last))
    for rows in (stored, accounts, apps, passkeys, families, tokens, logins):
        _add_rows(rows)


def _identities(history: History, residents: list[Resident]) -> Iterator[Identity]:
    """Yield the identities of the users who sign in by a provider."""
    used = {
        event.user_id: event.created_at for event in history.events if event.metadata.get("method") == LoginMethod.OAUTH
    }
    for one in residents:
        if one.provider:
            yield Identity(
                account_id=one.id,
                provider=one.provider,
                issuer=f"https://{one.provider}.example",
                subject=str(one.id.int),
                created_at=one.created_at,
                last_used_at=used.get(str(one.id), one.created_at),
            )


def _last_login(one: Resident, times: list[datetime]) -> datetime | None:
    """Return the latest of the times. Without any, most residents signed in once, at their sign-up."""
    # The events of logins go back to the start of the history only.
    first = [one.created_at + timedelta(minutes=1)] if one.email[0] not in "aeh" else []
    return max(times or first, default=None)


def _session(
    account: Account, place: Place, *, began: datetime, used: datetime, random: Random
) -> tuple[Family, Token]:
    lifetimes = session_settings()
    token = Token(
        id=id_at(used, random),
        digest=random.randbytes(32),
        ip=place.ip,
        user_agent=place.user_agent,
        created_at=used,
    )
    family = Family(
        id=id_at(began, random),
        account=account,
        current_token_id=token.id,
        started_at=began,
        authenticated_at=began,
        idle_expires_at=used + timedelta(seconds=lifetimes.refresh_idle_seconds),
        absolute_expires_at=began + timedelta(seconds=lifetimes.refresh_absolute_seconds),
    )
    token.family_id = family.id
    return family, token


def _lock_now(history: History, residents: list[Resident]) -> None:
    """Lock a few accounts that are still locked now."""
    for number, user in enumerate(residents[10:13]):
        at = history.now - timedelta(minutes=2 + 3 * number)
        for second in range(5):
            moment = at - timedelta(seconds=10 * second)
            history.record(EventType.LOGIN_FAILED, at=moment, place=user.places[0], user=user)
        history.record(EventType.ACCOUNT_LOCKED, at=at, place=user.places[0], user=user)


def _keys(history: History, residents: list[Resident]) -> list[ApiKey]:
    """Return API keys of a few users, and record their events."""
    random = history.random
    keys = []
    for number, user in enumerate(random.sample(residents, len(residents) // 40)):
        start = max(user.created_at, history.since)
        at = start + (history.now - start) * random.random()
        prefix = f"ak_{number:08x}"
        key = ApiKey(
            id=id_at(at, random),
            account_id=user.id,
            name=random.choice(("nightly report", "CI", "import", "backup", "metrics")),
            prefix=prefix,
            digest=random.randbytes(32),
            scopes=random.choice((["reports:read"], ["reports:read", "reports:write"], [])),
            created_at=at,
            expires_at=at + timedelta(days=365) if random.random() < 0.6 else None,
            last_used_at=history.now - timedelta(hours=random.randrange(1, 90))
            if at < history.now - 5 * ONE_DAY
            else None,
        )
        history.record(EventType.API_KEY_CREATED, at=at, place=user.places[0], user=user, prefix=prefix)
        if random.random() < 0.15:
            key.revoked_at = at + (history.now - at) * random.random()
            history.record(EventType.API_KEY_REVOKED, at=key.revoked_at, place=user.places[0], user=user, prefix=prefix)
        keys.append(key)
    return keys


def _mail_counts(history: History) -> list[SecurityMailCount]:
    """Return the counts of the mails to owners about locks and stopped sign-ins."""
    kinds = {
        EventType.ACCOUNT_LOCKED: SecurityMail.LOCK,
        EventType.LOGIN_STOPPED_AT_FACTOR: SecurityMail.STOPPED_SIGN_IN,
    }
    counts = {}
    for event in history.events:
        if event.user_id and (kind := kinds.get(EventType(event.type))):
            row = SecurityMailCount(account_id=event.user_id, kind=kind, started_at=event.created_at, count=1)
            counts[event.user_id, kind] = row
    return list(counts.values())


def _reviews(history: History) -> Iterator[Review]:
    """Yield reviews on most of the suspicious events from before the attack."""
    random, reviewer = history.random, str(User.objects.get(email=OPERATOR).pk)
    for event in history.events:
        if event.type != EventType.ANOMALY_DETECTED or event.created_at > history.now - 5 * ONE_DAY:
            continue
        if random.random() < 0.92:
            is_confirmed = random.random() < 0.1
            yield Review(
                event_id=event.id,
                status=Review.Status.CONFIRMED if is_confirmed else Review.Status.DISMISSED,
                note="The owner did not know this login."
                if is_confirmed
                else random.choice(("", "Travelling.", "New laptop.")),
                reviewer_id=reviewer,
                updated_at=event.created_at + timedelta(hours=random.uniform(1, 30)),
            )


def _deliveries(history: History) -> Iterator[Delivery]:
    """Yield the deliveries of 30 days. Those of one afternoon failed, and the latest three wait."""
    random, now = history.random, history.now
    bad = (now - _BAD_DAYS_AGO * ONE_DAY).replace(hour=12, minute=30)
    sent = [one for one in history.events if one.type in DEFAULT_EVENTS and one.created_at > now - 30 * ONE_DAY]
    for event in sent:
        delivery = Delivery(
            id=id_at(event.created_at, random),
            event_id=event.id,
            event_type=event.type,
            user_id=event.user_id,
            ip=event.ip,
            payload=payload_of(
                event_id=str(event.id),
                event=event.type,
                user_id=event.user_id,
                ip=event.ip,
                metadata=event.metadata,
                now=event.created_at,
            ),
            status=Delivery.Status.DELIVERED,
            attempts=1,
            response_code=200,
            duration_ms=random.randrange(40, 400),
            created_at=event.created_at,
            next_attempt_at=event.created_at,
            delivered_at=event.created_at + timedelta(seconds=random.uniform(0.2, 2)),
        )
        failure: dict[str, Any] = {"response_code": 503, "error": "The receiver answered 503.", "delivered_at": None}
        if bad < event.created_at < bad + timedelta(hours=5):
            _set(
                delivery,
                status=Delivery.Status.FAILED,
                attempts=7,
                duration_ms=random.randrange(9_000, 15_000),
                **failure,
            )
        elif event in sent[-3:]:
            waits = now + timedelta(minutes=random.randrange(20, 60))
            _set(delivery, status=Delivery.Status.PENDING, attempts=3, next_attempt_at=waits, **failure)
        yield delivery


def _attempts(deliveries: list[Delivery], *, random: Random) -> Iterator[DeliveryAttempt]:
    """Yield the attempts of the deliveries, as the schedule of WEBHOOK_RETRY_SECONDS makes them."""
    for delivery in deliveries:
        began = delivery.created_at
        for number in range(1, delivery.attempts + 1):
            began += timedelta(seconds=webhook_settings().retry_seconds[number - 1])
            milliseconds = delivery.duration_ms or random.randrange(40, 400)
            yield DeliveryAttempt(
                id=id_at(began + timedelta(milliseconds=milliseconds), random),
                delivery_id=delivery.id,
                number=number,
                started_at=began,
                response_code=delivery.response_code,
                error=delivery.error,
                beginning="upstream connect error or disconnect before headers" if delivery.error else '{"ok":true}',
                duration_ms=milliseconds,
            )


def _set(row: models.Model, **values: Any) -> None:
    for name, value in values.items():
        setattr(row, name, value)


def _log_lines(history: History) -> Iterator[ShippedLog]:
    """Yield log lines of 14 days: requests, and warnings of the bad afternoon."""
    random, now = history.random, history.now
    routes = {
        EventType.LOGIN_SUCCESS: ("v1/login", 200),
        EventType.LOGIN_FAILED: ("v1/login", 401),
        EventType.TOKEN_ROTATED: ("v1/refresh", 200),
        EventType.SIGNUP_SUCCESS: ("v1/signup", 201),
    }
    for event in history.events:
        if event.created_at < now - 14 * ONE_DAY or event.type not in routes or random.random() < 0.7:
            continue
        route, status = routes[EventType(event.type)]
        fields = {"method": "POST", "route": route, "ip": MASK, "status": status, "user_id": MASK}
        fields |= {
            "duration_ms": round(random.lognormvariate(3.2, 0.5), 2),
            "request_id": f"{random.getrandbits(128):032x}",
        }
        yield _line(event.created_at, logging.INFO, "request", fields, random=random)
    bad = (now - _BAD_DAYS_AGO * ONE_DAY).replace(hour=12, minute=30)
    for minute in range(0, 300, 6):
        moment, message = bad + timedelta(minutes=minute), "a webhook delivery failed and will not be tried again"
        fields = {"attempts": 7, "reason": "The receiver answered 503."}
        yield _line(moment, logging.WARNING, message, fields, random=random)
    fields = {"job": "mails", "next_attempt_seconds": 2.0, "exception_type": "SMTPServerDisconnected"}
    message = "a background job failed and will be tried again"
    yield _line(now - 6 * ONE_DAY, logging.ERROR, message, fields, random=random)


def _line(at: datetime, level: int, message: str, fields: dict[str, Any], *, random: Random) -> ShippedLog:
    return ShippedLog(
        id=id_at(at, random),
        level=level,
        message=message,
        fields=orjson.dumps(fields).decode(),
        created_at=at,
        next_attempt_at=at,
        shipped_at=at,
    )


def _digests(history: History) -> Iterator[RecordedDigest]:
    """Yield the digests of the last six weeks."""
    for weeks in range(6):
        window = Window.ending(history.now - weeks * 7 * ONE_DAY - timedelta(hours=2), days=7)
        yield RecordedDigest(
            id=id_at(window.until, history.random),
            window_start=window.since,
            window_end=window.until,
            generated_at=window.until,
            text=digest.render(digest.gather(window), window),
        )
