"""Second factors as proofs of a reauthentication."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from accounts.models import Account
from core.errors import ServiceError
from sessions_app.logins.second_factors import SecondProof

from .conf import keys
from .errors import (
    InvalidCeremonyToken,
    InvalidPasskeyResponse,
    InvalidTotpCode,
    NoPasskeysEnrolled,
    PasskeysNotConfigured,
    TotpNotConfigured,
    TotpNotEnabled,
)
from .totp.factor import TotpProof


class CodeReader:
    """Reader of a code from the authenticator app."""

    members: tuple[str, ...] = ("code",)
    errors: tuple[type[ServiceError], ...] = (TotpNotConfigured, TotpNotEnabled, InvalidTotpCode)

    def read(self, *, account: Account, body: Mapping[str, Any], now: datetime) -> SecondProof:
        """Return the code in the body. Raises TotpNotConfigured when ENCRYPTION_KEY is unset."""
        if not keys():
            raise TotpNotConfigured
        return TotpProof(code=body["code"])


class PasskeyReader:
    """Reader of the response of a passkey."""

    members: tuple[str, ...] = ("ceremony_token", "credential")
    errors: tuple[type[ServiceError], ...] = (
        PasskeysNotConfigured,
        NoPasskeysEnrolled,
        InvalidCeremonyToken,
        InvalidPasskeyResponse,
    )

    def read(self, *, account: Account, body: Mapping[str, Any], now: datetime) -> SecondProof:
        """Spend the ceremony, and return the response in the body.

        Raises PasskeysNotConfigured when ENCRYPTION_KEY is unset. Raises NoPasskeysEnrolled before it looks at the
        ceremony, and InvalidCeremonyToken.
        """
        from .passkeys.login import finish_reauthentication_ceremony  # noqa: PLC0415 - the library takes 5 MB

        if not keys():
            raise PasskeysNotConfigured
        return finish_reauthentication_ceremony(account=account, now=now, **body)
