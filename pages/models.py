"""Tables of the pages."""

from typing import ClassVar

from django.db import models

from accounts.models import Account
from sessions_app.models import Family

NOTICE_MAX = 300


class BrowserSession(models.Model):
    """The session of a browser. It binds a family, which no client can refresh, to the handle in the browser's cookie.

    The row contains the SHA-256 digest of the handle. The family determines whether the session is live. `idle_seconds`
    is the time without use after which the session ends; each use counts it anew. `has_factor` states that the account
    had a second factor at the login or enrolled one in this session. `is_limited` states that an app above this one gave
    the session shorter lifetimes. `notice` is the text that the next page shows once.
    """

    family = models.OneToOneField(Family, on_delete=models.CASCADE, primary_key=True, related_name="+")
    digest = models.BinaryField(max_length=32)
    idle_seconds = models.PositiveIntegerField()
    has_factor = models.BooleanField(default=False)
    is_limited = models.BooleanField(default=False)
    notice = models.CharField(max_length=NOTICE_MAX, blank=True)
    draft = models.JSONField(default=dict, blank=True)

    class Meta:
        """The digest finds a session."""

        constraints: ClassVar = [models.UniqueConstraint(fields=["digest"], name="authsvc_browser_session_digest")]

    def __str__(self) -> str:
        return str(self.pk)


class PasskeyOffer(models.Model):
    """The account has seen the offer of a passkey. So the offer does not come again."""

    account = models.OneToOneField(Account, on_delete=models.CASCADE, primary_key=True, related_name="+")
    offered_at = models.DateTimeField()

    def __str__(self) -> str:
        return str(self.pk)
