"""The sessions, second factors, API keys and identities of a user, in the view of an operator. This module only reads."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, ClassVar

from django.utils import translation

from accounts.state.lookup import get_account_for_operator
from apikeys.keys import ListedKey, list_keys_of
from core.db.ids import parse_id
from core.http.answers import Described
from core.http.examples import MOMENT
from core.keys.jwt import Caller
from mfa.passkeys.factor import ListedPasskey, list_passkeys_of
from mfa.recovery.codes import count_unused
from mfa.totp.factor import find_enabled_at
from sessions_app.families.queries import Session, list_live
from sessions_app.logins.factor_changes import FactorInventory
from sessions_app.logins.identities import LinkedIdentities, list_identities_of


@dataclass(frozen=True, slots=True, kw_only=True)
class UserSessions:
    """The live sessions of a user, the newest login first. `count` is the number of entries in the answer."""

    example: ClassVar = {"sessions": [{**Session.example, "current": False}], "count": 1, "limit": 50}

    sessions: Sequence[Session]
    count: int
    limit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class UserFactors:
    """The second factors of a user, and the number of recovery codes that replace them."""

    example: ClassVar = {
        "totp_enabled_at": MOMENT,
        "passkeys": [ListedPasskey.example],
        "recovery_codes": 9,
        "lines": ["Authenticator app, since 14 November 2026", "Passkey: Laptop, since 14 November 2026"],
    }

    totp_enabled_at: Annotated[
        datetime | None, Described("The time at which the authenticator app was confirmed. Null without an app.")
    ]
    passkeys: Annotated[Sequence[ListedPasskey], Described("The newest passkey comes first.")]
    recovery_codes: Annotated[int, Described("The number of unused codes.")]
    lines: Annotated[
        Sequence[str], Described("One line for each factor and for the codes, also for the factors of your site.")
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class UserKeys:
    """The API keys of a user that are not revoked, the newest first. `count` is the number of entries in the answer."""

    component: ClassVar = "UserApiKeys"
    example: ClassVar = {"api_keys": [ListedKey.example], "count": 1, "limit": 50}

    api_keys: Sequence[ListedKey]
    count: int
    limit: int


def list_user_sessions(*, user_id: str, operator: Caller, limit: int, now: datetime) -> UserSessions:
    """Return the user's live sessions. The session of the operator's own access token is current.

    Raises NotFound when no account has this id.
    """
    account = get_account_for_operator(user_id=user_id)
    found = list_live(account_id=account.pk, now=now, own_token_id=parse_id(operator.token_id), limit=limit)
    return UserSessions(sessions=found, count=len(found), limit=limit)


def get_user_factors(*, user_id: str, now: datetime) -> UserFactors:
    """Return the factors that the user's logins wait for. Raises NotFound when no account has this id.

    The result does not depend on ENCRYPTION_KEY, because a login waits for an enrolled factor without the key too.
    """
    account = get_account_for_operator(user_id=user_id)
    # A host project may have another language.
    with translation.override("en"):
        lines = FactorInventory().describe(account_id=account.pk, now=now)
    return UserFactors(
        totp_enabled_at=find_enabled_at(account=account),
        passkeys=list_passkeys_of(account),
        recovery_codes=count_unused(account_id=account.pk),
        lines=lines,
    )


def list_user_identities(*, user_id: str) -> LinkedIdentities:
    """Return the user's identities at providers. Raises NotFound when no account has this id."""
    return list_identities_of(get_account_for_operator(user_id=user_id))


def list_user_keys(*, user_id: str, limit: int, now: datetime) -> UserKeys:
    """Return the user's API keys that are not revoked, including expired ones.

    Raises NotFound when no account has this id.
    """
    found = list_keys_of(account=get_account_for_operator(user_id=user_id), now=now, limit=limit)
    return UserKeys(api_keys=found, count=len(found), limit=limit)
