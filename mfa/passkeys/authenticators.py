"""Names of widespread authenticators by AAGUID, so that users recognize them.

The names are no evidence: without attestation, an AAGUID is only the authenticator's claim.
"""

from collections.abc import Mapping
from uuid import UUID

from ..models import Passkey

_NAMES: Mapping[str, str] = {
    "fbfc3007-154e-4ecc-8c0b-6e020557d7bd": "iCloud Keychain",
    "dd4ec289-e01d-41c9-bb89-70fa845d4bf2": "iCloud Keychain",
    "ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4": "Google Password Manager",
    "adce0002-35bc-c60a-648b-0b25f1f05503": "Chrome on macOS",
    "b5397666-4885-aa6b-cebf-e52262a439a2": "Chromium",
    "771b48fd-d3d4-4f74-9232-fc157ab0507a": "Edge on macOS",
    "08987058-cadc-4b81-b6e1-30de50dcbe96": "Windows Hello",
    "9ddd1817-af5a-4672-a2b9-3e3dd95000a9": "Windows Hello",
    "6028b017-b1d4-4c02-b4b3-afcdafc96bb2": "Windows Hello",
    "d3452668-01fd-4c12-926c-83a4204853aa": "Microsoft Password Manager",
    "53414d53-554e-4700-0000-000000000000": "Samsung Pass",
    "bada5566-a7aa-401f-bd96-45619a55120d": "1Password",
    "d548826e-79b4-db40-a3d8-11116f7e8349": "Bitwarden",
    "531126d6-e717-415c-9320-3d9aa6981239": "Dashlane",
    "f3809540-7f14-49c1-a8b3-8f813b225541": "Enpass",
    "fdb141b2-5d84-443e-8a35-4698c205a502": "KeePassXC",
    "eaecdef2-1c31-5634-8639-f1cbd9c00a08": "KeePassDX",
    "0ea242b4-43c4-4a1b-8b17-dd6d0b6baec6": "Keeper",
    "b78a0a55-6ef8-d246-a042-ba0f6d55050c": "LastPass",
    "b84e4048-15dc-4dd0-8640-f4f60813c8af": "NordPass",
    "50726f74-6f6e-5061-7373-50726f746f6e": "Proton Pass",
    "2fc0579f-8113-47ea-b116-bb5a8db9202a": "YubiKey 5 NFC",
    "fa2b99dc-9e39-4257-8f92-4a30d23c4118": "YubiKey 5 NFC",
    "73bb0cd4-e502-49b8-9c6f-b59445bf720b": "YubiKey 5 FIPS",
    "c1f9a0bc-1dd2-404a-b27f-8e29047a43fd": "YubiKey 5 NFC FIPS",
    "c5ef55ff-ad9a-4b9f-b580-adebafe026d0": "YubiKey 5Ci",
    "cb69481e-8ff7-4039-93ec-0a2729a154a8": "YubiKey 5",
    "ee882879-721c-4913-9775-3dfcce97072a": "YubiKey 5",
}


def name_of(aaguid: UUID) -> str:
    """Return the authenticator's name, or "" for an AAGUID that is unknown or all zeros."""
    return _NAMES.get(str(aaguid), "")


def describe_passkey(passkey: Passkey) -> str:
    """Return the passkey's nickname and authenticator, such as `Work laptop (Windows Hello)`."""
    name = name_of(passkey.aaguid)
    return f"{passkey.nickname} ({name})" if name and name != passkey.nickname else passkey.nickname
