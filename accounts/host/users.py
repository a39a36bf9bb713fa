"""Queries and changes of the user model, which a host project can replace by its own (AUTH_USER_MODEL).

This is the only module that queries and changes the users. Other modules read `password` and `is_active`, which every
user model has.
"""

import hashlib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from django.contrib.auth import get_user_model
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.hashers import make_password
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.functions import Upper

from core.addresses import email_key
from core.db.bulk import insert_rows
from core.db.deployment import has_own_users
from core.db.ids import TEXT_LENGTH, new_id
from core.db.transactions import transaction_required

from ..errors import AccountInUse
from ..models import Account

CANDIDATES_MAX = 10
"""The number of users with an equal address, by the database's comparison, that one call reads.

When the database finds this many users, the address counts as shared.
"""

NAME_MIN = 16
"""The least length of a USERNAME_FIELD in which random hexadecimal digits do not collide."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewUser:
    """A user to insert. `id` becomes the primary key where `take_ids` is true. `password_hash` is encoded."""

    id: UUID
    email: str
    password_hash: str


def belong_to_host() -> bool:
    """Return whether the user model belongs to a host project.

    A host project can change its users without a call of the service.
    """
    return not has_own_users()


def email_field_of_model() -> str | None:
    """Return the name of the user model's address field; None when the model lacks the field that EMAIL_FIELD names."""
    model: Any = get_user_model()
    name: str = model.get_email_field_name()
    return name if any(field.name == name for field in model._meta.concrete_fields) else None


def can_name_new_users() -> bool:
    """Return whether `create_user` can fill USERNAME_FIELD: it is the address, a UUID, or text of at least NAME_MIN."""
    model: Any = get_user_model()
    field = model._meta.get_field(model.USERNAME_FIELD)
    is_long = isinstance(field, (models.CharField, models.TextField)) and (field.max_length or NAME_MIN) >= NAME_MIN
    return model.get_email_field_name() == field.name or isinstance(field, models.UUIDField) or is_long


def create_user(*, email: str, password_hash: str) -> AbstractBaseUser:
    """Insert a user with the address and the encoded password hash, and return the user.

    When the model's USERNAME_FIELD is not the address, that field gets a new UUID as a unique value. A field that is
    shorter than a UUID gets as many random digits as fit into it.
    """
    user = _new_user(email=email, password_hash=password_hash)
    user.save(force_insert=True)
    return user


def take_ids() -> bool:
    """Return whether a new user can have any UUID as its primary key."""
    return isinstance(get_user_model()._meta.pk, models.UUIDField)


def can_be_inserted_in_bulk() -> bool:
    """Return whether `create_users` works. Django inserts no rows in bulk for a model with tables of parent models."""
    meta = get_user_model()._meta
    return all(parent._meta.concrete_model is meta.concrete_model for parent in meta.parents)


@transaction_required
def create_users(new: Sequence[NewUser]) -> list[Any]:
    """Insert the users in one statement, and return their primary keys in the same order. Needs a transaction.

    As `create_user`, but without signals and without the model's own `save`.
    """
    if not belong_to_host():
        rows = [(one.id, one.email, one.password_hash) for one in new]
        insert_rows(get_user_model(), columns=("id", "email", "password"), rows=rows)
        return [one.id for one in new]
    built = [_new_user(email=one.email, password_hash=one.password_hash) for one in new]
    if take_ids():
        for user, one in zip(built, new, strict=True):
            user.pk = one.id
    get_user_model()._base_manager.bulk_create(built)
    return [user.pk for user in built]


def find_by_address(*, email: str) -> AbstractBaseUser | None:
    """Return the only user of the host project with this address, compared by `email_key`.

    Returns None when no user or more than one user has the address. In the standalone project every user has an
    account with the address. There the function returns None without a query.
    """
    found = _with_address(email)
    return found[0] if len(found) == 1 else None


