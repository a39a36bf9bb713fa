"""The tables of the sessions app with data about an account owner."""

from accounts.state.personal_tables import INTERNAL, SECRET, PersonalTable, of_account

from .models import Family, Identity, LastLogin, OauthFlow, PendingLogin, Token

TABLES = (
    PersonalTable(
        name="sessions",
        model=Family,
        rows=of_account(Family),
        columns=(
            *("id", "current_token_id", "started_at", "authenticated_at", "amr", "idle_expires_at"),
            *("absolute_expires_at", "revoked_at"),
        ),
    ),
    PersonalTable(name="last_login", model=LastLogin, rows=of_account(LastLogin), columns=("at",)),
    PersonalTable(
        name="refresh_tokens",
        model=Token,
        rows=of_account(Token, "family__account_id"),
        columns=("id", "family_id", "ip", "user_agent", "created_at"),
        left_out={"digest": SECRET},
    ),
    PersonalTable(
        name="pending_logins",
        model=PendingLogin,
        rows=of_account(PendingLogin),
        columns=("id", "method", "identity", "ip", "user_agent", "created_at", "expires_at", "failures", "consumed_at"),
        left_out={"digest": SECRET, "epoch": INTERNAL},
    ),
    PersonalTable(
        name="identities",
        model=Identity,
        rows=of_account(Identity),
        columns=("id", "provider", "issuer", "subject", "name", "created_at", "last_used_at"),
    ),
    PersonalTable(
        name="oauth_flows",
        model=OauthFlow,
        rows=of_account(OauthFlow),
        columns=("id", "provider", "redirect_uri", "expires_at", "consumed_at"),
        left_out={"digest": SECRET, "state_digest": SECRET, "secret": SECRET},
    ),
)
