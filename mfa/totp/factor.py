"""Authenticator apps: their enrolment, their removal, and their codes as second factors."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from io import BytesIO
from typing import TYPE_CHECKING, Any, ClassVar
from uuid import UUID

import pyotp
from django.utils.translation import gettext, gettext_noop

from accounts.host import users
from accounts.models import Account
from accounts.proofs.credentials import Proof, confirm_password_of
from accounts.state.lookup import get_signed_in_account, hold_signed_in_account
from core.db.transactions import write
from core.errors import ServiceError
from core.http.client import Client
from core.keys.columns import SealedColumn
from core.keys.jwt import Caller
from core.keys.sealing import Unsealable
from events.vocabulary import EventType
from mail.languages import format_day
from sessions_app.logins.factor_changes import record_enrolled, record_removed
from sessions_app.logins.second_factors import Accepted, PageStep, ProofResult, Refused, SecondProof
from sessions_app.models import PendingLogin

from ..conf import keys, settings
from ..models import Totp
from .codes import matching_steps
from .errors import InvalidTotpCode, TotpAlreadyEnabled, TotpNotConfigured, TotpNotEnabled

if TYPE_CHECKING:
    from rest_framework.serializers import Serializer

SECRET_LETTERS = 32
"""160 bits in base32 (RFC 4226, section 4, R6)."""
NAME_MAX = 100
"""The maximum length of the e-mail address that the app lists, in characters.

