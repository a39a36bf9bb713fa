"""System checks. They report insecure or impossible settings at the start instead of at the first request."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.apps import apps
from django.conf import settings as django_settings
from django.contrib.auth import get_user_model
from django.contrib.auth.hashers import get_hasher, get_hashers
from django.core.checks import CheckMessage, Error, Tags, register
from django.core.checks import Warning as CheckWarning
from django.db import DEFAULT_DB_ALIAS, connections, router
from django.db.models import Model
from django.http.request import validate_host
from django.template import TemplateDoesNotExist
from django.template.loader import get_template

from core.conf import core_settings, declared, is_declared
from core.db.write_stop import find_kept_here
from core.http.mounting import find_path
from core.http.tokens import tones
from core.keys.columns import SealedColumn, has_foreign_values, sealed_columns
from core.keys.ring_file import find_exposure, find_obstacle
from core.ratelimit.conf import settings as limit_settings
from mail.branding import READABLE, contrast, current_brand, link_tone
from mail.conf import settings as mail_settings

from .conf import settings, sign_up_settings
from .host import users
from .host.changes import rewrites_hashes
from .passwords import hashing

_LANE_KIB = 8
_WORK_MIN = 7168 * 5
"""The cost of the cheapest Argon2id in OWASP's Password Storage Cheat Sheet, in KiB times passes."""


@register("authsvc")
def check_hashing(**_: Any) -> list[CheckMessage]:
    """Report Argon2 costs that the library would refuse at the first login."""
    if settings().argon2_memory_kib >= _LANE_KIB * settings().argon2_parallelism:
        return []
    return [Error(f"ARGON2_MEMORY_KIB must be at least {_LANE_KIB} times ARGON2_PARALLELISM.", id="authsvc.E001")]


@register("authsvc")
def check_user_model(**_: Any) -> list[CheckMessage]:
    """Report a user model in which the service cannot store the address or a unique name of a new user."""
    if users.email_field_of_model() is not None:
        return [] if users.can_name_new_users() else [_unnamed()]
    return [
        Error(
            f"{django_settings.AUTH_USER_MODEL} has no field with the name in its EMAIL_FIELD.",
            hint="Set EMAIL_FIELD of the model to the name of the field for the e-mail address.",
            id="authsvc.E006",
        )
    ]


@register("authsvc")
def check_sign_up(**_: Any) -> list[CheckMessage]:
    """Report a host project that has not chosen who may sign up, and domains that no one has to prove."""
    found: list[CheckMessage] = []
    chosen = sign_up_settings()
    if users.belong_to_host() and chosen.sign_up is None:
        sentence = "SIGNUP is unset, so every person can make a user of your site by POST /v1/signup."
        hint = "Set SIGNUP in AUTH_SERVICE to open, invited or closed."
        found.append(CheckWarning(sentence, hint=hint, id="authsvc.W028"))
    if chosen.domains and mail_settings().email_verification != "required":
        sentence = (
            "SIGNUP_DOMAINS without EMAIL_VERIFICATION=required: a person can sign up with another person's address."
        )
        hint = "Set EMAIL_VERIFICATION to required. A login then needs a proven address."
        found.append(CheckWarning(sentence, hint=hint, id="authsvc.W029"))
    return found


@register("authsvc")
def check_databases(**_: Any) -> list[CheckMessage]:
    """Report a database router that sends the users or a table of the service to another database than `default`.

    The service's own SQL uses the connection `default`.
    """
    own = [model for model in apps.get_models() if model._meta.app_label.startswith("authsvc_")]
    if not (moved := sorted(model._meta.label for model in {get_user_model(), *own} if not _is_in_default(model))):
        return []
    return [
        Error(
            f"DATABASE_ROUTERS does not keep these models in the default database: {', '.join(moved)}.",
            hint="Let each router return None for the app of the users and for app labels that begin with authsvc_.",
            id="authsvc.E008",
        )
    ]


@register("authsvc")
def check_engine(**_: Any) -> list[CheckMessage]:
    """Report a database that is neither SQLite nor PostgreSQL. The service's own SQL is written for these two."""
    default = connections[DEFAULT_DB_ALIAS]
    if default.vendor in {"postgresql", "sqlite"}:
        return []
    sentence = f"The service works on PostgreSQL and on SQLite. The default database is {default.display_name}."
    hint = "Run the service as a program of its own, with its own database, and verify its access tokens in your site."
    return [Error(sentence, hint=hint, id="authsvc.E009")]


@register("authsvc")
def check_time_zones(**_: Any) -> list[CheckMessage]:
    """Report a project without time zones. Django then refuses the service's times, which have one."""
    if django_settings.USE_TZ:
        return []
    hint = "Set USE_TZ to True. Django's page on time zones describes the change of an existing site."
    return [Error("USE_TZ is False, but the service stores times with a time zone.", hint=hint, id="authsvc.E010")]


