"""The tables with data about an account owner, and their registry.

The apps that depend on accounts register their tables in their `wiring`. Only the named columns leave the service. A
test compares the registry with the models, so that no table and no column can be forgotten.
"""

import base64
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Model, QuerySet

from core.registry import Registry

BATCH = 1_000
"""The number of rows that `batches` holds in memory."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PersonalTable:
    """A table of which the account owner may get the own rows.

    `rows` returns the rows of the account with an id. `left_out` has the reason for each column that stays in the
    service. The columns that only repeat the account's id need no reason. A table without `columns` stays in the service.
    """

    name: str
    model: type[Model]
    columns: tuple[str, ...]
    rows: Callable[[Any], "QuerySet[Any]"]
    left_out: Mapping[str, str] = field(default_factory=dict)

    def page(self, *, account_id: Any, after: str, limit: int) -> list[tuple[str, dict[str, Any]]]:
        """Return at most `limit` rows after the one with the key `after`, each with its key. "" begins at the first row.

        Raises ValueError when `after` is not a key of the table.
        """
        rows = self.rows(account_id).order_by("pk")
        if after:
            rows = rows.filter(pk__gt=self._read_key(after))
        found = rows.values("pk", *self.columns)[:limit]
        return [(str(row["pk"]), {column: _as_json(row[column]) for column in self.columns}) for row in found]

    def batches(self, *, account_id: Any) -> Iterator[list[dict[str, Any]]]:
        """Yield all rows, at most BATCH at a time. A row that changes meanwhile has its later state."""
        after = ""
        while found := self.page(account_id=account_id, after=after, limit=BATCH):
            yield [row for _, row in found]
            after = found[-1][0]

    def _read_key(self, text: str) -> Any:
        key: Any = self.model._meta.pk
        while key.remote_field is not None:
            key = key.target_field
        try:
            return key.to_python(text)
        except ValidationError:
            raise ValueError from None


SECRET = "It is a secret, or the digest of one."  # noqa: S105 - a reason
INTERNAL = "It is a counter or a mark for the service itself, and says nothing about the person."

personal_tables: Registry[PersonalTable] = Registry()


def of_account(model: type[models.Model], path: str = "account_id") -> Callable[[Any], "QuerySet[Any]"]:
    """Return the function that returns the rows whose column at the path is the account's id."""

    def rows(account_id: Any) -> "QuerySet[Any]":
        return model._default_manager.filter(**{path: account_id})

    return rows


def of_user_id(model: type[models.Model], column: str = "user_id") -> Callable[[Any], "QuerySet[Any]"]:
    """Return the function that returns the rows whose text column is the account's id."""

    def rows(account_id: Any) -> "QuerySet[Any]":
        return model._default_manager.filter(**{column: str(account_id)})

    return rows


def _as_json(value: Any) -> Any:
    """Return binary data in base64url without padding, as the routes of passkeys do, and other values unchanged."""
    if isinstance(value, bytes | memoryview):
        return base64.urlsafe_b64encode(bytes(value)).rstrip(b"=").decode()
    return value
