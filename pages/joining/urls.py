"""The addresses of the sign-up, of new passwords, of recoveries and of mailed links."""

from django.urls import path

from . import addresses, invitations, passkey_offer, passwords, recoveries, sign_in_links, sign_up

urlpatterns = [
    path("sign-up", sign_up.SignUp.as_view(), name="authsvc-sign-up"),
    path("sign-up/confirm", sign_up.ConfirmFirst.as_view(), name="authsvc-confirm-first"),
    path("confirm-address", sign_up.ConfirmAddress.as_view(), name="authsvc-confirm-address"),
    path("forgot-password", passwords.ForgotPassword.as_view(), name="authsvc-forgot"),
    path("passkey-offer", passkey_offer.OfferPasskey.as_view(), name="authsvc-passkey-offer"),
    path("passkey-offer/begin", passkey_offer.BeginOfferedPasskey.as_view(), name="authsvc-passkey-offer-begin"),
    path("recover", recoveries.LostFactor.as_view(), name="authsvc-recover"),
    path("recover/start", recoveries.StartRecovery.as_view(), name="authsvc-start-recovery"),
]

mail_patterns = [
    path("mail/magic-link", sign_in_links.SignInLink.as_view(), name="authsvc-page-magic-link"),
    path("mail/magic-link/sign-in", sign_in_links.SignInByLink.as_view(), name="authsvc-sign-in-by-link"),
    path("mail/email-change", addresses.ChangeLink.as_view(), name="authsvc-page-email-change"),
    path("mail/email-change/confirm", addresses.ChangeAddress.as_view(), name="authsvc-change-address"),
    path("mail/email-undo", addresses.UndoLinkPage.as_view(), name="authsvc-page-email-undo"),
    path("mail/email-undo/confirm", addresses.UndoAddress.as_view(), name="authsvc-undo-address"),
    path("mail/verify-email", addresses.VerifyLink.as_view(), name="authsvc-page-verify-email"),
    path("mail/verify-email/confirm", addresses.VerifyAddress.as_view(), name="authsvc-verify-address"),
    path("mail/password-reset", passwords.ResetLink.as_view(), name="authsvc-page-password-reset"),
    path("mail/password-reset/confirm", passwords.ResetPassword.as_view(), name="authsvc-reset-password"),
    path("mail/invitation", invitations.InvitationLink.as_view(), name="authsvc-page-invitation"),
    path("mail/invitation/password", invitations.AcceptByPassword.as_view(), name="authsvc-join-by-password"),
    path("mail/invitation/passkey", invitations.AcceptByPasskey.as_view(), name="authsvc-join-by-passkey"),
    path("mail/recovery-cancel", recoveries.CancelLink.as_view(), name="authsvc-page-recovery-cancel"),
    path("mail/recovery-cancel/confirm", recoveries.CancelRecovery.as_view(), name="authsvc-cancel-recovery"),
    path("mail/recovery-complete", recoveries.CompleteLink.as_view(), name="authsvc-page-recovery-complete"),
    path("mail/recovery-complete/confirm", recoveries.CompleteRecovery.as_view(), name="authsvc-complete-recovery"),
]

# Relative to the root of the site, as RFC 8615 requires.
well_known_patterns = [path(".well-known/change-password", passwords.ChangePasswordUrl.as_view())]
