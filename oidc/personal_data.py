"""The tables of the OpenID provider with data about an account owner."""

from accounts.state.personal_tables import INTERNAL, SECRET, PersonalTable, of_account

from .models import Code, Consent, Grant

_OF_GRANT = (
    "client_id",
    "scope",
    "resource",
    "user_claims",
    "token_claims",
    "authenticated_at",
    "amr",
    "browser_id",
    "key_thumbprint",
)

TABLES = (
    PersonalTable(
        name="application_consents",
        model=Consent,
        rows=of_account(Consent),
        columns=("id", "client_id", "scopes", "claims", "resources", "created_at"),
    ),
    PersonalTable(
        name="application_sessions",
        model=Grant,
        rows=of_account(Grant, "family__account_id"),
        columns=("family_id", *_OF_GRANT, "is_offline"),
    ),
    PersonalTable(
        name="application_codes",
        model=Code,
        rows=of_account(Code),
        columns=("id", *_OF_GRANT, "redirect_uri", "session_id", "expires_at", "consumed_at"),
        left_out={"digest": SECRET, "challenge": SECRET, "nonce": SECRET, "epoch": INTERNAL},
    ),
)
