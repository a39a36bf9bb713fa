"""A login with an unknown address asks the old system. A yes creates the account, and the login then continues."""

import logging
from collections.abc import Mapping
from datetime import datetime
from time import perf_counter
from typing import Any

from django.db import IntegrityError

from accounts.errors import UserExists
from accounts.ops.transfer.records import Record
from accounts.ops.transfer.rows import Terms, read_row
from accounts.ops.transfer.storing import Candidate, Fate, decide, store
from accounts.ops.transfer.values import RefusedRow
from accounts.passwords import hashing
from accounts.proofs.login_locks import LockKey
from accounts.proofs.refusals import Refusal
from accounts.state.lookup import find_for_password
from core import ratelimit
from core.addresses import email_key, normalize_email
from core.errors import RateLimited
from core.ratelimit import Limit
from events.vocabulary import EventType
from events.webhooks import queue

from ...conf import fallback_settings
from . import old_system
from .former_addresses import is_former

logger = logging.getLogger("authsvc.fallback")


def bring(*, email: str, password: str, refusal: Refusal, now: datetime) -> Refusal:
    """Create the account of the old system's user with this address and password, when the address is unknown here.

    The password gets a new hash. The rules for new passwords and the list of breached ones do not apply, because the
    person cannot choose another password in a login. SIGNUP does not apply either.

    Returns `refusal` with the time that the question took. Returns it as it is while no login asks: without
    LOGIN_FALLBACK_URL, and while the old system does not answer. Raises Overloaded when too many hashes wait for a slot.
    No transaction is open during the question.
    """
    settings = fallback_settings()
    if not settings.url or old_system.is_given_up():
        return refusal
    address = normalize_email(email)
    if address is None or not _may_ask(address, now=now):
        return refusal.with_question(seconds=0)
    began = perf_counter()
    row = old_system.ask(email=address, password=password, settings=settings, now=now)
    seconds = perf_counter() - began
    if row is not None:
        _create(row, address=address, password=password, source=settings.source, now=now)
    return refusal.with_question(seconds=seconds)


def _may_ask(address: str, *, now: datetime) -> bool:
    """Return whether the address is unknown here, not locked, never belonged to a deleted account, and in the limit."""
    key = email_key(address)
    if find_for_password(email=address, now=now) is not None:
        return False
    if LockKey.of_address(key).is_locked(now=now) or is_former(key=key):
        return False
    try:
        ratelimit.hit(Limit.LOGIN_FALLBACK, "all", now=now)
    except RateLimited:
        logger.warning("more logins ask the old system than the limit login_fallback allows")
        return False
    return True


def _create(row: Mapping[str, Any], *, address: str, password: str, source: str, now: datetime) -> None:
    """Create the account of the row, or log why not. Without the account, the login refuses the unknown address."""
    try:
        candidate = _find_new(row, address=address, source=source, now=now)
    except RefusedRow as error:
        logger.warning("a row of the old system was refused", extra={"reason": str(error)})
        return
    if candidate is None:
        return
    password_hash = hashing.hash_password(password)
    try:
        is_announced = queue.is_subscribed(EventType.ACCOUNT_IMPORTED)
        store([candidate], hashes=[password_hash], source=source, is_announced=is_announced, now=now)
    except (UserExists, IntegrityError):
        # Another login of this user created the account in the meantime.
        logger.info("an account of the old system exists already")


def _find_new(row: Mapping[str, Any], *, address: str, source: str, now: datetime) -> Candidate | None:
    """Return the user of the row, or None when the account exists or was deleted here. Raises RefusedRow."""
    candidate = _read(row, address=address, source=source, now=now)
    [decision] = decide([candidate], now=now)
    if isinstance(decision, str):
        raise RefusedRow(decision)
    if decision is Fate.DELETED:
        logger.info("the account of a user of the old system was deleted here")
    return candidate if decision is Fate.NEW else None


def _read(row: Mapping[str, Any], *, address: str, source: str, now: datetime) -> Candidate:
    """Return the checked row without its hash. Raises RefusedRow, also when a second factor cannot be stored."""
    known = {name: value for name, value in row.items() if name != "password_hash"}
    read = read_row(known, terms=Terms(source=source, now=now))
    if read.email_key != email_key(address):
        raise RefusedRow("email: is another address than that of the login.")
    if read.id is None:
        raise RefusedRow("id: is missing. It tells a deleted account from a new one.")
    return Candidate(record=Record(number=1, value=known), row=read, hash=None)
