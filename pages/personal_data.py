"""The table of the pages with data about an account owner."""

from accounts.state.personal_tables import INTERNAL, SECRET, PersonalTable, of_account

from .models import BrowserSession, PasskeyOffer

BROWSER_SESSIONS = PersonalTable(
    name="browser_sessions",
    model=BrowserSession,
    rows=of_account(BrowserSession, "family__account_id"),
    columns=("family_id", "idle_seconds", "has_factor", "notice", "draft"),
    left_out={"digest": SECRET, "is_limited": INTERNAL},
)
PASSKEY_OFFERS = PersonalTable(
    name="passkey_offers", model=PasskeyOffer, rows=of_account(PasskeyOffer, "account_id"), columns=("offered_at",)
)
