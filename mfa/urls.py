"""Routes of the mfa app, relative to /v1/."""

from django.urls import path

from . import views

urlpatterns = [
    path("login/totp", views.LoginTotp.as_view()),
    path("login/passkey/begin", views.BeginLoginPasskey.as_view()),
    path("login/passkey/finish", views.FinishLoginPasskey.as_view()),
    path("login/recovery-code", views.LoginRecoveryCode.as_view()),
    path("recovery/request", views.RequestRecovery.as_view()),
    path("recovery/cancel", views.CancelRecovery.as_view(), name="authsvc-recovery-cancel"),
    path("recovery/complete", views.CompleteRecovery.as_view(), name="authsvc-recovery-complete"),
    path("passkey-login/begin", views.BeginPasskeyOnlyLogin.as_view()),
    path("passkey-login/finish", views.FinishPasskeyOnlyLogin.as_view()),
    path("reauthenticate/passkey/begin", views.BeginReauthenticatePasskey.as_view()),
    path("totp/enroll", views.EnrollTotp.as_view()),
    path("totp/qr.svg", views.TotpQrCode.as_view()),
    path("totp/confirm", views.ConfirmTotp.as_view()),
    path("totp/disable", views.DisableTotp.as_view()),
    path("passkeys", views.ListPasskeys.as_view()),
    path("passkeys/signal", views.SignalPasskeys.as_view()),
    path("passkeys/register/begin", views.BeginRegisterPasskey.as_view()),
    path("passkeys/register/finish", views.FinishRegisterPasskey.as_view()),
    path("passkeys/<str:credential_id>", views.RemovePasskey.as_view()),
    path("recovery-codes/generate", views.GenerateRecoveryCodes.as_view()),
]

# Relative to the root of the site, as RFC 8615 requires.
well_known_patterns = [path(".well-known/webauthn", views.RelatedOrigins.as_view())]
