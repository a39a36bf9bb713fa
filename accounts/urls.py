"""Routes of the accounts app, relative to /v1/."""

from django.urls import path

from . import views

urlpatterns = [
    path("signup", views.Signup.as_view()),
    path("change-password", views.ChangePassword.as_view()),
    path("delete-account", views.DeleteAccount.as_view()),
]
