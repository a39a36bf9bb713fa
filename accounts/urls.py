"""Routes of the accounts app, relative to /v1/."""

from django.urls import path

from . import views

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