@register(Tags.templates)
def check_templates(**_: Any) -> list[CheckMessage]:
    """Report TEMPLATES that cannot render the service's mails and pages, or do not escape the values in them."""
    try:
        template: Any = get_template("authsvc_accounts/mails/layout.html")
    except TemplateDoesNotExist:
        sentence = "TEMPLATES has no engine that finds the service's templates, so mails and pages fail."
    else:
        if template.template.engine.autoescape:
            return []
        sentence = "TEMPLATES turns autoescape off, so an attacker could insert a script into the service's pages."
    return [Error(sentence, hint="Add an engine DjangoTemplates with APP_DIRS and autoescape.", id="authsvc.E011")]


@register("authsvc")
def check_hashers(**_: Any) -> list[CheckMessage]:
    """Report a PASSWORD_HASHERS that does not work together with the service.

    An error means that it cannot verify the service's hashes. One warning means that the service cannot verify some of
    its hashes. The other warning means that service and host project would rewrite each other's hashes.
    """
    if not users.belong_to_host():
        return []
    algorithms = {str(hasher.algorithm) for hasher in get_hashers()}
    found: list[CheckMessage] = []
    if hashing.NEW_ALGORITHM not in algorithms:
        sentence = "PASSWORD_HASHERS lacks Argon2. The host project's own login cannot verify passwords that the service stored."
        hint = "Add django.contrib.auth.hashers.Argon2PasswordHasher to PASSWORD_HASHERS, at any position."
        found.append(Error(sentence, hint=hint, id="authsvc.E005"))
    if unknown := sorted(algorithms - hashing.ALGORITHMS):
        sentence = f"PASSWORD_HASHERS contains algorithms that the service cannot verify: {', '.join(unknown)}."
        hint = "Users with such a hash can log in to the service only with a magic link."
        found.append(CheckWarning(sentence, hint=hint, id="authsvc.W013"))
    preferred = get_hasher()
    if rewrites_hashes() and (
        preferred.algorithm != hashing.NEW_ALGORITHM or preferred.must_update(hashing.todays_kind())
    ):
        sentence = "PASSWORD_HASH_UPGRADE is on, but the host project's own login rewrites the service's hashes."
        hint = "Put Argon2PasswordHasher first in PASSWORD_HASHERS, with the costs of ARGON2_*, or turn PASSWORD_HASH_UPGRADE off."
        found.append(CheckWarning(sentence, hint=hint, id="authsvc.W014"))
    return found


@register("authsvc")
def check_keys_differ(**_: Any) -> list[CheckMessage]:
    """Report a key that serves two purposes. An attacker who learns such a key could decrypt the data of both."""
    if not set(core_settings().encryption_keys) & set(core_settings().settings_encryption_keys):
        return []
    return [Error("ENCRYPTION_KEY and SETTINGS_ENCRYPTION_KEY must not contain the same key.", id="authsvc.E002")]


@register("authsvc")
def check_names(**_: Any) -> list[CheckMessage]:
    """Warn of members of AUTH_SERVICE that are no setting of the service.

    The environment of the standalone project has another check, because it contains variables of other programs too.
    """
    given = getattr(django_settings, "AUTH_SERVICE", {})
    if not isinstance(given, dict):
        return []
    unknown = sorted(name for name in given if not is_declared(name))
    hint = "Correct its spelling, or remove it."
    return [
        CheckWarning(f"AUTH_SERVICE contains {name}, which is not a setting.", hint=hint, id="authsvc.W001")
        for name in unknown
    ]


@register("authsvc")
def check_earlier_names(**_: Any) -> list[CheckMessage]:
    """Warn of a setting that has its earlier name. A new name beside it wins."""
    given = getattr(django_settings, "AUTH_SERVICE", {})
    return [
        CheckWarning(
            f"{one.earlier} is the earlier name of {one.name}.",
            hint=f"Rename it to {one.name}. The earlier name will stop to work in a later version.",
            id="authsvc.W034",
        )
        for _, one in declared()
        if one.earlier and given.get(one.earlier) not in (None, "")
    ]


@register("authsvc")
def check_brand(**_: Any) -> list[CheckMessage]:
    """Warn of a colour in which links on light pages would be hard to read. The pages use a darker tone there."""
    colour = current_brand().colour
    tone = link_tone(colour).light
    if tone == colour:
        return []
    ratio = contrast(colour, tones()["surface"].light)
    sentence = (
        f"BRAND_COLOUR is {colour}, which has a contrast of {ratio:.1f}:1 on light pages. Links need {READABLE}:1, so "
        f"they have the tone {tone} there."
    )
    hint = f"To have one colour everywhere, set BRAND_COLOUR to {tone} or to a darker colour."
    return [CheckWarning(sentence, hint=hint, id="authsvc.W035")]


