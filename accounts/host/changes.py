"""Detection of addresses and passwords that a host project changed without a call of the service.

The host project sends no signal. Each lookup that loads an account with its user compares the two rows. In the
standalone project only the service changes users, so the functions here find no change.
"""

from core.addresses import email_key, former_email_key, normalize_email
from core.errors import BadRequest

from ..conf import settings
from ..models import Account
from ..passwords import hashing
from . import users


def has_new_address(account: Account) -> bool:
    """Return whether the user's stored address differs from the account's `email_key`.

    False for an account without an address of its own, because its earlier mails are void already.
    """
    if not users.belong_to_host() or has_no_address(account):
        return False
    address = users.email_of(account.user)
    return email_key(address) != account.email_key != former_email_key(address)


def has_no_address(account: Account) -> bool:
    """Return whether the account has no address of its own.

    The user's address is missing, or it belongs to another account, or several users share it.
    """
    return "@" not in account.email_key


def check_own_address(account: Account) -> None:
    """Raise BadRequest when the account has no address of its own, so that no mailbox can prove anything for it."""
    if has_no_address(account):
        # `reconcile` changes the row, and not the instance.
        account.refresh_from_db(fields=["email_key"])
    if has_no_address(account):
        raise BadRequest(
            "This account has no e-mail address of its own. Set one with `POST /v1/email/request-change`, then try again."
        )


def has_new_password(account: Account) -> bool:
    """Return whether the user's stored password hash differs from the hash that the service last saw."""
    return account.password_seen is not None and _digest(account) != bytes(account.password_seen)


def is_behind(account: Account) -> bool:
    """Return whether `reconcile` may have to change the account's row. An account without an address may get one."""
    return has_news(account) or (has_no_address(account) and normalize_email(users.email_of(account.user)) is not None)


def has_news(account: Account) -> bool:
    """Return whether the host project gave the user another address or password since the service saw the user."""
    return has_new_address(account) or has_new_password(account) or is_unseen(account)


def is_unseen(account: Account) -> bool:
    """Return whether the account belongs to a host project's user whose password hash the service has never seen."""
    return account.password_seen is None and users.belong_to_host()


def is_deactivated(account: Account) -> bool:
    """Return whether an operator deactivated the account, or the host project deactivated the user."""
    return account.deactivated_at is not None or not account.user.is_active


def is_admitted(account: Account) -> bool:
    """Return whether the account is active and the service has seen the user's present password hash."""
    return not is_deactivated(account) and not has_new_password(account)


def rewrites_hashes() -> bool:
    """Return whether a login replaces a stored hash of another format or with other costs."""
    chosen = settings().password_hash_upgrade
    # The default is off in a host project: a new hash ends the user's sessions there. The host project may also lack
    # the hasher that verifies the new hash.
    return not users.belong_to_host() if chosen is None else chosen


def rewrites_hash(encoded: str) -> bool:
    """Return whether a login replaces this stored hash, which has another format or other costs.

    By default that is also so for a hash of another system in a host project. The host project cannot verify that hash,
    but it can verify the new one.
    """
    return rewrites_hashes() or (settings().password_hash_upgrade is None and hashing.is_foreign(encoded))


def _digest(account: Account) -> bytes | None:
    return users.password_digest(str(account.user.password))
