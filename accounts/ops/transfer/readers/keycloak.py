"""Keycloak: a realm export, as one JSON document or as a folder of documents."""

from base64 import b32encode, b64decode, urlsafe_b64decode
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ....passwords.foreign.adoption import adopt_keycloak
from ....passwords.foreign.refusals import RefusedHash
from ..inputs import BrokenInput, Input
from ..records import Record, refused
from ..values import RefusedRow, to_base64url
from .documents import open_binary, read_items
from .identities import find_identities, left_out_metadata
from .members import boolean, chosen_metadata, object_of, objects_of, text_of, timestamp, without_nothing

_RP_IDS = ("webAuthnPolicyRpId", "webAuthnPolicyPasswordlessRpId")
_ALONE = "webauthn-passwordless"
_NO_FACTORS = frozenset({"password", "recovery-authn-codes", "password-history"})
_FIRST_FACTORS = frozenset({"otp", "webauthn", _ALONE})


def read(given: Input) -> Iterator[Record]:
    """Yield the users of all documents, in the order of the names of the files."""
    files = sorted(given.path.glob("*.json")) if given.path.is_dir() else [given.path]
    if not files:
        raise BrokenInput(f"{given.path} has no file whose name ends in .json.")
    rp_id = given.rp_id or _find_rp_id(files)
    for path in files:
        name = path.name if given.path.is_dir() else ""
        for number, user in enumerate(_users(path), start=1):
            try:
                yield _record(number, user, name=name, rp_id=rp_id, given=given)
            except RefusedRow as error:
                yield refused(number, error, file=name)


def _users(path: Path) -> Iterator[Any]:
    yield from read_items(path, f"{_realm_in(path)}users.item")


def _find_rp_id(files: list[Path]) -> str:
    for path in files:
        for name in _RP_IDS:
            for value in read_items(path, f"{_realm_in(path)}{name}"):
                if isinstance(value, str) and value:
                    return value
    return ""


def _realm_in(path: Path) -> str:
    """Return the prefix of a realm: a document has one realm, or a list of realms."""
    with open_binary(path) as file:
        return "item." if file.read(64).lstrip().startswith(b"[") else ""


def _record(number: int, user: Any, *, name: str, rp_id: str, given: Input) -> Record:
    if not isinstance(user, dict):
        raise RefusedRow("The user is no object.")
    if user.get("serviceAccountClientId"):
        raise RefusedRow("The user is the service account of a client, and no person.")
    credentials = objects_of(user.get("credentials"), name="credentials")
    federated = objects_of(user.get("federatedIdentities"), name="federatedIdentities")
    identities = find_identities(
        ((str(each.get("identityProvider")), text_of(each.get("userId"))) for each in federated), given=given
    )
    attributes = {
        key: values[0] if isinstance(values, list) and len(values) == 1 else values
        for key, values in object_of(user.get("attributes"), name="attributes").items()
    }
    row = {
        "id": text_of(user.get("id")),
        "email": user.get("email"),
        "email_verified": boolean(user, "emailVerified"),
        "state": None if boolean(user, "enabled", default=True) else "deactivated",
        "password_hash": _password_hash(credentials),
        "language": attributes.get("locale"),
        "metadata": _metadata(attributes, given),
        "created_at": timestamp(user.get("createdTimestamp"), name="createdTimestamp"),
        "identities": identities.rows,
        **_factors(credentials, rp_id=rp_id, user_id=text_of(user.get("id")) or ""),
    }
    own = {key: value for key, value in attributes.items() if key != "locale"}
    left_out = (*identities.left_out, *left_out_metadata({"attributes": own}, ("attributes",), given=given))
    return Record(number=number, value=without_nothing(row), file=name, left_out=left_out)


def _metadata(attributes: Mapping[str, Any], given: Input) -> dict[str, Any]:
    own = {key: value for key, value in attributes.items() if key != "locale"}
    return chosen_metadata({**own, "attributes": own}, given)


def _password_hash(credentials: list[Mapping[str, Any]]) -> str | None:
    for credential in credentials:
        if credential.get("type") == "password":
            data, secret = credential.get("credentialData"), credential.get("secretData")
            try:
                found = adopt_keycloak(credential_data=str(data), secret_data=str(secret))
            except RefusedHash as error:
                raise RefusedRow(f"credentials: {error.reason}") from None
            return getattr(found, "stored", None)
    return None


def _factors(credentials: list[Mapping[str, Any]], *, rp_id: str, user_id: str) -> dict[str, Any]:
    apps = [_app(credential) for credential in credentials if credential.get("type") == "otp"]
    passkeys = [
        _passkey(credential, rp_id=rp_id, user_id=user_id)
        for credential in credentials
        if credential.get("type") in ("webauthn", _ALONE)
    ]
    kinds = {str(credential.get("type")) for credential in credentials}
    others = sorted(kinds - _NO_FACTORS - _FIRST_FACTORS)
    # An account has one app here. Its owner would lose the others.
    others += ["another otp"] * (len(apps) > 1)
    return {"totp": apps[0] if apps else None, "passkeys": passkeys, "other_factors": others}


def _app(credential: Mapping[str, Any]) -> dict[str, Any]:
    data = object_of(credential.get("credentialData"), name="credentialData")
    secret = object_of(credential.get("secretData"), name="secretData").get("value")
    if data.get("subType", "totp") != "totp" or not isinstance(secret, str):
        return {"secret": None}
    is_base32 = data.get("secretEncoding") == "BASE32"
    return {
        "secret": secret if is_base32 else b32encode(secret.encode(errors="replace")).decode(),
        "algorithm": str(data.get("algorithm", "HmacSHA1")).removeprefix("Hmac"),
        "digits": data.get("digits"),
        "period": data.get("period"),
        **_created(credential),
    }


def _passkey(credential: Mapping[str, Any], *, rp_id: str, user_id: str) -> dict[str, Any]:
    data = object_of(credential.get("credentialData"), name="credentialData")
    is_alone = credential.get("type") == _ALONE
    transports = [str(each).lower().replace("_", "-") for each in data.get("transports") or ()]
    row = {
        "credential_id": _octets(data.get("credentialId")),
        "public_key": _octets(data.get("credentialPublicKey")),
        "sign_count": data.get("counter", 0),
        "rp_id": rp_id,
        # Keycloak gives the authenticator the id of the user as its handle.
        "user_handle": to_base64url(user_id.encode()),
        "aaguid": data.get("aaguid"),
        "transports": transports,
        "user_verified": is_alone,
        "signs_in_alone": is_alone,
        "nickname": credential.get("userLabel"),
        **_created(credential),
    }
    return without_nothing(row)


def _created(credential: Mapping[str, Any]) -> dict[str, Any]:
    created_at = timestamp(credential.get("createdDate"), name="createdDate")
    return {"created_at": created_at} if created_at else {}


def _octets(value: Any) -> str:
    """Return base64 of either alphabet as base64url without padding."""
    text = str(value)
    padded = text + "=" * (-len(text) % 4)
    try:
        return to_base64url(urlsafe_b64decode(padded) if "-" in text or "_" in text else b64decode(padded))
    except ValueError:
        raise RefusedRow("credentials: a passkey is no base64.") from None
