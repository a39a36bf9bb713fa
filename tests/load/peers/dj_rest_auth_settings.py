"""dj-rest-auth with SimpleJWT, rotation and blacklist, configured as their documentation describes."""

from datetime import timedelta

from .common import DATABASES, LOGGING, PASSWORD_HASHERS

__all__ = ["DATABASES", "LOGGING", "PASSWORD_HASHERS"]

SECRET_KEY = "only-for-benchmarks-and-as-long-as-hs256-wants-it-to-be"
ALLOWED_HOSTS = ["*"]
ROOT_URLCONF = "tests.load.peers.dj_rest_auth_urls"
INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "rest_framework",
    "rest_framework_simplejwt",
    "rest_framework_simplejwt.token_blacklist",
    "dj_rest_auth",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
]
REST_FRAMEWORK = {"DEFAULT_AUTHENTICATION_CLASSES": ["rest_framework_simplejwt.authentication.JWTAuthentication"]}
USE_TZ = True

REST_AUTH = {"USE_JWT": True, "JWT_AUTH_HTTPONLY": False, "SESSION_LOGIN": False, "TOKEN_MODEL": None}
SIMPLE_JWT = {
    "ACCESS_TOKEN_LIFETIME": timedelta(days=1),
    "ROTATE_REFRESH_TOKENS": True,
    "BLACKLIST_AFTER_ROTATION": True,
}