@register("authsvc")
def check_login_name(**_: Any) -> list[CheckMessage]:
    """Report a LOGIN_NAME that contradicts the user model or the demand for a verified address."""
    if not settings().logs_in_by_user_name:
        return []
    if (obstacle := users.find_name_obstacle()) is not None:
        hint = "Set LOGIN_NAME to email, or give the user model a USERNAME_FIELD with unique names."
        return [Error(f"LOGIN_NAME is username, but {obstacle}.", hint=hint, id="authsvc.E013")]
    if mail_settings().email_verification != "required":
        return []
    sentence = "LOGIN_NAME is username and EMAIL_VERIFICATION is required, so users without an address cannot log in."
    return [CheckWarning(sentence, hint="Set EMAIL_VERIFICATION to on.", id="authsvc.W027")]


@register("authsvc")
def check_verification(**_: Any) -> list[CheckMessage]:
    """Report a deployment in which no account could ever log in by password, because it mails no verification links."""
    if mail_settings().email_verification != "required" or mail_settings().email_url != "off":
        return []
    return [Error("EMAIL_VERIFICATION is required, but EMAIL_URL is off. Set EMAIL_URL.", id="authsvc.E007")]


@register(Tags.urls)
def check_mail_pages(**_: Any) -> list[CheckMessage]:
    """Warn of links in mails that would lead to no page."""
    pages = {
        "MAGIC_LINK_URL": (mail_settings().magic_link_url, "magic-link"),
        "EMAIL_CHANGE_URL": (mail_settings().email_change_url, "email-change"),
        "EMAIL_UNDO_URL": (mail_settings().email_undo_url, "email-undo"),
        "EMAIL_VERIFY_URL": (mail_settings().email_verify_url, "verify-email"),
        "PASSWORD_RESET_URL": (mail_settings().password_reset_url, "password-reset"),
        "INVITATION_URL": (mail_settings().invitation_url, "invitation"),
    }
    return find_missing_pages(pages) if mail_settings().email_url != "off" else []


def find_missing_pages(pages: Mapping[str, tuple[str, str]]) -> list[CheckMessage]:
    """Return a warning for each page that the links in mails need and that the site does not have.

    `pages` maps the name of each setting to its value and to the name of the service's own page. The site needs the own
    page only when the value is "".
    """
    hint = "Install gatehouse.pages and include gatehouse.urls without a namespace, or set the variable to a page of your application."
    return [
        CheckWarning(f"{name} is unset, and the service's own page is not mounted.", hint=hint, id="authsvc.W012")
        for name, (url, page) in pages.items()
        if not url and find_path(f"authsvc-page-{page}") is None
    ]


@register("authsvc", Tags.security, deploy=True)
def check_deployment(**_: Any) -> list[CheckMessage]:
    """Warn of settings that are acceptable on a developer's machine but weak on a public server."""
    weak: list[CheckMessage] = []
    if not core_settings().is_https:
        hint = "Put the service behind a proxy with TLS, and set BASE_URL to its https address."
        weak.append(
            CheckWarning("BASE_URL is not https, so tokens are sent unencrypted.", hint=hint, id="authsvc.W002")
        )
    if mail_settings().email_url.startswith(("off", "console:")):
        sentence = "EMAIL_URL sends no mail, so users who forgot their password cannot sign in."
        hint = "Set EMAIL_URL to your mail server, such as smtp://user:password@mail.example.com:587."
        weak.append(CheckWarning(sentence, hint=hint, id="authsvc.W004"))
    if exposure := find_exposure():
        weak.append(CheckWarning(exposure, id="authsvc.W005"))
    if open_files := _open_database_files():
        sentence = f"Other users of the machine can access the database: {', '.join(map(str, open_files))}."
        weak.append(CheckWarning(sentence, hint="Run `chmod 600` on each file.", id="authsvc.W018"))
    if off := [limit for limit, rate in limit_settings().rate_limits.by_limit.items() if rate is None]:
        sentence = f"RATE_LIMITS turns these limits off: {', '.join(off)}."
        hint = "Remove them from RATE_LIMITS. Attackers could otherwise guess without a limit."
        weak.append(CheckWarning(sentence, hint=hint, id="authsvc.W008"))
    if settings().recent_login_seconds is None:
        sentence = "RECENT_LOGIN_SECONDS is off, so a stolen access token can take the whole account over."
        weak.append(CheckWarning(sentence, hint="Use the default, 600.", id="authsvc.W022"))
    if settings().argon2_memory_kib * settings().argon2_time < _WORK_MIN:
        sentence = "ARGON2_MEMORY_KIB and ARGON2_TIME are too low: an attacker can guess passwords cheaply."
        weak.append(CheckWarning(sentence, hint="Use the defaults, which OWASP recommends.", id="authsvc.W009"))
    if "*" in django_settings.ALLOWED_HOSTS:
        sentence = "ALLOWED_HOSTS is *, so the service accepts every Host header."
        weak.append(
            CheckWarning(sentence, hint="List the host names at which users reach the service.", id="authsvc.W010")
        )
    if core_settings().trusted_proxies and not getattr(django_settings, "AUTH_SERVICE", {}).get("PROXY_IP_HEADER"):
        # Whether the proxy drops such names is visible to the operator alone, so a header that the operator names is right.
        sentence = "A client can forge its IP address if a proxy passes the header X_Forwarded_For on."
        hint = "Let the proxy drop header names with an underscore. Then set PROXY_IP_HEADER to X-Forwarded-For."
        weak.append(CheckWarning(sentence, hint=hint, id="authsvc.W011"))
    return weak + _find_missing_host() + (find_unusable_keys() if not users.belong_to_host() else [])