def find_name_obstacle() -> str | None:
    """Return why users cannot log in by the USERNAME_FIELD of the user model, or None when they can."""
    model: Any = get_user_model()
    field = model._meta.get_field(model.USERNAME_FIELD)
    if model.get_email_field_name() == field.name:
        return f"the USERNAME_FIELD of {model._meta.label} is its address"
    if not isinstance(field, (models.CharField, models.TextField)):
        return f"the USERNAME_FIELD of {model._meta.label} holds no text"
    uniques = (constraint.fields for constraint in model._meta.total_unique_constraints)
    if not field.unique and (field.name,) not in uniques:
        return f"two users of {model._meta.label} can have one value of its USERNAME_FIELD"
    return None


def normalize_name(name: str) -> str:
    """Return the user name in the form in which Django stores it: NFKC."""
    model: Any = get_user_model()
    return str(model.normalize_username(name))


def find_by_name(*, name: str) -> AbstractBaseUser | None:
    """Return the user whose USERNAME_FIELD has this value, as a login of Django finds the user. One query.

    Returns None when no user or more than one user has the name, or when no user can have it.
    """
    model: Any = get_user_model()
    try:
        user: AbstractBaseUser = model._default_manager.get_by_natural_key(normalize_name(name))
    except (model.DoesNotExist, model.MultipleObjectsReturned, ValidationError, ValueError):
        return None
    return user


def display_name_of(user: AbstractBaseUser) -> str:
    """Return the text by which the owner recognizes the account: the address, or the user name of a user without one."""
    return email_of(user) or user.get_username()


def mailbox_of(user: AbstractBaseUser) -> str:
    """Return the address under which limits count the user's mails. A user without an address counts alone, by the id."""
    return email_of(user) or str(user.pk)


def is_address_used(*, email: str) -> bool:
    """Return whether a user of the host project has this address, by the database's case-insensitive comparison.

    The user may have an account or not. The database may treat two addresses as equal whose `email_key` differs. The
    address of a new user must be new by both comparisons. Users that the model's own manager hides count too, because a
    unique constraint counts them. In the standalone project the answer is False.
    """
    return belong_to_host() and _candidates(email, among=_all_rows())[:1].exists()


def find_used_addresses(emails: Sequence[str]) -> Collection[str]:
    """Return those of the addresses for which `is_address_used` is true. In the standalone project there are none.

    One query looks for all ASCII addresses. It reads the host project's users once.
    """
    if not belong_to_host():
        return ()
    name = get_user_model().get_email_field_name()
    plain = {email.upper(): email for email in emails if email.isascii()}
    rows = _all_rows().annotate(upper=Upper(name)).filter(upper__in=list(plain)).values_list("upper", flat=True)
    others = [email for email in emails if not email.isascii() and is_address_used(email=email)]
    return {*(plain[upper] for upper in rows if upper in plain), *others}


def iterate_without_account(*, with_account: models.QuerySet[Any]) -> Iterator[AbstractBaseUser]:
    """Yield the users whose primary key is not in `with_account`."""
    yield from _rows().exclude(pk__in=with_account).iterator()


def iterate_password_hashes(*, batch: int) -> Iterator[list[str]]:
    """Yield the encoded hashes of all users in lists of at most `batch`.

    Each list is one statement, which reads a range of primary keys.
    """
    rows = _rows().order_by("pk").values_list("pk", "password")
    found = list(rows[:batch])
    while found:
        yield [encoded for _, encoded in found]
        found = list(rows.filter(pk__gt=found[-1][0])[:batch])


def is_address_shared(*, email: str) -> bool:
    """Return whether more than one user of the host project has this address, compared by `email_key`."""
    return len(_with_address(email)) > 1


def email_of(user: AbstractBaseUser) -> str:
    """Return the address as the user's row stores the address; "" where a host's column contains NULL."""
    return str(getattr(user, user.get_email_field_name()) or "")


def has_password(user: AbstractBaseUser) -> bool:
    """Return whether the user has a password. A takeover removes it, and a host project can have users without one."""
    return bool(user.password) and user.has_usable_password()


def password_digest(password_hash: str) -> bytes | None:
    """Return the value of `Account.password_seen` for the encoded hash. In the standalone project it is None."""
    return hashlib.sha256(password_hash.encode()).digest() if belong_to_host() else None


