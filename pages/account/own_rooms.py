"""The rooms of the account, in the order of the navigation, and the pages of its second factors."""

from django.utils.translation import gettext_lazy

from apikeys.conf import settings as api_key_settings
from askai.settings.widget import find_configured
from mfa.conf import keys
from mfa.passkeys.owned import NAME as PASSKEY
from mfa.recovery.codes import RecoveryProof
from mfa.totp.factor import TotpFactor
from sessions_app.oauth.providers import configured_providers

from .factor_rooms import FactorRoom, factor_rooms
from .rooms import Room, rooms


def can_store_factors() -> bool:
    """Return whether the deployment has a key for second factors."""
    return bool(keys())


def is_question_offered() -> bool:
    """Return whether an operator lets people ask. Only a deployment that can answer runs a query."""
    widget = find_configured()
    return widget is not None and widget.enabled


def register_own() -> None:
    """Register the rooms that every deployment can have."""
    for room in (
        Room(name="authsvc-account", title=gettext_lazy("Overview")),
        Room(name="authsvc-account-address", title=gettext_lazy("E-mail address")),
        Room(name="authsvc-account-password", title=gettext_lazy("Password")),
        Room(name="authsvc-account-passkeys", title=gettext_lazy("Passkeys"), is_on=can_store_factors),
        Room(name="authsvc-account-two-step", title=gettext_lazy("Two-step verification")),
        Room(name="authsvc-account-devices", title=gettext_lazy("Devices")),
        Room(
            name="authsvc-account-connected",
            title=gettext_lazy("Connected accounts"),
            is_on=lambda: bool(configured_providers()),
        ),
        Room(
            name="authsvc-account-api-keys",
            title=gettext_lazy("API keys"),
            is_on=lambda: api_key_settings().is_on,
        ),
        Room(name="authsvc-account-activity", title=gettext_lazy("Activity")),
        Room(name="authsvc-account-ask", title=gettext_lazy("Ask about your account"), is_on=is_question_offered),
        Room(name="authsvc-account-language", title=gettext_lazy("Language and time zone")),
        Room(name="authsvc-account-data", title=gettext_lazy("Your data")),
    ):
        rooms.register(room)

    for factor_room in (
        FactorRoom(
            factor=PASSKEY,
            name="authsvc-account-passkeys",
            title=gettext_lazy("Passkeys"),
            about=gettext_lazy(
                "Your fingerprint, your face or the lock of your screen. It also replaces the password."
            ),
            is_on=can_store_factors,
        ),
        FactorRoom(
            factor=TotpFactor.name,
            name="authsvc-account-app",
            title=gettext_lazy("Authenticator app"),
            about=gettext_lazy("A code from an app on your phone."),
            is_on=can_store_factors,
        ),
        FactorRoom(
            factor=RecoveryProof.factor,
            name="authsvc-account-recovery-codes",
            title=gettext_lazy("Recovery codes"),
            about=gettext_lazy("Codes on paper or in a file, for the day on which you lose the others."),
            is_on=can_store_factors,
        ),
    ):
        factor_rooms.register(factor_room)
