"""Settings of the standalone project. They come only from environment variables."""

import os
import re
from pathlib import Path

from core.conf import load
from core.log_format import logging_config

from .database import database_of, pooled_database_of
from .environment import ProjectSettings

BASE_DIR = Path(__file__).resolve().parent.parent

_project = load(ProjectSettings, os.environ)
AUTH_SERVICE = os.environ

SECRET_KEY = _project.secret_key
DEBUG = _project.debug
ALLOWED_HOSTS = list(_project.hosts)
if _project.database_pooler:
    DATABASES = {"default": pooled_database_of(_project.database_url)}
    DIRECT_DATABASE = database_of(_project.database_direct_url, base_dir=BASE_DIR)
else:
    DATABASES = {"default": database_of(_project.database_url, base_dir=BASE_DIR)}

INSTALLED_APPS = [
    "accounts",
    "sessions_app",
    "mfa",
    "apikeys",
    "askai",
    "pages",
    "oidc",
    "console",
    "config.serving",
    "rest_framework",
    "drf_spectacular",
    "corsheaders",
]
AUTH_USER_MODEL = "authsvc_accounts.User"
CORS_ALLOWED_ORIGINS = [origin for origin in _project.cors_allowed_origins if not origin.endswith(":*")]
CORS_ALLOWED_ORIGIN_REGEXES = [
    rf"{re.escape(origin.removesuffix(':*'))}(:[0-9]+)?\Z"
    for origin in _project.cors_allowed_origins
    if origin.endswith(":*")
]
CORS_URLS_REGEX = r"^/(v1/|\.well-known/|oauth2/(?!authorize|consent|device$))(?!ask-ai)"
CORS_EXPOSE_HEADERS = ["DPoP-Nonce", "Retry-After", "X-Request-ID"]
CORS_ALLOW_HEADERS = [
    "Authorization",
    "Content-Type",
    "DPoP",
    "Idempotency-Key",
    "traceparent",
    "X-API-Key",
    "X-Request-ID",
]
_CORS = ["config.serving.cors.complete_headers", "corsheaders.middleware.CorsMiddleware"]
MIDDLEWARE = ["config.serving.cors.report_refused_origins", *(_CORS if _project.cors_allowed_origins else [])]

# The service sends the HSTS header where BASE_URL is https.
SECURE_HSTS_SECONDS = 365 * 24 * 60 * 60
SECURE_HSTS_INCLUDE_SUBDOMAINS = _project.hsts_include_subdomains

# The views set these headers themselves. No cookie authenticates a caller of the API. The console's cookie counts only
# for pages. Each form of these pages needs the own origin and the session's own token.
SILENCED_SYSTEM_CHECKS = ["security.W001", "security.W002", "security.W003"]
# Warnings about the API's description concern developers, not operators. Tests cover the description.
SILENCED_SYSTEM_CHECKS += ["drf_spectacular.W001", "drf_spectacular.W002"]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
APPEND_SLASH = False
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {"context_processors": []},
    }
]
LANGUAGE_CODE = "en"
USE_TZ = True
TIME_ZONE = "UTC"
LOGGING_CONFIG = "logging.config.dictConfig"
LOGGING = logging_config(level=_project.log_level)
