"""The data that the WebAuthn library reads and returns.

The library verifies responses. This app decides which options it sends and which data it stores. Only the ceremonies
import this module and the library, which takes 5 MB of memory.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from webauthn.helpers import parse_client_data_json
from webauthn.helpers.structs import AuthenticatorTransport, CredentialDeviceType, PublicKeyCredentialDescriptor

from ..models import Passkey
from .errors import InvalidPasskeyResponse


def descriptors(passkeys: Sequence[Passkey]) -> list[PublicKeyCredentialDescriptor]:
    """Return the passkeys in the form that the options of a ceremony need."""
    return [
        PublicKeyCredentialDescriptor(
            id=bytes(passkey.credential_id),
            transports=[AuthenticatorTransport(transport) for transport in passkey.transports],
        )
        for passkey in passkeys
    ]


def is_backup_eligible(device_type: CredentialDeviceType) -> bool:
    """Return whether a passkey of this device type may be synced to other devices."""
    return device_type is CredentialDeviceType.MULTI_DEVICE


@contextmanager
def reading_response() -> Iterator[None]:
    """Convert every exception of the block to InvalidPasskeyResponse.

    The library raises its own exceptions for errors that it expects. Other malformed bytes can cause any exception.
    """
    try:
        yield
    except Exception as error:
        raise InvalidPasskeyResponse from error


def without_attachment(credential: Mapping[str, Any]) -> dict[str, Any]:
    """Return the credential without its `authenticatorAttachment`, which the service does not use.

    The library refuses unknown values. The specification demands that they count as null (WebAuthn Level 3, 5.1).
    """
    return {name: value for name, value in credential.items() if name != "authenticatorAttachment"}


def require_same_origin(client_data: bytes) -> None:
    """Raise InvalidPasskeyResponse when another site framed the page (WebAuthn Level 3, 7.1 and 7.2).

    The library does not check this. A site that frames the page can trick its user into a touch that approves something
    else.
    """
    if parse_client_data_json(client_data).cross_origin:
        raise InvalidPasskeyResponse