Without this bound, a long percent-encoded address would not fit into a QR code. A QR code holds 2,953 bytes at its
lowest level of error correction. The issuer takes up to 1,440 bytes, because the URL contains it twice. The name takes
up to 1,200 bytes and the rest 80.
"""
WRONG_CODES_MAX = 20
WRONG_CODES_PERIOD = timedelta(hours=1)

SECRETS = SealedColumn(name="authenticator secrets", model=Totp, column="secret", keys=keys, variable="ENCRYPTION_KEY")

logger = logging.getLogger("authsvc.mfa")


@dataclass(frozen=True, slots=True, kw_only=True)
class Otpauth:
    """A new secret for an authenticator app, as a link or for a QR code."""

    example: ClassVar = {
        "otpauth_url": "otpauth://totp/Example:alice%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Example"
    }

    otpauth_url: str


@write
def enroll(*, caller: Caller, now: datetime) -> Otpauth:
    """Store a new secret for the account, and return its otpauth URL.

    The secret gates no login before it is confirmed. It replaces an unconfirmed secret. Raises InvalidAccessToken when
    the session has ended, and TotpAlreadyEnabled when the account has a confirmed app.
    """
    account = hold_signed_in_account(caller=caller, now=now)
    if _find_confirmed(account):
        raise TotpAlreadyEnabled
    secret = pyotp.random_base32(SECRET_LETTERS)
    sealed = SECRETS.seal(secret.encode(), pk=account.pk)
    Totp.objects.update_or_create(account=account, defaults={"secret": sealed, "created_at": now})
    return Otpauth(otpauth_url=_otpauth_url(account, secret))


def get_enrolment(*, caller: Caller, now: datetime) -> Otpauth:
    """Return the otpauth URL of an unconfirmed enrolment.

    Raises InvalidAccessToken when the session has ended, because the URL shows a secret that the owner is about to
    confirm. Raises TotpNotEnabled without an enrolment. Raises TotpAlreadyEnabled after the confirmation: the secret of
    a confirmed app is never shown.
    """
    account = get_signed_in_account(caller=caller, now=now)
    return Otpauth(otpauth_url=_otpauth_url(account, _secret_of(_get_unconfirmed(account))))


def draw_qr_code(*, caller: Caller, now: datetime) -> bytes:
    """Return the otpauth URL of an unconfirmed enrolment as an SVG picture of a QR code. Raises as `get_enrolment` does."""
    return draw(get_enrolment(caller=caller, now=now))


def draw(enrolment: Otpauth) -> bytes:
    """Return the otpauth URL as an SVG picture of a QR code."""
    import segno  # noqa: PLC0415 - few requests draw a picture

    picture = BytesIO()
    # The lowest level of error correction holds the most data. `boost_error` raises the level when the picture does not
    # grow.
    code = segno.make(enrolment.otpauth_url, error="l", boost_error=True)
    code.save(picture, kind="svg", scale=4, light="#fff")
    return picture.getvalue()


@write
def confirm(*, caller: Caller, code: str, client: Client, now: datetime) -> None:
    """Confirm the enrolled secret, which gates logins from now on.

    The code proves that the caller's app has the secret. Raises InvalidAccessToken when the session has ended, and
    TotpNotEnabled without an enrolment. Raises TotpAlreadyEnabled when the app is already confirmed, and
    InvalidTotpCode when the code is wrong. The time step of the code does not count as used, because this caller was
    just shown the secret.
    """
    account = hold_signed_in_account(caller=caller, now=now)
    totp = _get_unconfirmed(account)
    if not any(matching_steps(_secret_of(totp), code, now=now)):
        raise InvalidTotpCode
    Totp.objects.filter(pk=totp.pk).update(confirmed_at=now)
    record_enrolled(factor=FACTOR, user=account.user, client=client, now=now)


def disable(*, account: Account, caller: Caller, password: str, client: Client, now: datetime) -> None:
    """Remove the authenticator app.

    `account` is the caller's, as the request found it. The removal checks account and session again under a lock. Raises
    InvalidAccessToken when the session has ended, and InvalidCredentials when the password is wrong. Raises TotpNotEnabled
    before it checks the password.
    """
    if not _find_confirmed(account):
        raise TotpNotEnabled
    proof = confirm_password_of(account=account, caller=caller, password=password, client=client, now=now)
    _disable(caller, proof, client=client, now=now)


@write
def _disable(caller: Caller, proof: Proof, *, client: Client, now: datetime) -> None:
    account = hold_signed_in_account(caller=caller, epoch=proof.epoch, now=now)
    if not Totp.objects.filter(pk=account.pk, confirmed_at__isnull=False).delete()[0]:
        raise TotpNotEnabled
    record_removed(factor=FACTOR, user=account.user, client=client, now=now)


class CodeStep:
    """The step of a page that asks for a code."""

    template = "authsvc_mfa/code_step.html"
    reauthenticates = True

    @property
    def form(self) -> "type[Serializer[None]]":
        from .serializers import CodeInput  # noqa: PLC0415 - a command of manage.py needs no form

        return CodeInput

    def read(self, *, pending: PendingLogin, values: Mapping[str, Any], now: datetime) -> SecondProof:
        """Return the code in the form. Raises TotpNotConfigured when ENCRYPTION_KEY is unset."""
        return _read_proof(values)


class CodeReader:
    """Reader of a code from the body of a reauthentication."""

    members: tuple[str, ...] = ("code",)
    errors: tuple[type[ServiceError], ...] = (TotpNotConfigured, TotpNotEnabled, InvalidTotpCode)

    def read(self, *, account: Account, body: Mapping[str, Any], now: datetime) -> SecondProof:
        """Return the code in the body. Raises TotpNotConfigured when ENCRYPTION_KEY is unset."""
        return _read_proof(body)


class TotpFactor:
    """The second factor of a confirmed authenticator app."""

    name = "totp"
    label = gettext_noop("authenticator app")
    label_plural = gettext_noop("authenticator apps")
    gates_login = True
    enrolled_event = EventType.TOTP_ENABLED
    removed_event = EventType.TOTP_DISABLED
    failed_event = EventType.TOTP_CHALLENGE_FAILED
    page_step: PageStep | None = CodeStep()

    def is_enrolled(self, *, account_id: str) -> str:
        """Return an expression that is true when the account has a confirmed app.

        It does not read the secret. Otherwise, a lost ENCRYPTION_KEY would open the account without its second factor.
        """
        table = Totp._meta.db_table
        return f"EXISTS (SELECT 1 FROM {table} t WHERE t.account_id = {account_id} AND t.confirmed_at IS NOT NULL)"  # noqa: S608 - the table's own name and the caller's SQL

    def login_paused(self, *, account_id: Any, pending_id: UUID, client: Client, now: datetime) -> None:
        """Do nothing: the app computes its codes without the service."""

    def describe(self, *, account_id: Any, now: datetime) -> Sequence[str]:
        """Return a line for a confirmed app."""
        return [
            gettext("Authenticator app, since {day}").format(day=format_day(confirmed_at))
            for confirmed_at in Totp.objects.filter(pk=account_id).values_list("confirmed_at", flat=True)
            if confirmed_at is not None
        ]

    def remove(self, *, account_id: Any, added_from: datetime, now: datetime) -> Sequence[Mapping[str, Any]]:
        """Delete the account's app, and an enrolment without a confirmation."""
        rows = Totp.objects.filter(pk=account_id, created_at__gte=added_from)
        was_confirmed = rows.filter(confirmed_at__isnull=False).exists()
        rows.delete()
        return [{}] if was_confirmed else []


