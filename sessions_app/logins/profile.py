"""The caller's own account, as an application shows it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, ClassVar

from accounts.host import users
from accounts.host.changes import has_new_address
from accounts.state.lookup import get_own_account
from core.http.answers import Described
from core.http.examples import EMAIL, FACTORS, MOMENT, USER_ID

from .second_factors import FactorName, enrolled_factors


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """The account of the caller."""

    example: ClassVar = {
        "user_id": USER_ID,
        "email": EMAIL,
        "email_verified": True,
        "factors": FACTORS,
        "created_at": MOMENT,
    }

    user_id: str
    email: str
    email_verified: Annotated[
        bool, Described("Whether the owner of the account has proven that they read the mailbox.")
    ]
    factors: Annotated[tuple[FactorName, ...], Described("The second factors that the account has.")]
    created_at: Annotated[datetime, Described("The time of the sign-up.")]


def get_profile(*, user_id: str) -> Profile:
    """Return the profile of the account with the id from an access token.

    Raises InvalidAccessToken when the account was deleted, and in the other cases of `get_own_account`.
    """
    account = get_own_account(user_id=user_id)
    return Profile(
        user_id=user_id,
        email=users.email_of(account.user),
        # A host project can change the address without a call of the service. The stored proof then belongs to the
        # address before the change.
        email_verified=account.email_proven_at is not None and not has_new_address(account),
        factors=tuple(factor.name for factor in enrolled_factors(account_id=account.pk)),
        created_at=account.created_at,
    )
