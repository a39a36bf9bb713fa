"""Sessions in Django's admin of a host project."""

from django.db.models import Q

from accounts.host import users
from accounts.host.read_only_admin import ReadOnlyAdmin, show

from .models import Family


@show(Family)
class FamilyAdmin(ReadOnlyAdmin):
    """Sessions. The search takes the id of a user."""

    list_display = ("account_id", "started_at", "authenticated_at", "idle_expires_at", "revoked_at")
    fields = (
        "account",
        "current_token_id",
        "started_at",
        "authenticated_at",
        "idle_expires_at",
        "absolute_expires_at",
        "revoked_at",
    )
    search_help_text = "The id of a user."

    def find(self, text: str) -> Q:
        """Return the condition of the sessions of the user."""
        return Q(account=users.to_account_id(text))
