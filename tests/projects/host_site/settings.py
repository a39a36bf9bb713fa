"""A Django site that installed the apps, with its own user model and with defaults that conflict with the service."""

import os
from pathlib import Path

import dj_database_url

from tests.projects import environment

SECRET_KEY = "only-for-tests"
ALLOWED_HOSTS = ["localhost", "testserver"]
DATABASES = {"default": {**dj_database_url.parse(os.environ["TEST_POSTGRES_URL"]), "ATOMIC_REQUESTS": True}}
INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.contenttypes",
    "django.contrib.auth",
    "django.contrib.messages",
    "django.contrib.sessions",
    "tests.projects.host_site.people",
    "allauth",
    "allauth.account",
    "accounts",
    "sessions_app",
    "mfa",
    "apikeys",
    "askai",
    "pages",
    "oidc",
    "console",
    # A host project has its own server program. The tests of the service's server run on this site too.
    "config.serving",
    "rest_framework",
    "drf_spectacular",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
]
AUTH_USER_MODEL = "people.Person"
AUTHENTICATION_BACKENDS = ["django.contrib.auth.backends.ModelBackend"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = "handle"
ACCOUNT_USER_MODEL_EMAIL_FIELD = "contact"
# The service cannot verify the first hasher, which is cheap. The second hasher writes the service's format.
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.MD5PasswordHasher",
    "django.contrib.auth.hashers.Argon2PasswordHasher",
]
ROOT_URLCONF = "tests.projects.host_site.urls"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]
STATIC_URL = "static/"
USE_TZ = True
TIME_ZONE = "Asia/Kathmandu"
LANGUAGE_CODE = "de"
DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
RATELIMIT_ENABLE = False
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["rest_framework.authentication.SessionAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAdminUser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.BrowsableAPIRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.FormParser"],
    "DEFAULT_THROTTLE_CLASSES": ["rest_framework.throttling.AnonRateThrottle"],
    "DEFAULT_THROTTLE_RATES": {"anon": "1/day"},
    "DEFAULT_VERSIONING_CLASS": "rest_framework.versioning.AcceptHeaderVersioning",
    "DEFAULT_VERSION": "0.0.7",
    "DEFAULT_SCHEMA_CLASS": "rest_framework.schemas.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "tests.projects.host_site.urls.hostile_exception_handler",
    "NON_FIELD_ERRORS_KEY": "oops",
    "COERCE_DECIMAL_TO_STRING": False,
    "DATETIME_FORMAT": "%d.%m.%Y",
}
AUTH_SERVICE = dict(environment.SERVICE)
BASE_DIR = Path(__file__).parent