FACTOR = TotpFactor()


class TotpProof:
    """A code from the account's authenticator app, in the request that completes a login or reauthenticates."""

    factor = TotpFactor.name
    failed_event = TotpFactor.failed_event
    refusal = InvalidTotpCode

    def __init__(self, *, code: str) -> None:
        self.code = code

    def verify(self, *, account: Account, client: Client, now: datetime) -> ProofResult:
        """Accept the code once, and mark its time step and all earlier steps as used.

        The reason of a refusal is "too_many" after WRONG_CODES_MAX wrong codes within WRONG_CODES_PERIOD. The method
        then checks no code. The reason is "used" for a code of a used step, and "wrong" for every other wrong code.
        Raises TotpNotEnabled when the app was removed in the meantime.
        """
        totp = _find_confirmed(account)
        if totp is None:
            raise TotpNotEnabled
        if _has_too_many_wrong_codes(totp, now=now):
            return Refused(reason="too_many")
        steps = list(matching_steps(_secret_of(totp), self.code, now=now))
        if any(_mark_step_used(totp, step) for step in steps):
            return Accepted(enrolled_at=totp.confirmed_at)
        _store_wrong_code(totp, now=now)
        return Refused(reason="used" if steps else "wrong")


def find_enabled_at(*, account: Account) -> datetime | None:
    """Return the time at which the account's authenticator app was confirmed; None without a confirmed app."""
    confirmed = _find_confirmed(account)
    return confirmed.confirmed_at if confirmed else None


def _read_proof(values: Mapping[str, Any]) -> "TotpProof":
    if not keys():
        raise TotpNotConfigured
    return TotpProof(code=values["code"])


def _mark_step_used(totp: Totp, step: int) -> bool:
    return bool(Totp.objects.filter(pk=totp.pk, last_step__lt=step).update(last_step=step))


def _has_too_many_wrong_codes(totp: Totp, *, now: datetime) -> bool:
    since = (now - WRONG_CODES_PERIOD).timestamp()
    return len([moment for moment in totp.wrong_at if moment > since]) >= WRONG_CODES_MAX


def _store_wrong_code(totp: Totp, *, now: datetime) -> None:
    # The account's row is locked here, so no concurrent call notes a wrong code.
    latest = [*totp.wrong_at, now.timestamp()][-WRONG_CODES_MAX:]
    Totp.objects.filter(pk=totp.pk).update(wrong_at=latest)


def _find_confirmed(account: Account) -> Totp | None:
    return Totp.objects.filter(pk=account.pk, confirmed_at__isnull=False).first()


def _get_unconfirmed(account: Account) -> Totp:
    totp = Totp.objects.filter(pk=account.pk).first()
    if totp is None:
        raise TotpNotEnabled
    if totp.confirmed_at is not None:
        raise TotpAlreadyEnabled
    return totp


def _secret_of(totp: Totp) -> str:
    try:
        return SECRETS.unseal(totp.secret, pk=totp.pk).decode()
    except Unsealable as error:
        logger.exception("an authenticator secret cannot be decrypted, ENCRYPTION_KEY lacks the key that encrypted it")
        raise TotpNotConfigured from error


def _otpauth_url(account: Account, secret: str) -> str:
    name = users.display_name_of(account.user)[:NAME_MAX]
    return pyotp.TOTP(secret).provisioning_uri(name=name, issuer_name=settings().issuer)
