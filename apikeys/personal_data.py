"""The table of the apikeys app with data about an account owner."""

from accounts.state.personal_tables import SECRET, PersonalTable, of_account

from .models import ApiKey

TABLES = (
    PersonalTable(
        name="api_keys",
        model=ApiKey,
        rows=of_account(ApiKey),
        columns=(
            *("id", "name", "prefix", "scopes", "created_at", "expires_at", "last_used_at", "last_rejected_at"),
            "revoked_at",
        ),
        left_out={"digest": SECRET},
    ),
)
