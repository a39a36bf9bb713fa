"""Routes of the mfa app, relative to /v1/."""

from django.urls import path

from .passkeys import views as passkeys
from .recovery import views as recovery
from .totp import views as totp

urlpatterns = [
    path("login/totp", totp.CompleteTotpStep.as_view()),
    path("login/passkey/begin", passkeys.BeginPasskeyStep.as_view()),
    path("login/passkey/finish", passkeys.FinishPasskeyStep.as_view()),
    path("login/recovery-code", recovery.CompleteRecoveryCodeStep.as_view()),
    path("recovery/request", recovery.RequestRecovery.as_view()),
    path("recovery/cancel", recovery.CancelRecovery.as_view(), name="authsvc-recovery-cancel"),
    path("recovery/complete", recovery.CompleteRecovery.as_view(), name="authsvc-recovery-complete"),
    path("passkey-login/begin", passkeys.BeginPasskeyOnlyLogin.as_view()),
    path("passkey-login/finish", passkeys.FinishPasskeyOnlyLogin.as_view()),
    path("reauthenticate/passkey/begin", passkeys.BeginPasskeyReauthentication.as_view()),
    path("totp/enroll", totp.EnrollTotp.as_view()),
    path("totp/qr.svg", totp.GetTotpQrCode.as_view()),
    path("totp/confirm", totp.ConfirmTotp.as_view()),
    path("totp/disable", totp.DisableTotp.as_view()),
    path("passkeys", passkeys.ListPasskeys.as_view()),
    path("passkeys/signal", passkeys.SignalPasskeys.as_view()),
    path("passkeys/register/begin", passkeys.BeginPasskeyRegistration.as_view()),
    path("passkeys/register/finish", passkeys.FinishPasskeyRegistration.as_view()),
    path("passkeys/<str:credential_id>", passkeys.RemovePasskey.as_view()),
    path("recovery-codes/generate", recovery.GenerateRecoveryCodes.as_view()),
]

# Relative to the root of the site, as RFC 8615 requires.
well_known_patterns = [path(".well-known/webauthn", passkeys.GetRelatedOrigins.as_view())]