@transaction_required
def set_email(*, account_id: Any, email: str) -> None:
    """Store the address in the user's row. Needs a transaction."""
    model = get_user_model()
    _only(account_id).update(**{model.get_email_field_name(): email})


@transaction_required
def set_password_hash(*, account_id: Any, password_hash: str, instead_of: str | None = None) -> bool:
    """Store the encoded hash and return whether it was stored. Needs a transaction.

    With `instead_of`, the hash is stored only when the row still has the hash `instead_of`. Otherwise the hash is that of
    a new password, so a retired password is forgotten.
    """
    rows = _only(account_id)
    if instead_of is not None:
        rows = rows.filter(password=instead_of)
    if not rows.update(password=password_hash):
        return False
    changes: dict[str, Any] = {"password_seen": password_digest(password_hash)} if belong_to_host() else {}
    if instead_of is None:
        changes["retired_hash"] = ""
    if changes:
        Account.objects.filter(pk=account_id).update(**changes)
    return True


@transaction_required
def retire_password(*, account_id: Any) -> bool:
    """Move the password's hash to `Account.retired_hash`, and return True. Return False when there is no password.

    Needs the lock on the account's row. Needs a transaction.
    """
    user = _only(account_id).get()
    if not has_password(user):
        return False
    retired = str(user.password)
    # Django's own form of an unusable password. A host project recognizes the form too.
    set_password_hash(account_id=account_id, password_hash=make_password(None))
    Account.objects.filter(pk=account_id).update(retired_hash=retired)
    return True


@transaction_required
def delete_user(*, account_id: Any) -> int:
    """Delete the user, the account and all rows that cascade. Return the number of deleted users: 1 or 0.

    Raises AccountInUse when a foreign key of a host project protects the user (PROTECT or RESTRICT). Needs a
    transaction.
    """
    try:
        _, by_model = _only(account_id).delete()
    except (models.ProtectedError, models.RestrictedError):
        raise AccountInUse from None
    return by_model.get(get_user_model()._meta.label, 0)


def to_account_id(user_id: str) -> Any:
    """Return the primary key of a user from its text form, in the type of the user model's key.

    Returns None when the text is not the canonical form of a key.
    """
    field = get_user_model()._meta.pk
    try:
        key = field.to_python(user_id)
    except ValidationError:
        return None
    return key if str(key) == user_id else None


def _new_user(*, email: str, password_hash: str) -> AbstractBaseUser:
    model: Any = get_user_model()
    user: AbstractBaseUser = model(**{model.get_email_field_name(): email, "password": password_hash})
    if model.get_email_field_name() != model.USERNAME_FIELD:
        longest = model._meta.get_field(model.USERNAME_FIELD).max_length or TEXT_LENGTH
        setattr(user, model.USERNAME_FIELD, str(new_id()) if longest >= TEXT_LENGTH else uuid4().hex[:longest])
    return user


def _rows() -> models.QuerySet[Any]:
    return get_user_model()._default_manager.all()


def _all_rows() -> models.QuerySet[Any]:
    """Return all users, including those that the model's own manager hides."""
    return get_user_model()._base_manager.all()


def _with_address(email: str) -> list[AbstractBaseUser]:
    """Return at most two users of the host project with this address. In the standalone project the list is empty."""
    if not belong_to_host():
        return []
    candidates = list(_candidates(email, among=_rows())[:CANDIDATES_MAX])
    if len(candidates) == CANDIDATES_MAX:
        return candidates[:2]
    # PostgreSQL compares upper-case forms. The dotless i and the usual i have the same upper-case form, so the query
    # can also find other addresses.
    return [user for user in candidates if email_key(email_of(user)) == email_key(email)][:2]


def _candidates(email: str, *, among: models.QuerySet[Any]) -> models.QuerySet[Any]:
    """Return those of the users whose stored address equals this one by the database's case-insensitive comparison.

    The address column of a host project may have no index for this search. `link_accounts` creates all accounts in
    advance, so that later lookups find the account without this search.
    """
    return among.filter(**{f"{get_user_model().get_email_field_name()}__iexact": email})


def _only(account_id: Any) -> models.QuerySet[Any]:
    return _all_rows().filter(pk=account_id)
