"""Routes of the accounts app, relative to /v1/."""

from django.urls import path

from mail import pages

from . import views
from .passwords import pages as password_pages

urlpatterns = [
    path("signup", views.SignUp.as_view()),
    path("change-password", views.ChangePassword.as_view()),
    path("password/forgot", views.RequestPasswordReset.as_view(), name="authsvc-password-forgot"),
    path("password/reset", views.ResetPassword.as_view(), name="authsvc-password-reset"),
    path("email/request-change", views.RequestEmailChange.as_view()),
    path("email/confirm-change", views.ConfirmEmailChange.as_view(), name="authsvc-email-confirm-change"),
    path("email/undo-change", views.UndoEmailChange.as_view(), name="authsvc-email-undo-change"),
    path("email/verify/request", views.RequestEmailVerification.as_view()),
    path("email/verify/confirm", views.ConfirmEmailVerification.as_view(), name="authsvc-email-verify-confirm"),
    path("account/export", views.ExportData.as_view()),
    path("delete-account", views.DeleteAccount.as_view()),
]

# Relative to the root of the site. The links in mails lead to these pages.
site_patterns = [
    path("mail/magic-link", pages.MagicLinkPage.as_view(), name="authsvc-page-magic-link"),
    # A provider returns the browser to a path of its own, see `SignInButton`.
    path("mail/magic-link/<slug:provider>", pages.MagicLinkPage.as_view()),
    path("mail/email-change", pages.EmailChangePage.as_view(), name="authsvc-page-email-change"),
    path("mail/email-undo", pages.EmailUndoPage.as_view(), name="authsvc-page-email-undo"),
    path("mail/verify-email", pages.VerifyEmailPage.as_view(), name="authsvc-page-verify-email"),
    path("mail/password-reset", password_pages.PasswordResetPage.as_view(), name="authsvc-page-password-reset"),
    path("mail/invitation", password_pages.InvitationPage.as_view(), name="authsvc-page-invitation"),
    path("mail/recovery-cancel", pages.RecoveryCancelPage.as_view(), name="authsvc-page-recovery-cancel"),
    path("mail/recovery-complete", pages.RecoveryCompletePage.as_view(), name="authsvc-page-recovery-complete"),
    path("mail/page.css", pages.MailPageAsset.as_view(), {"name": "page.css"}),
    path("mail/page.js", pages.MailPageAsset.as_view(), {"name": "page.js"}),
]

# Relative to the root of the site, as RFC 8615 requires.
well_known_patterns = [path(".well-known/change-password", password_pages.ChangePasswordUrl.as_view())]
