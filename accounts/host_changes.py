"""Noticing that a host project changed a user's address or password without the service.

No signal is needed: each lookup that loads an account with its user compares the two rows. In the standalone project
the service alone changes users, and every question here is answered without a comparison.
"""

from . import users
from .addresses import email_key
from .conf import conf
from .models import Account


def has_new_address(account: Account) -> bool:
    """Tell whether the user's stored address is another than the one that the account is found by.

    False for an account that is found by none: what was mailed to it before is void already.
    """
    return (
        users.belong_to_host()
        and not has_no_address(account)
        and email_key(users.email_of(account.user)) != account.email_key
    )


def has_no_address(account: Account) -> bool:
    """Tell whether no address finds the account, because its user's is another account's, shared, or none at all."""
    return "@" not in account.email_key


def has_new_password(account: Account) -> bool:
    """Tell whether the user's stored password hash is another than the one that the account's sessions rest on."""
    return account.password_seen is not None and _digest(account) != bytes(account.password_seen)


def is_behind(account: Account) -> bool:
    """Tell whether `reconcile` has anything to do for the account."""
    return has_new_address(account) or has_no_address(account) or has_new_password(account) or is_unseen(account)


def is_unseen(account: Account) -> bool:
    """Tell whether the service has yet to see the password hash of a host's user."""
    return account.password_seen is None and users.belong_to_host()


def is_admitted(account: Account) -> bool:
    """Tell whether the host lets the user in, and has not set another password since the service last looked."""
    return bool(account.user.is_active) and not has_new_password(account)


def rewrites_hashes() -> bool:
    """Tell whether a login replaces a stored hash of an older format or of other costs."""
    chosen = conf().password_hash_upgrade
    # A new hash ends the user's sessions on the host, and the host may be unable to check it.
    return not users.belong_to_host() if chosen is None else chosen


def _digest(account: Account) -> bytes | None:
    return users.password_digest(str(account.user.password))
