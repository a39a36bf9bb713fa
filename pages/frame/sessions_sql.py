"""The statement that binds the session of a login to a browser. Each sign-in on a page runs it."""

from core.db import sql
from sessions_app.models import Family, Token

from ..models import BrowserSession

# A login that waited for a second factor, and one by a passkey alone, has the word `mfa` at the end of `amr`. Every other
# login is of an account without a second factor.
_BIND_SQL = f"""
    INSERT INTO {BrowserSession._meta.db_table}
        (family_id, digest, idle_seconds, has_factor, is_limited, notice, draft)
    SELECT f.id, %s, %s, f.amr LIKE '%%mfa', FALSE, '', '{{}}'
    FROM {Token._meta.db_table} t JOIN {Family._meta.db_table} f ON f.id = t.family_id
    WHERE t.digest = %s AND f.revoked_at IS NULL
"""  # noqa: S608 - only names of our tables are interpolated


def bind(*, digest: bytes, refresh_digest: bytes, idle_seconds: int) -> bool:
    """Bind the family of the refresh token to the handle with this digest. Return False when the family has ended."""
    return bool(sql.execute(_BIND_SQL, (digest, idle_seconds, refresh_digest)))
