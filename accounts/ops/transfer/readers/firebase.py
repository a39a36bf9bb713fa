"""Firebase: the JSON of `firebase auth:export`, and the hash parameters that the console of the project shows."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ....passwords.foreign.adoption import FirebaseParameters, adopt_firebase
from ....passwords.foreign.refusals import RefusedHash
from ..inputs import BrokenInput, Input
from ..records import Record, refused
from ..values import RefusedRow
from .documents import read_items
from .identities import find_identities, left_out_metadata
from .members import boolean, chosen_metadata, objects_of, text_of, timestamp, without_nothing

_NO_PROVIDERS = frozenset({"password", "phone", "emailLink", "anonymous"})
_PARAMETER = re.compile(r"(\w+)\s*[:=]\s*\"?([A-Za-z0-9+/=_-]*)\"?")
_CONFIG_MAX = 64 * 1024


def read(given: Input) -> Iterator[Record]:
    """Yield the users of the export."""
    parameters = None if given.hash_config is None else _read_parameters(given.hash_config)
    for number, user in enumerate(read_items(given.path, "users.item"), start=1):
        try:
            yield _record(number, user, parameters, given)
        except RefusedRow as error:
            yield refused(number, error)


def _record(number: int, user: Any, parameters: FirebaseParameters | None, given: Input) -> Record:
    if not isinstance(user, dict):
        raise RefusedRow("The user is no object.")
    providers = objects_of(user.get("providerUserInfo"), name="providerUserInfo")
    identities = find_identities(
        (
            (str(each.get("providerId")), text_of(each.get("rawId")))
            for each in providers
            if each.get("providerId") not in _NO_PROVIDERS
        ),
        given=given,
    )
    factors = objects_of(user.get("mfaInfo"), name="mfaInfo")
    row = {
        "id": text_of(user.get("localId")),
        "email": user.get("email"),
        "email_verified": boolean(user, "emailVerified"),
        "state": "deactivated" if boolean(user, "disabled") else None,
        "password_hash": _password_hash(user, parameters),
        "metadata": chosen_metadata(user, given),
        "created_at": timestamp(user.get("createdAt"), name="createdAt"),
        "identities": identities.rows,
        "other_factors": ["firebase"] if factors else None,
    }
    left_out = (*identities.left_out, *left_out_metadata(user, ("customAttributes",), given=given))
    return Record(number=number, value=without_nothing(row), left_out=left_out)


def _password_hash(user: Mapping[str, Any], parameters: FirebaseParameters | None) -> str | None:
    if not user.get("passwordHash"):
        return None
    if parameters is None:
        raise BrokenInput("The users have password hashes. Name the file with their parameters by --hash-config.")
    try:
        found = adopt_firebase(digest=str(user["passwordHash"]), salt=str(user.get("salt", "")), parameters=parameters)
    except RefusedHash as error:
        raise RefusedRow(f"passwordHash: {error.reason}") from None
    return found.stored


def _read_parameters(path: Path) -> FirebaseParameters:
    """Return the parameters of a file with the text that the console shows, as it is."""
    try:
        text = path.read_bytes()[:_CONFIG_MAX].decode()
        found = dict(_PARAMETER.findall(text))
        if found.get("algorithm", "SCRYPT") != "SCRYPT":
            raise BrokenInput(f"{path}: only the algorithm SCRYPT of Firebase itself is known.")
        return FirebaseParameters.read(
            signer_key=found["base64_signer_key"],
            salt_separator=found["base64_salt_separator"],
            rounds=int(found["rounds"]),
            memory_cost=int(found["mem_cost"]),
        )
    except (KeyError, ValueError, OSError, RefusedHash):
        raise BrokenInput(
            f"{path} must have the lines base64_signer_key, base64_salt_separator, rounds and mem_cost, as the console "
            "of the project shows them."
        ) from None
