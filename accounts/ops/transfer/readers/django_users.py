"""Django: the JSON of `manage.py dumpdata auth.user`, or of a model of the site with the fields of a user.

The objects `account.emailaddress` of django-allauth in the same file state which addresses are proven.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from ..inputs import Input
from ..records import Record, refused
from ..values import RefusedRow
from .documents import read_items
from .joins import Join, joined
from .members import boolean, chosen_metadata, object_of, text_of, timestamp, without_nothing

_ADDRESSES = "account.emailaddress"


def read(given: Input) -> Iterator[Record]:
    """Yield the users of the file. Objects without a password and an address are of other models."""
    with joined(given.scratch / "addresses.sqlite3", _proven(given)) as proven:
        number = 0
        for item in read_items(given.path, "item"):
            fields = item.get("fields") if isinstance(item, dict) else None
            if not isinstance(fields, dict) or not {"password", "email"} <= fields.keys():
                continue
            number += 1
            try:
                yield Record(number=number, value=_row(item, fields, proven, given))
            except RefusedRow as error:
                yield refused(number, error)


def _proven(given: Input) -> Iterator[tuple[str, Any]]:
    for item in read_items(given.path, "item"):
        if isinstance(item, dict) and item.get("model") == _ADDRESSES:
            fields = object_of(item.get("fields"), name="fields")
            if fields.get("verified") is True:
                yield str(fields.get("email")).lower(), fields.get("user")


def _row(item: Mapping[str, Any], fields: Mapping[str, Any], proven: Join, given: Input) -> dict[str, Any]:
    key = item.get("pk")
    password = fields.get("password")
    has_password = isinstance(password, str) and password != "" and not password.startswith("!")
    return without_nothing(
        {
            "id": text_of(key),
            "email": fields.get("email"),
            "email_verified": key in proven.find(str(fields.get("email")).lower()),
            "state": None if boolean(fields, "is_active", default=True) else "deactivated",
            "password_hash": password if has_password else None,
            "metadata": chosen_metadata(fields, given),
            "created_at": timestamp(fields.get("date_joined"), name="date_joined"),
        }
    )
