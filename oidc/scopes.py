"""The scopes of clients, and the claims that belong to them (OpenID Connect Core, section 5.4)."""

from collections.abc import Mapping

OPENID = "openid"
PROFILE = "profile"
EMAIL = "email"
OFFLINE_ACCESS = "offline_access"

SCOPES = (OPENID, PROFILE, EMAIL, OFFLINE_ACCESS)

PROFILE_CLAIMS = (
    "name",
    "given_name",
    "family_name",
    "middle_name",
    "nickname",
    "preferred_username",
    "profile",
    "picture",
    "website",
    "gender",
    "birthdate",
    "zoneinfo",
    "locale",
)
"""The claims of the scope `profile` that the metadata of an account can contain. Each of them is a text."""

CLAIMS: Mapping[str, tuple[str, ...]] = {
    PROFILE: (*PROFILE_CLAIMS, "updated_at"),
    EMAIL: ("email", "email_verified"),
}
"""The claims about the person, by their scope."""

NAMED_CLAIMS = frozenset(name for names in CLAIMS.values() for name in names)
"""The claims that a client can ask for by name."""
