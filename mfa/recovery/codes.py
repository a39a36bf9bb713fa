"""Recovery codes: ten single-use codes for a user who has lost every other factor."""

import hmac
import logging
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, ClassVar

from django.utils.translation import gettext_noop

from accounts.host import users
from accounts.models import Account
from accounts.state.lookup import hold_signed_in_account
from core import ratelimit
from core.db.transactions import write
from core.http.answers import Described
from core.http.client import Client
from core.keys.columns import SealedColumn
from core.keys.jwt import Caller
from core.keys.sealing import Unsealable
from events.audit import record
from events.vocabulary import EventType
from mail.compose import MailTemplate
from mail.limits import MailKind, mailbox_key
from sessions_app.logins.second_factors import Accepted, ProofResult, Refused

from ..conf import keys
from ..models import RecoveryBatch, RecoveryCode
from .errors import InvalidRecoveryCode, RecoveryCodesNotConfigured
from .notices import notify_owner

CODES = 10
CODE_INPUT_MAX = 64
"""The maximum length of a code in a request, in characters.

A code has eight characters. Users may type dashes and blanks between them.
"""
ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's base 32.

Of several similar characters it contains only one. `_LOOK_ALIKES` maps the other characters to it.
"""

NOTICE = gettext_noop(
    "Keep these codes in a safe place, because they are not shown again. Each code signs you in once if you cannot use "
    "your other second factors. Older codes no longer work."
)

PEPPERS = SealedColumn(
    name="recovery peppers", model=RecoveryBatch, column="pepper", keys=keys, variable="ENCRYPTION_KEY"
)

_DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
_LOOK_ALIKES = str.maketrans("oil", "011", _DASHES)
_CODE = re.compile(f"[{ALPHABET}]{{8}}")

logger = logging.getLogger("authsvc.mfa")


@dataclass(frozen=True, slots=True, kw_only=True)
class RecoveryCodes:
    """New recovery codes. No later call returns them."""

    example: ClassVar = {
        "codes": [
            "7k2m-9xqt",
            "0c4v-h8wd",
            "n3bz-52rf",
            "q9tk-ymj1",
            "x6ep-83as",
            "4dgh-v0cn",
            "r7wy-k2zq",
            "b5mj-t9xe",
            "h1fs-60pd",
            "z8qv-n4gk",
        ],
        "notice": "Keep these codes somewhere safe.",
    }

    codes: Annotated[
        Sequence[Annotated[str, Described(keywords={"pattern": f"^[{ALPHABET}]{{4}}-[{ALPHABET}]{{4}}$"})]],
        Described(keywords={"minItems": CODES, "maxItems": CODES}),
    ]
    notice: str = NOTICE


@write
def generate(*, caller: Caller, client: Client, now: datetime) -> RecoveryCodes:
    """Replace the account's recovery codes with new ones, and return the new ones, each as `xxxx-xxxx`.

    Only this call returns these codes. Raises InvalidAccessToken when the session has ended.
    """
    account = hold_signed_in_account(caller=caller, now=now)
    codes = ["".join(secrets.choice(ALPHABET) for _ in range(8)) for _ in range(CODES)]
    pepper = secrets.token_bytes(32)
    RecoveryBatch.objects.filter(pk=account.pk).delete()
    batch = RecoveryBatch.objects.create(account=account, pepper=PEPPERS.seal(pepper, pk=account.pk), created_at=now)
    RecoveryCode.objects.bulk_create([RecoveryCode(batch=batch, digest=_digest(code, pepper)) for code in codes])
    record(event=EventType.RECOVERY_CODES_GENERATED, user_id=caller.user_id, client=client, now=now)
    notify_owner(account=account, template=MailTemplate.RECOVERY_CODES_GENERATED, values={}, client=client, now=now)
    return RecoveryCodes(codes=[f"{code[:4]}-{code[4:]}" for code in codes])


def count_unused(*, account_id: Any) -> int:
    """Return the number of the account's unused recovery codes."""
    return RecoveryCode.objects.filter(batch=account_id, used_at=None).count()


class RecoveryProof:
    """A recovery code that replaces the second factor in the completion of a login."""

    factor = "recovery_code"
    failed_event = EventType.RECOVERY_CODE_FAILED
    refusal = InvalidRecoveryCode

    def __init__(self, *, code: str) -> None:
        self.code = code

    def verify(self, *, account: Account, client: Client, now: datetime) -> ProofResult:
        """Spend the code, record its use, and mail the owner how many codes are left.

        The reason of a refusal is "wrong": the code is not one of the account's unused codes. Raises RateLimited when
        the owner's mailbox has received too many notices. Raises RecoveryCodesNotConfigured when the key that sealed
        the pepper is missing.
        """
        code = "".join(self.code.lower().translate(_LOOK_ALIKES).split()) if len(self.code) <= CODE_INPUT_MAX else ""
        batch = RecoveryBatch.objects.filter(pk=account.pk).first()
        if batch is None:
            return Refused(reason="wrong")
        pepper = _pepper_of(batch)
        unused = RecoveryCode.objects.filter(batch=batch, used_at=None)
        if not _CODE.fullmatch(code) or not unused.filter(digest=_digest(code, pepper)).update(used_at=now):
            return Refused(reason="wrong")
        # RateLimited rolls the transaction back: the code stays unused, and the login stays pending.
        ratelimit.hit(
            ratelimit.Limit.MAILBOX, mailbox_key(MailKind.CONFIRMED_NOTICE, users.mailbox_of(account.user)), now=now
        )
        left = unused.count()
        record(
            event=EventType.RECOVERY_CODE_USED,
            user_id=str(account.pk),
            client=client,
            now=now,
            metadata={"remaining": left},
        )
        notify_owner(
            account=account,
            template=MailTemplate.RECOVERY_CODE_USED,
            values={"remaining": str(left)},
            client=client,
            now=now,
        )
        return Accepted()


def _digest(code: str, pepper: bytes) -> bytes:
    return hmac.digest(pepper, code.encode(), "sha256")


def _pepper_of(batch: RecoveryBatch) -> bytes:
    try:
        return PEPPERS.unseal(batch.pepper, pk=batch.pk)
    except Unsealable as error:
        logger.exception("a recovery pepper cannot be decrypted, ENCRYPTION_KEY lacks the key that encrypted it")
        raise RecoveryCodesNotConfigured from error
