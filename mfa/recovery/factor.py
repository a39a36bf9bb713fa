"""Recovery codes as a second factor that gates no login."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.utils.translation import gettext, gettext_noop

from core.http.client import Client
from events.vocabulary import EventType
from sessions_app.logins.second_factors import PageStep, SecondProof
from sessions_app.models import PendingLogin

from ..conf import keys
from ..models import RecoveryBatch
from .codes import RecoveryProof, count_unused
from .errors import RecoveryCodesNotConfigured

if TYPE_CHECKING:
    from rest_framework.serializers import Serializer


class RecoveryCodeStep:
    """The step of a page that asks for a recovery code."""

    template = "authsvc_mfa/recovery_code_step.html"
    reauthenticates = False

    @property
    def form(self) -> "type[Serializer[None]]":
        from .serializers import RecoveryCodeForm  # noqa: PLC0415 - a command of manage.py needs no form

        return RecoveryCodeForm

    def read(self, *, pending: PendingLogin, values: Mapping[str, Any], now: datetime) -> SecondProof:
        """Return the code in the form. Raises RecoveryCodesNotConfigured when ENCRYPTION_KEY is unset."""
        if not keys():
            raise RecoveryCodesNotConfigured
        return RecoveryProof(code=values["recovery_code"])


class RecoveryCodeFactor:
    """The recovery codes of an account. They replace a factor, but gate no login."""

    name = RecoveryProof.factor
    label = gettext_noop("recovery code")
    label_plural = gettext_noop("recovery codes")
    gates_login = False
    enrolled_event = EventType.RECOVERY_CODES_GENERATED
    # Never recorded: an account loses all its codes only together with its factors.
    removed_event = EventType.SECOND_FACTOR_REMOVED
    failed_event = RecoveryProof.failed_event
    page_step: PageStep | None = RecoveryCodeStep()

    def is_enrolled(self, *, account_id: str) -> str:
        """Return an expression that is true when the account has recovery codes, used or not."""
        return f"EXISTS (SELECT 1 FROM {RecoveryBatch._meta.db_table} r WHERE r.account_id = {account_id})"  # noqa: S608 - the table's own name and the caller's SQL

    def login_paused(self, *, account_id: Any, pending_id: UUID, client: Client, now: datetime) -> None:
        """Do nothing: the owner has the codes."""

    def describe(self, *, account_id: Any, now: datetime) -> Sequence[str]:
        """Return one line with the number of unused codes."""
        unused = count_unused(account_id=account_id)
        return [gettext("Recovery codes: {count}").format(count=unused)] if unused else []

    def remove(self, *, account_id: Any, added_from: datetime, now: datetime) -> Sequence[Mapping[str, Any]]:
        """Delete the account's recovery codes."""
        RecoveryBatch.objects.filter(pk=account_id, created_at__gte=added_from).delete()
        return []
