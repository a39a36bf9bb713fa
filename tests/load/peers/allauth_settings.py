"""django-allauth headless with JWTs, configured as its documentation describes."""

import os

import cryptography.hazmat.primitives.serialization  # noqa: F401 - django-allauth uses it without an import

from .common import DATABASES, LOGGING, PASSWORD_HASHERS

__all__ = ["DATABASES", "LOGGING", "PASSWORD_HASHERS"]

SECRET_KEY = "only-for-benchmarks"
ALLOWED_HOSTS = ["*"]
ROOT_URLCONF = "tests.load.peers.allauth_urls"
INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "rest_framework",
    "allauth",
    "allauth.account",
    "allauth.headless",
    "allauth.usersessions",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "allauth.usersessions.middleware.UserSessionsMiddleware",
]
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["allauth.headless.contrib.rest_framework.authentication.JWTTokenAuthentication"]
}
USE_TZ = True

ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
# The limits are so high that no request is refused, but every request is counted.
ACCOUNT_RATE_LIMITS = {"login": "999999999/m/ip", "login_failed": "999999999/m/ip"}
HEADLESS_ONLY = True
HEADLESS_CLIENTS = ("app",)
HEADLESS_TOKEN_STRATEGY = "allauth.headless.tokens.strategies.jwt.JWTTokenStrategy"
HEADLESS_JWT_PRIVATE_KEY = os.environ.get("PEER_RSA_KEY", "")
HEADLESS_JWT_ROTATE_REFRESH_TOKEN = True
HEADLESS_JWT_ACCESS_TOKEN_EXPIRES_IN = 86_400
