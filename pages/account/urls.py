"""Routes of the account, relative to the path of its first room."""

from django.urls import path

from . import home
from .activity import room as activity
from .credentials import address, api_keys, authenticator, connected, passkeys, password, recovery_codes, two_step
from .data import deletion, language, own_data, question
from .devices import room as devices

urlpatterns = [
    path("", home.Home.as_view(), name="authsvc-account"),
    path("address", address.Address.as_view(), name="authsvc-account-address"),
    path("address/new", address.NewAddress.as_view(), name="authsvc-account-address-new"),
    path("address/verify", address.VerifyAddress.as_view(), name="authsvc-account-address-verify"),
    path("address/give-up", address.GiveUpChange.as_view(), name="authsvc-account-address-give-up"),
    path("password", password.Password.as_view(), name="authsvc-account-password"),
    path("two-step", two_step.TwoStep.as_view(), name="authsvc-account-two-step"),
    path("two-step/factors/<str:factor>", two_step.Factor.as_view(), name="authsvc-account-factor"),
    path("two-step/app", authenticator.App.as_view(), name="authsvc-account-app"),
    path("two-step/app/scan", authenticator.Scan.as_view(), name="authsvc-account-app-scan"),
    path("two-step/app/remove", authenticator.RemoveApp.as_view(), name="authsvc-account-app-remove"),
    path("two-step/recovery-codes", recovery_codes.RecoveryCodes.as_view(), name="authsvc-account-recovery-codes"),
    path("passkeys", passkeys.Passkeys.as_view(), name="authsvc-account-passkeys"),
    path("passkeys/new", passkeys.NewPasskey.as_view(), name="authsvc-account-passkey-new"),
    path("passkeys/begin", passkeys.BeginPasskey.as_view(), name="authsvc-account-passkey-begin"),
    path("passkeys/own/<str:credential_id>", passkeys.Passkey.as_view(), name="authsvc-account-passkey"),
    path(
        "passkeys/own/<str:credential_id>/remove",
        passkeys.RemovePasskey.as_view(),
        name="authsvc-account-passkey-remove",
    ),
    path("devices", devices.Devices.as_view(), name="authsvc-account-devices"),
    path("devices/end-others", devices.EndOtherDevices.as_view(), name="authsvc-account-devices-end-others"),
    path("devices/sign-out", devices.SignOutEverywhere.as_view(), name="authsvc-account-sign-out-everywhere"),
    path("devices/<str:session_id>/end", devices.EndDevice.as_view(), name="authsvc-account-device-end"),
    path("connected", connected.Connected.as_view(), name="authsvc-account-connected"),
    path("connected/with/<str:provider>", connected.Connect.as_view(), name="authsvc-account-connect"),
    path("connected/<str:identity_id>/remove", connected.Disconnect.as_view(), name="authsvc-account-disconnect"),
    path("api-keys", api_keys.ApiKeys.as_view(), name="authsvc-account-api-keys"),
    path("api-keys/new", api_keys.NewApiKey.as_view(), name="authsvc-account-api-key-new"),
    path("api-keys/<str:key_id>/revoke", api_keys.RevokeApiKey.as_view(), name="authsvc-account-api-key-revoke"),
    path("activity", activity.Activity.as_view(), name="authsvc-account-activity"),
    path("ask", question.Ask.as_view(), name="authsvc-account-ask"),
    path("preferences", language.Language.as_view(), name="authsvc-account-language"),
    path("data", own_data.OwnData.as_view(), name="authsvc-account-data"),
    path("data/download", own_data.DownloadData.as_view(), name="authsvc-account-data-download"),
    path("delete", deletion.Deletion.as_view(), name="authsvc-account-delete"),
]
