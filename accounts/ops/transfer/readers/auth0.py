"""Auth0: the bulk export of users (NDJSON), and the file with their password hashes from Auth0's support.

The hashes are a second file, or the only one.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from ..inputs import Input
from ..records import Record, read_json_lines, refused
from ..values import RefusedRow
from .documents import open_binary
from .identities import find_identities, left_out_metadata
from .joins import Join, joined
from .members import boolean, chosen_metadata, object_of, objects_of, text_of, timestamp, without_nothing

DATABASE = "auth0"
"""The provider of users who have a password at Auth0."""

_METADATA = ("app_metadata", "user_metadata")


def read(given: Input) -> Iterator[Record]:
    """Yield the users of the export, with the hash of each from the second file."""
    with joined(given.scratch / "hashes.sqlite3", _hashes(given)) as hashes, open_binary(given.path) as file:
        for number, value in read_json_lines(file):
            if isinstance(value, str):
                yield Record(number=number, value=None, refusal=value)
                continue
            try:
                yield _record(number, _normalized(value), hashes, given)
            except RefusedRow as error:
                yield refused(number, error)


def _hashes(given: Input) -> Iterator[tuple[str, str]]:
    if given.companion is None:
        return
    with open_binary(given.companion) as file:
        for _, value in read_json_lines(file):
            if isinstance(value, dict) and isinstance(value.get("passwordHash"), str):
                try:
                    yield _id_of(value), value["passwordHash"]
                except RefusedRow:
                    continue


def _record(number: int, user: Mapping[str, Any], hashes: Join, given: Input) -> Record:
    user_id = text_of(user.get("user_id")) or _id_of(user)
    found = hashes.find(user_id)
    identities = find_identities(_identities(user), given=given)
    email, is_verified = _address(user)
    row = {
        "id": user_id,
        "email": email,
        "email_verified": is_verified,
        "state": "deactivated" if boolean(user, "blocked") else None,
        "password_hash": found[-1] if found else user.get("passwordHash"),
        "language": user.get("locale"),
        "metadata": chosen_metadata(user, given),
        "created_at": timestamp(user.get("created_at"), name="created_at"),
        "identities": identities.rows,
        "other_factors": user.get("multifactor"),
    }
    left_out = (*identities.left_out, *left_out_metadata(user, _METADATA, given=given))
    return Record(number=number, value=without_nothing(row), left_out=left_out)


def _normalized(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the user with the names of the API. Auth0's extension writes `Email Verified` for `email_verified`."""
    if "Id" not in value:
        return value
    return {name.lower().replace(" ", "_"): each for name, each in value.items()} | {"user_id": value["Id"]}


def _id_of(value: Mapping[str, Any]) -> str:
    """Return the `user_id` of a line with a hash. A user of a custom database has an id of its own."""
    own = text_of(value.get("alt_id")) or text_of(object_of(value.get("_id"), name="_id").get("$oid"))
    if not own:
        raise RefusedRow("user_id: is missing.")
    return f"{DATABASE}|{own}"


def _address(user: Mapping[str, Any]) -> tuple[Any, bool]:
    if user.get("email") is not None:
        return user["email"], boolean(user, "email_verified")
    for identifier in objects_of(user.get("identifiers"), name="identifiers"):
        if identifier.get("type") == "email":
            return identifier.get("value"), boolean(identifier, "verified")
    return None, False


def _identities(user: Mapping[str, Any]) -> Iterator[tuple[str, str | None]]:
    for identity in objects_of(user.get("identities"), name="identities"):
        if identity.get("provider") != DATABASE:
            yield str(identity.get("connection") or identity.get("provider")), text_of(identity.get("user_id"))
