"""The only module that touches the fields of the site's user model."""

import hashlib
from collections.abc import Iterator
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.db import models

from .addresses import email_key
from .core.db.ids import new_id
from .core.db.transactions import join
from .models import Account

STANDALONE_USER = "authsvc_accounts.User"
CANDIDATES_MAX = 10
"""Users whose address the database takes for the same that one call looks at. So many count as sharing it."""


def belong_to_host() -> bool:
    """Tell whether the users are a host project's, which may change them without the service."""
    return get_user_model()._meta.label != STANDALONE_USER


def create_user(*, email: str, password_hash: str) -> AbstractBaseUser:
    """Insert a user with the address and the encoded password hash, and return it.

    Where a site signs in by something other than the address, that field gets a new UUID: unique, and nobody's.
    """
    model: Any = get_user_model()
    user: AbstractBaseUser = model(**{model.get_email_field_name(): email, "password": password_hash})
    if model.get_email_field_name() != model.USERNAME_FIELD:
        setattr(user, model.USERNAME_FIELD, str(new_id()))
    user.save(force_insert=True)
    return user


def find_by_address(*, email: str) -> AbstractBaseUser | None:
    """Return the host's one user whose stored address is this one, without regard to case; None for none and several.

    None and no query in the standalone project, whose accounts know every address.
    """
    found = _with_address(email)
    return found[0] if len(found) == 1 else None


def is_address_used(*, email: str) -> bool:
    """Tell whether a user of the host has this address by the database's comparison, with an account or without.

    That comparison may be wider than `email_key`. A new user's address must differ by both, also from the users that
    the model's own manager hides: a unique constraint counts them.
    """
    return belong_to_host() and _candidates(email, among=_all_rows())[:1].exists()


def iterate_unlinked(*, linked: models.QuerySet[Any]) -> Iterator[AbstractBaseUser]:
    """Yield the users whose key is not among the linked ones."""
    yield from _rows().exclude(pk__in=linked).iterator()


def iterate_password_hashes(*, batch: int) -> Iterator[list[str]]:
    """Yield the encoded hashes of all users, so many at once; each batch is one statement by primary key."""
    rows = _rows().order_by("pk").values_list("pk", "password")
    found = list(rows[:batch])
    while found:
        yield [encoded for _, encoded in found]
        found = list(rows.filter(pk__gt=found[-1][0])[:batch])


def is_address_shared(*, email: str) -> bool:
    """Tell whether several users of the host have this address, without regard to case."""
    return len(_with_address(email)) > 1


def email_of(user: AbstractBaseUser) -> str:
    """Return the address as it is stored; "" where a host's column holds NULL."""
    return str(getattr(user, user.get_email_field_name()) or "")


def password_digest(password_hash: str) -> bytes | None:
    """Return the value of `Account.password_seen` for the stored hash; None in the standalone project."""
    return hashlib.sha256(password_hash.encode()).digest() if belong_to_host() else None


@join
def set_email(*, account_id: Any, email: str) -> None:
    """Store another address."""
    model = get_user_model()
    _only(account_id).update(**{model.get_email_field_name(): email})


@join
def set_password_hash(*, account_id: Any, password_hash: str, instead_of: str | None = None) -> bool:
    """Store another encoded hash; with `instead_of`, only while that one is still there. Tell whether it was stored."""
    rows = _only(account_id)
    if instead_of is not None:
        rows = rows.filter(password=instead_of)
    if not rows.update(password=password_hash):
        return False
    if belong_to_host():
        Account.objects.filter(pk=account_id).update(password_seen=password_digest(password_hash))
    return True


@join
def delete_user(*, account_id: Any) -> int:
    """Delete the user, and with it the account and all that points to it. Return how many users went: 1 or 0."""
    _, by_model = _only(account_id).delete()
    return by_model.get(get_user_model()._meta.label, 0)


def to_account_id(user_id: str) -> Any:
    """Return the key that the text spells, in the type of the site's user key; None when it spells none."""
    field = get_user_model()._meta.pk
    try:
        key = field.to_python(user_id)
    except ValidationError:
        return None
    return key if str(key) == user_id else None


def _rows() -> models.QuerySet[Any]:
    return get_user_model()._default_manager.all()


def _all_rows() -> models.QuerySet[Any]:
    """Return all users, with those that the model's own manager hides."""
    return get_user_model()._base_manager.all()


def _with_address(email: str) -> list[AbstractBaseUser]:
    """Return the host's users with this address, two at most; none in the standalone project."""
    if not belong_to_host():
        return []
    candidates = list(_candidates(email, among=_rows())[:CANDIDATES_MAX])
    if len(candidates) == CANDIDATES_MAX:
        return candidates[:2]
    # On PostgreSQL the upper case of a dotless i is I, so that it takes two addresses for one.
    return [user for user in candidates if email_key(email_of(user)) == email_key(email)][:2]


def _candidates(email: str, *, among: models.QuerySet[Any]) -> models.QuerySet[Any]:
    """Return the users among these whose stored address the database takes for this one.

    A host's address column may be slow to search: `link_accounts` makes all accounts at once.
    """
    return among.filter(**{f"{get_user_model().get_email_field_name()}__iexact": email})


def _only(account_id: Any) -> models.QuerySet[Any]:
    return _all_rows().filter(pk=account_id)
