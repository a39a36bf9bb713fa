"""The statement that binds the session of a login to a browser. Each sign-in on a page runs it."""

from core.db.transactions import write_alone
from mfa.models import Passkey
from sessions_app.models import Family, Token

from ..models import BrowserSession, PasskeyOffer

_OFFER_SQL = f"""
    SELECT f.amr LIKE 'pwd%%'
        AND NOT EXISTS (SELECT 1 FROM {PasskeyOffer._meta.db_table} o WHERE o.account_id = f.account_id)
        AND NOT EXISTS (SELECT 1 FROM {Passkey._meta.db_table} p WHERE p.account_id = f.account_id)
    FROM {Family._meta.db_table} f WHERE f.id = {BrowserSession._meta.db_table}.family_id
"""  # noqa: S608 - only names of our tables are interpolated

# A login that waited for a second factor, and one by a passkey alone, has the word `mfa` at the end of `amr`. Every other
# login is of an account without a second factor.
_BIND_SQL = f"""
    INSERT INTO {BrowserSession._meta.db_table}
        (family_id, digest, idle_seconds, has_factor, is_limited, notice, draft)
    SELECT f.id, %s, %s, f.amr LIKE '%%mfa', FALSE, '', '{{}}'
    FROM {Token._meta.db_table} t JOIN {Family._meta.db_table} f ON f.id = t.family_id
    WHERE t.digest = %s AND f.revoked_at IS NULL
    RETURNING ({_OFFER_SQL})
"""  # noqa: S608 - only names of our tables are interpolated


def bind(*, digest: bytes, refresh_digest: bytes, idle_seconds: int) -> bool | None:
    """Bind the family of the refresh token to the handle with this digest. Return None when the family has ended.

    Otherwise return whether an offer of a passkey is due: after a login by password, when the account has no passkey
    and got no offer. The statement commits at once.
    """
    row = write_alone(_BIND_SQL, (digest, idle_seconds, refresh_digest))
    return bool(row[0]) if row else None
