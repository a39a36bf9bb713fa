"""The table of mails that are on their way."""

from typing import ClassVar

from django.db import models

from ..core.db.ids import new_id
from ..core.db.leases import Leased


class OutgoingMail(Leased):
    """A mail that is still to be sent; sent ones are gone.

    `sealed` holds all of it, recipient included, under a key derived from SECRET_KEY and bound to the row's id, since it
    may hold a token that nothing else here knows. It is worth sending until `expires_at`. `attempts` have failed so far.
    It goes with its account; one that outlives the account has none.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    account = models.ForeignKey("Account", on_delete=models.CASCADE, null=True, related_name="+")
    template = models.CharField(max_length=40)
    sealed = models.BinaryField()
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    attempts = models.PositiveIntegerField(default=0)

    class Meta:
        """The worker looks for the one that is due first."""

        indexes: ClassVar = [models.Index(fields=["next_attempt_at"], name="authsvc_mail_due")]

    def __str__(self) -> str:
        return f"{self.template} {self.pk}"
