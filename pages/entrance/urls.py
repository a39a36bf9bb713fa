"""The addresses of the entrance, relative to the root of the site or to the path at which a host mounts the pages."""

from django.urls import path

from sessions_app.oauth.flows import PAGE_RETURN

from . import confirmation, language, mailed, providers, sign_in, sign_out

urlpatterns = [
    path("sign-in", sign_in.SignIn.as_view(), name="authsvc-sign-in"),
    path("sign-in/passkey", sign_in.SignInByPasskey.as_view(), name="authsvc-sign-in-passkey"),
    path("sign-in/passkey/begin", sign_in.BeginSignInByPasskey.as_view(), name="authsvc-sign-in-passkey-begin"),
    path("sign-in/factor/<str:factor>", sign_in.CompleteByFactor.as_view(), name="authsvc-sign-in-factor"),
    path("sign-in/second-passkey/begin", sign_in.BeginCompletion.as_view(), name="authsvc-sign-in-factor-begin"),
    path("sign-in/mail", mailed.MailMe.as_view(), name="authsvc-sign-in-mail"),
    path("sign-in/code", mailed.SignInByCode.as_view(), name="authsvc-sign-in-code"),
    # A provider returns the browser to this path. With several providers, its last part must name the provider.
    path("sign-in/with/<slug:provider>", providers.SignInByProvider.as_view(), name=PAGE_RETURN),
    path("sign-out", sign_out.SignOut.as_view(), name="authsvc-sign-out"),
    path("confirm", confirmation.Confirm.as_view(), name="authsvc-confirm"),
    path("confirm/factor/<str:factor>", confirmation.ConfirmByFactor.as_view(), name="authsvc-confirm-factor"),
    path("confirm/password", confirmation.ConfirmByPassword.as_view(), name="authsvc-confirm-password"),
    path("confirm/passkey/begin", confirmation.BeginConfirm.as_view(), name="authsvc-confirm-passkey-begin"),
    path("language", language.ChooseLanguage.as_view(), name="authsvc-language"),
]