def _find_missing_host() -> list[CheckMessage]:
    """Return a warning when ALLOWED_HOSTS refuses the host of BASE_URL, so that each of its requests gets 400."""
    host = urlsplit(core_settings().base_url).hostname or ""
    # Django's own check W020 reports an empty list.
    if not django_settings.ALLOWED_HOSTS or validate_host(
        f"[{host}]" if ":" in host else host, django_settings.ALLOWED_HOSTS
    ):
        return []
    sentence = f"ALLOWED_HOSTS lacks {host}, the host of BASE_URL, so the service refuses its users."
    return [CheckWarning(sentence, hint="Add the host to ALLOWED_HOSTS, or correct BASE_URL.", id="authsvc.W024")]


@register("authsvc")
def check_keys_of_site(**_: Any) -> list[CheckMessage]:
    """Report signing keys that a host project cannot make or read.

    A standalone service does not start without its keys. Commands that need no keys may run without them.
    """
    return find_unusable_keys() if users.belong_to_host() else []


def find_unusable_keys() -> list[CheckMessage]:
    """Return a warning when this user can neither read nor make the file of the signing keys."""
    if (obstacle := find_obstacle()) is None:
        return []
    hint = (
        "Without the file every login fails. Name a path that the user of the web server can write, such as "
        "`var/signing-keys.json`, which is below BASE_DIR."
    )
    return [CheckWarning(obstacle, hint=hint, id="authsvc.W025")]


@register(Tags.database)
def check_sealed(*, databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """Warn of a key ring that cannot decrypt all sealed values in the database.

    The check runs with `check --database default` and with `migrate`.
    """
    if "default" not in (databases or ()):
        return []
    tables = connections["default"].introspection.table_names()
    there = [column for column in sealed_columns if column.model._meta.db_table in tables]
    return [_missing_key(column) for column in there if has_foreign_values(column)]


@register(Tags.database)
def check_write_stop(*, databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """Warn of a database that refuses every change, because its data moved to another database."""
    target = find_kept_here() if "default" in (databases or ()) else None
    if target is None:
        return []
    sentence = f"This database refuses every change, because it was promoted to {target}."
    hint = "Set DATABASE_URL to that database. To go on with this one, run `manage.py promote --cancel`."
    return [CheckWarning(sentence, hint=hint, id="authsvc.W043")]


def _unnamed() -> CheckMessage:
    sentence = (
        f"Users cannot sign up: the USERNAME_FIELD of {django_settings.AUTH_USER_MODEL} cannot hold a random name."
    )
    hint = f"Let it be the address, a UUID, or text of at least {users.NAME_MIN} characters."
    return CheckWarning(sentence, hint=hint, id="authsvc.W021")


def _is_in_default(model: type[Model]) -> bool:
    aliases = {router.db_for_read(model), router.db_for_write(model)}
    return aliases == {DEFAULT_DB_ALIAS} and router.allow_migrate_model(DEFAULT_DB_ALIAS, model)


def _open_database_files() -> list[Path]:
    """Return the files of an SQLite database and its rate limits that other users of the machine can access."""
    database = connections["default"]
    if database.vendor != "sqlite":
        return []
    files = [Path(f"{database.settings_dict['NAME']}{suffix}") for suffix in ("", "-wal", "-shm", ".limits")]
    # `Path.exists()` would raise PermissionError below a directory that this user may not enter.
    return [file for file in files if os.access(file, os.F_OK) and file.stat().st_mode & 0o077]


def _missing_key(column: SealedColumn) -> CheckMessage:
    sentence = f"{column.variable} does not decrypt all {column.name} in the database."
    hint = (
        "Set it to the key that encrypted them, or add that key to the end of its list. `manage.py reencrypt --check` "
        "lists their rows."
    )
    return CheckWarning(sentence, hint=hint, id="authsvc.W007")
