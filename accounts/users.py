"""The only module that touches the fields of the site's user model."""

from collections.abc import Iterator
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.db import models

from .core.ids import new_id
from .core.transactions import join

STANDALONE_USER = "authsvc_accounts.User"


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


def find_unlinked(*, email: str) -> AbstractBaseUser | None:
    """Return the site's one user with this address, without regard to case; None for none and for several."""
    found = list(_with_address(email)[:2])
    return found[0] if len(found) == 1 else None


def is_address_used(*, email: str) -> bool:
    """Tell whether any user of the site has this address, without regard to case, with an account or without."""
    return _with_address(email)[:1].exists()


def iterate_unlinked(*, linked: models.QuerySet[Any]) -> Iterator[AbstractBaseUser]:
    """Yield the users whose key is not among the linked ones."""
    yield from _rows().exclude(pk__in=linked).iterator()


def is_address_shared(*, email: str) -> bool:
    """Tell whether several users have this address, without regard to case."""
    return _with_address(email)[1:2].exists()


def email_of(user: AbstractBaseUser) -> str:
    """Return the address as it is stored."""
    return str(getattr(user, user.get_email_field_name()))


def is_active(*, account_id: Any) -> bool:
    """Tell whether the site lets the user in. One query, none where the user model keeps no such column."""
    model = get_user_model()
    if not any(field.name == "is_active" for field in model._meta.concrete_fields):
        return True
    return _only(account_id).filter(is_active=True).exists()


@join
def set_email(*, account_id: Any, email: str) -> None:
    """Store another address."""
    model = get_user_model()
    _only(account_id).update(**{model.get_email_field_name(): email})


@join
def set_password_hash(*, account_id: Any, password_hash: str, instead_of: str | None = None) -> None:
    """Store another encoded hash; with `instead_of`, only while that one is still there."""
    rows = _only(account_id)
    if instead_of is not None:
        rows = rows.filter(password=instead_of)
    rows.update(password=password_hash)


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


def _with_address(email: str) -> models.QuerySet[Any]:
    """Return the users whose stored address is this one; none in the standalone project, whose accounts say it all.

    A site's address column may be slow to search: `link_accounts` makes all accounts at once.
    """
    model = get_user_model()
    if model._meta.label == STANDALONE_USER:
        return _rows().none()
    return _rows().filter(**{f"{model.get_email_field_name()}__iexact": email})


def _only(account_id: Any) -> models.QuerySet[Any]:
    return _rows().filter(pk=account_id)
