"""The contract as tables: every route with its callers and error codes, and every error code.

The tables are written from the contract, not from the code. The tests of this package compare the two in both
directions.
"""

import re
from dataclasses import dataclass

import pytest
from _pytest.mark import ParameterSet

from core.http.view import Auth

PUBLIC, USER, ADMIN, MACHINE = Auth.PUBLIC, Auth.USER, Auth.ADMIN, Auth.MACHINE

# Error codes that a route can answer beside its own, by the kind of route.
OF_EVERY_ROUTE = frozenset({"rate_limited", "overloaded", "db_unreachable"})
OF_A_PROOF = frozenset({"invalid_dpop_proof", "use_dpop_nonce"})
OF_A_TOKEN = OF_A_PROOF | {"missing_auth_header", "invalid_access_token"}
OF_A_BODY = frozenset({"bad_request", "length_required", "payload_too_large", "unsupported_media_type"})
OF_A_QUERY = frozenset({"bad_request"})


# The routes that can answer tokens. A proof in the request binds the tokens to its key.
ANSWERS_TOKENS = {
    "POST /v1/login",
    "POST /v1/refresh",
    "POST /v1/login/totp",
    "POST /v1/login/passkey/finish",
    "POST /v1/login/recovery-code",
    "POST /v1/passkey-login/finish",
    "POST /v1/magic-link/complete",
    "POST /v1/magic-link/code",
    "POST /v1/invitations/accept",
    "POST /v1/oauth/{provider}/complete",
}
# The public routes that also take an access token.
TAKES_TOKEN = {
    "POST /v1/oauth/{provider}/start",
    "POST /v1/oauth/{provider}/complete",
    "POST /v1/email/confirm-change",
    "POST /v1/email/verify/confirm",
}


@dataclass(frozen=True, slots=True)
class Route:
    """One route of the contract. `codes` contains all error codes that the route can answer."""

    method: str
    path: str
    auth: Auth
    status: int
    has_body: bool
    codes: frozenset[str]

    @property
    def name(self) -> str:
        """Return a name such as `POST /v1/login`."""
        return f"{self.method} {self.path}"

    def __str__(self) -> str:
        return self.name

    @property
    def url(self) -> str:
        """Return a path of the route, with an unknown id in place of each parameter."""
        return re.sub(r"\{\w+\}", "0199f3a2-7c11-7abc-8def-0123456789ab", self.path)


def _route(
    line: str,
    auth: Auth,
    own: str = "",
    *,
    status: int = 200,
    body: bool = False,
    query: bool = False,
    common: frozenset[str] = OF_EVERY_ROUTE,
) -> Route:
    method, path = line.split()
    codes = common | set(own.split())
    if line in ANSWERS_TOKENS or line in TAKES_TOKEN:
        codes |= OF_A_PROOF
    if auth.needs_token:
        codes |= OF_A_TOKEN
    if auth is MACHINE:
        codes |= {"invalid_api_key"}
    if auth is ADMIN:
        codes |= {"not_operator"}
    if auth is ADMIN and method != "GET":
        codes |= {"reauthentication_required"}
    if body:
        codes |= OF_A_BODY
    if query:
        codes |= OF_A_QUERY
    return Route(method, path, auth, status, body, frozenset(codes))


# The edge limit does not count these routes, and the routes need no database.
_STATELESS: frozenset[str] = frozenset()
_COUNTED_ONLY = frozenset({"rate_limited"})

ROUTES = (
    # Core
    _route(
        "POST /v1/signup",
        PUBLIC,
        "signup_closed user_exists password_policy_violation password_breached",
        status=201,
        body=True,
    ),
    _route(
        "POST /v1/login",
        PUBLIC,
        "invalid_credentials account_locked account_deactivated password_reset_required email_not_verified",
        body=True,
    ),
    _route("POST /v1/refresh", PUBLIC, "invalid_token token_reused", body=True),
    _route("GET /v1/health", PUBLIC, common=frozenset({"db_unreachable"})),
    # Second-factor login completion
    _route(
        "POST /v1/login/totp",
        PUBLIC,
        "totp_not_configured invalid_pending_login totp_not_enabled invalid_totp_code email_not_verified",
        body=True,
    ),
    _route(
        "POST /v1/login/passkey/begin",
        PUBLIC,
        "passkeys_not_configured invalid_pending_login no_passkeys_enrolled",
        body=True,
    ),
    _route(
        "POST /v1/login/passkey/finish",
        PUBLIC,
        "passkeys_not_configured invalid_pending_login no_passkeys_enrolled invalid_ceremony_token"
        " invalid_passkey_response email_not_verified",
        body=True,
    ),
    _route(
        "POST /v1/login/recovery-code",
        PUBLIC,
        "recovery_codes_not_configured invalid_pending_login invalid_recovery_code email_not_verified",
        body=True,
    ),
    _route("POST /v1/passkey-login/begin", PUBLIC, "passkeys_not_configured"),
    _route(
        "POST /v1/passkey-login/finish",
        PUBLIC,
        "passkeys_not_configured invalid_ceremony_token invalid_passkey_response email_not_verified",
        body=True,
    ),
    _route("POST /v1/magic-link/request", PUBLIC, "magic_link_not_configured", body=True),
    _route(
        "POST /v1/magic-link/complete",
        PUBLIC,
        "magic_link_not_configured verification_token_invalid verification_token_expired",
        body=True,
    ),
    _route(
        "POST /v1/invitations/accept",
        PUBLIC,
        "signup_closed verification_token_invalid verification_token_expired password_policy_violation"
        " password_breached",
        status=201,
        body=True,
    ),
    _route("POST /v1/magic-link/code", PUBLIC, "magic_link_not_configured invalid_login_code", body=True),
    # Sign-in with a provider
    _route("GET /v1/oauth/providers", PUBLIC),
    _route(
        "POST /v1/oauth/{provider}/start",
        PUBLIC,
        "not_configured oauth_failed oauth_unavailable missing_auth_header invalid_access_token"
        " reauthentication_required",
        body=True,
    ),
    _route(
        "POST /v1/oauth/{provider}/complete",
        PUBLIC,
        "not_configured invalid_oauth_state oauth_failed oauth_unavailable oauth_email_unverified user_exists signup_closed"
        " identity_in_use email_not_verified invalid_access_token",
        body=True,
    ),
    _route("POST /v1/oauth/apple/return", PUBLIC, "invalid_oauth_state", status=303, body=True, common=_COUNTED_ONLY),
    _route("GET /v1/identities", USER),
    _route("DELETE /v1/identities/{id}", USER, "reauthentication_required not_found last_sign_in_method"),
    # Sessions
    _route("GET /v1/session", USER),
    _route("GET /v1/sessions", USER),
    _route("DELETE /v1/sessions/{id}", USER, "session_not_owned not_found"),
    _route("GET /v1/applications", USER),
    _route("DELETE /v1/applications/{clientID}", USER, "not_found"),
    _route(
        "POST /v1/reauthenticate",
        USER,
        "invalid_credentials totp_not_configured totp_not_enabled invalid_totp_code passkeys_not_configured"
        " no_passkeys_enrolled invalid_ceremony_token invalid_passkey_response",
        body=True,
    ),
    _route("POST /v1/reauthenticate/passkey/begin", USER, "passkeys_not_configured no_passkeys_enrolled"),
    # Account management
    _route("GET /v1/me", USER),
    _route("POST /v1/logout", USER, "session_not_owned not_found", body=True),
    _route("POST /v1/logout-all", USER),
    # The route looks up a machine's key.
    _route("GET /v1/verify", USER, "invalid_api_key", common=frozenset({"db_unreachable"})),
    _route(
        "POST /v1/change-password",
        USER,
        "reauthentication_required invalid_credentials password_policy_violation password_breached",
        body=True,
    ),
    _route("POST /v1/password/forgot", PUBLIC, "not_configured", body=True),
    _route(
        "POST /v1/password/reset",
        PUBLIC,
        "not_configured verification_token_invalid verification_token_expired password_policy_violation"
        " password_breached",
        body=True,
    ),
    _route("POST /v1/recovery/request", PUBLIC, "not_configured invalid_pending_login", body=True),
    _route(
        "POST /v1/recovery/cancel",
        PUBLIC,
        "not_configured verification_token_invalid verification_token_expired",
        body=True,
    ),
    _route(
        "POST /v1/recovery/complete",
        PUBLIC,
        "not_configured verification_token_invalid verification_token_expired",
        body=True,
    ),
    _route("GET /v1/account/export", USER, "reauthentication_required", query=True),
    _route("POST /v1/delete-account", USER, "reauthentication_required invalid_credentials account_in_use", body=True),
    _route("POST /v1/email/request-change", USER, "reauthentication_required not_configured", body=True),
    _route(
        "POST /v1/email/confirm-change",
        PUBLIC,
        "verification_token_invalid verification_token_expired invalid_credentials user_exists",
        body=True,
    ),
    _route(
        "POST /v1/email/undo-change",
        PUBLIC,
        "verification_token_invalid verification_token_expired user_exists",
        body=True,
    ),
    _route("POST /v1/email/verify/request", USER, "not_configured"),
    _route(
        "POST /v1/email/verify/confirm",
        PUBLIC,
        "verification_token_invalid verification_token_expired invalid_credentials",
        body=True,
    ),
    # Second-factor management
    _route("POST /v1/totp/enroll", USER, "reauthentication_required totp_not_configured totp_already_enabled"),
    _route(
        "GET /v1/totp/qr.svg",
        USER,
        "reauthentication_required totp_not_configured totp_not_enabled totp_already_enabled",
    ),
    _route(
        "POST /v1/totp/confirm",
        USER,
        "reauthentication_required totp_not_configured totp_not_enabled totp_already_enabled invalid_totp_code",
        body=True,
    ),
    _route(
        "POST /v1/totp/disable",
        USER,
        "reauthentication_required totp_not_configured totp_not_enabled invalid_credentials",
        body=True,
    ),
    _route(
        "POST /v1/passkeys/register/begin",
        USER,
        "reauthentication_required passkeys_not_configured",
        body=True,
    ),
    _route(
        "POST /v1/passkeys/register/finish",
        USER,
        "reauthentication_required passkeys_not_configured invalid_ceremony_token invalid_passkey_response",
        body=True,
    ),
    _route("GET /v1/passkeys", USER, "passkeys_not_configured"),
    _route("GET /v1/passkeys/signal", USER, "passkeys_not_configured"),
    _route(
        "DELETE /v1/passkeys/{credentialID}",
        USER,
        "reauthentication_required passkeys_not_configured invalid_credentials not_found",
        body=True,
    ),
    _route("POST /v1/recovery-codes/generate", USER, "reauthentication_required recovery_codes_not_configured"),
    # API keys
    _route(
        "POST /v1/api-keys",
        USER,
        "reauthentication_required api_keys_not_configured invalid_api_key_scope invalid_api_key_ttl",
        status=201,
        body=True,
    ),
    _route("GET /v1/api-keys", USER, "api_keys_not_configured"),
    _route("DELETE /v1/api-keys/{keyID}", USER, "reauthentication_required api_keys_not_configured api_key_not_found"),
    _route("GET /v1/revocations", MACHINE, "permission_denied api_keys_not_configured", query=True),
    # Ask-AI
    _route(
        "POST /v1/ask-ai",
        USER,
        "not_configured ask_ai_widget_disabled origin_not_allowed invalid_question email_not_verified"
        " question_not_answerable ask_ai_unavailable",
        body=True,
    ),
    _route("GET /v1/ask-ai/widget", USER, "bad_request not_configured origin_not_allowed"),
    # The script that pages embed, and a page that tries it out.
    _route("GET /v1/ask-ai/ask-ai.js", PUBLIC, "not_configured", status=302, common=_COUNTED_ONLY),
    _route("GET /v1/ask-ai/ask-ai-{version}.js", PUBLIC, "not_configured", common=_COUNTED_ONLY),
    _route("GET /v1/ask-ai/demo", PUBLIC, "not_configured", common=_COUNTED_ONLY),
    _route("GET /v1/ask-ai/demo.css", PUBLIC, "not_configured", common=_COUNTED_ONLY),
    _route("GET /v1/ask-ai/demo.js", PUBLIC, "not_configured", common=_COUNTED_ONLY),
    # Operator console: reports and lists
    _route("GET /v1/admin/overview", ADMIN, query=True),
    _route("GET /v1/admin/security/hash-migration", ADMIN, query=True),
    _route("GET /v1/admin/security/mfa-adoption", ADMIN, query=True),
    _route("GET /v1/admin/oauth/health", ADMIN),
    _route("GET /v1/admin/users", ADMIN, query=True),
    _route("GET /v1/admin/user-search", ADMIN, query=True),
    _route("GET /v1/admin/users/{userID}", ADMIN, "not_found"),
    _route("GET /v1/admin/users/{userID}/sessions", ADMIN, "not_found", query=True),
    _route("GET /v1/admin/users/{userID}/factors", ADMIN, "not_found"),
    _route("GET /v1/admin/users/{userID}/api-keys", ADMIN, "not_found not_configured", query=True),
    _route("GET /v1/admin/users/{userID}/identities", ADMIN, "not_found"),
    _route("GET /v1/admin/clients", ADMIN, query=True),
    _route("GET /v1/admin/clients/{clientID}", ADMIN, "not_found", query=True),
    _route("GET /v1/admin/events", ADMIN, query=True),
    _route("GET /v1/admin/anomalies", ADMIN, query=True),
    _route("GET /v1/admin/webhooks/deliveries", ADMIN, "not_configured", query=True),
    _route("GET /v1/admin/logging/recent", ADMIN, "not_configured", query=True),
    _route("GET /v1/admin/digest", ADMIN, query=True),
    _route("GET /v1/admin/digest/history", ADMIN, "not_configured", query=True),
    _route("GET /v1/admin/support/diagnose", ADMIN, query=True),
    _route("GET /v1/admin/config-tuning", ADMIN, query=True),
    # Operator console: the three writes
    _route("GET /v1/admin/users/{userID}/metadata", ADMIN, "not_found"),
    _route(
        "PUT /v1/admin/users/{userID}/metadata/{key}",
        ADMIN,
        "not_found reserved_metadata_key invalid_metadata_key",
        body=True,
    ),
    _route(
        "DELETE /v1/admin/users/{userID}/metadata/{key}",
        ADMIN,
        "not_found reserved_metadata_key invalid_metadata_key metadata_key_not_found",
    ),
    _route(
        "PUT /v1/admin/anomalies/{eventID}",
        ADMIN,
        "audit_event_not_found invalid_review_status invalid_review_note",
        body=True,
    ),
    _route("GET /v1/admin/settings/llm-provider", ADMIN, "not_configured setting_undecryptable"),
    _route("PUT /v1/admin/settings/llm-provider", ADMIN, "not_configured invalid_llm_provider", body=True),
    _route("DELETE /v1/admin/settings/llm-provider", ADMIN, "not_configured"),
    _route("GET /v1/admin/settings/database-provider", ADMIN, "not_configured setting_undecryptable"),
    _route(
        "PUT /v1/admin/settings/database-provider",
        ADMIN,
        "not_configured invalid_database_provider database_role_not_read_only database_role_unverified",
        body=True,
    ),
    _route("DELETE /v1/admin/settings/database-provider", ADMIN, "not_configured"),
    _route("GET /v1/admin/settings/ask-ai-widget", ADMIN, "not_configured"),
    _route("PUT /v1/admin/settings/ask-ai-widget", ADMIN, "not_configured invalid_ask_ai_widget", body=True),
    _route("DELETE /v1/admin/settings/ask-ai-widget", ADMIN, "not_configured"),
    # Operator console: tests of settings, which store nothing
    _route(
        "POST /v1/admin/settings/llm-provider/test",
        ADMIN,
        "not_configured invalid_llm_provider",
        body=True,
    ),
    _route(
        "POST /v1/admin/settings/database-provider/test",
        ADMIN,
        "not_configured invalid_database_provider database_role_not_read_only database_role_unverified",
        body=True,
    ),
    _route(
        "POST /v1/admin/settings/ask-ai-widget/test",
        ADMIN,
        "not_configured invalid_ask_ai_widget",
        body=True,
    ),
    # The service's description of itself.
    _route("GET /v1/docs", PUBLIC, common=_COUNTED_ONLY),
    _route("GET /v1/docs/{name}", PUBLIC, "not_found", common=_COUNTED_ONLY),
    _route("GET /v1/openapi.json", PUBLIC, common=_COUNTED_ONLY),
    _route("GET /.well-known/jwks.json", PUBLIC, common=_STATELESS),
    _route("GET /.well-known/webauthn", PUBLIC, "not_found", common=_COUNTED_ONLY),
)

STANDALONE_ONLY = {"GET /", "GET /livez", "GET /readyz"}
"""A host project has its own page at the first path, and its own server with other probes."""

BARE_ARRAYS = {"GET /v1/sessions", "GET /v1/passkeys", "GET /v1/api-keys"}
"""The only routes whose `data` is an array."""

PAGES = {
    *STANDALONE_ONLY,
    "GET /v1/docs",
    "GET /v1/docs/{name}",
    "POST /v1/oauth/apple/return",
    "GET /v1/ask-ai/ask-ai.js",
    "GET /v1/ask-ai/ask-ai-{version}.js",
    "GET /v1/ask-ai/demo",
    "GET /v1/ask-ai/demo.css",
    "GET /v1/ask-ai/demo.js",
}
"""Pages for people. The API's description does not contain these pages."""

PLAIN_DOCUMENTS = {
    "GET /v1/openapi.json",
    "GET /.well-known/jwks.json",
    "GET /.well-known/webauthn",
    "GET /v1/totp/qr.svg",
}
"""JSON documents without the envelope, and a picture."""

# The limits that count the calls of a route, beside `edge`. Every other route has none.
LIMITS: dict[str, set[str]] = {
    "POST /v1/signup": {"signup"},
    "POST /v1/invitations/accept": {"signup"},
    "POST /v1/login": {"login", "login_ip", "login_fallback"},
    "POST /v1/refresh": {"refresh"},
    "POST /v1/login/totp": {"completion", "completion_ip"},
    "POST /v1/login/passkey/begin": {"completion", "completion_ip"},
    "POST /v1/login/passkey/finish": {"completion", "completion_ip"},
    "POST /v1/login/recovery-code": {"completion", "completion_ip", "mailbox"},
    "POST /v1/passkey-login/begin": {"login_ip"},
    "POST /v1/passkey-login/finish": {"login_ip"},
    "POST /v1/magic-link/request": {"mail", "mail_ip"},
    "POST /v1/magic-link/code": {"login_code", "login_ip"},
    "POST /v1/oauth/{}/start": {"login_ip"},
    "POST /v1/oauth/{}/complete": {"login_ip"},
    "POST /v1/oauth/apple/return": {"login_ip"},
    "POST /v1/reauthenticate": {"completion", "completion_ip"},
    "POST /v1/reauthenticate/passkey/begin": {"completion", "completion_ip"},
    "POST /v1/change-password": {"password", "mailbox"},
    "POST /v1/password/forgot": {"mail", "mail_ip"},
    "POST /v1/password/reset": {"password"},
    "POST /v1/recovery/request": {"completion", "completion_ip", "mail_ip", "mailbox"},
    "POST /v1/delete-account": {"password", "mailbox"},
    "POST /v1/email/request-change": {"mail", "mail_ip", "mail_account", "mailbox"},
    "POST /v1/email/confirm-change": {"password"},
    "POST /v1/email/undo-change": {"mail_ip"},
    "POST /v1/email/verify/request": {"mail_ip", "mail_account", "mailbox"},
    "POST /v1/email/verify/confirm": {"password"},
    "POST /v1/totp/confirm": {"mailbox"},
    "POST /v1/totp/disable": {"password", "mailbox"},
    "POST /v1/passkeys/register/finish": {"mailbox"},
    "DELETE /v1/passkeys/{}": {"password", "mailbox"},
    "POST /v1/recovery-codes/generate": {"mail_ip", "mail_account", "mailbox"},
    "POST /v1/api-keys": {"api_keys"},
    "DELETE /v1/api-keys/{}": {"api_keys"},
    "POST /v1/ask-ai": {"ask_ai", "ask_ai_ip"},
    "GET /v1/account/export": {"export"},
}

# The routes whose calls not even the limit `edge` counts.
UNLIMITED = {"GET /v1/verify", "GET /v1/health", "GET /.well-known/jwks.json", "GET /livez", "GET /readyz"}

CODES = {
    # The status, and the condition of the error.
    "bad_request": (400, "the request is malformed"),
    "password_policy_violation": (400, "the password breaks rules, which details lists"),
    "password_breached": (400, "the password is a known breached one"),
    "invalid_ceremony_token": (400, "the ceremony token is spent, expired, unknown or another ceremony's"),
    "no_passkeys_enrolled": (400, "the account has no passkey"),
    "verification_token_invalid": (400, "a mailed token is unknown, spent or void"),
    "verification_token_expired": (400, "a mailed token has expired unspent"),
    "totp_not_enabled": (400, "TOTP is off for the account"),
    "invalid_api_key_scope": (400, "a scope is malformed"),
    "invalid_api_key_ttl": (400, "the lifetime is out of bounds"),
    "invalid_question": (400, "the question is blank or too long"),
    "question_not_answerable": (400, "the question may not or cannot be answered; never says which"),
    "reserved_metadata_key": (400, "the key is a reserved claim's name"),
    "invalid_metadata_key": (400, "the key is malformed"),
    "invalid_review_status": (400, "the status of a review is none"),
    "invalid_review_note": (400, "the note of a review is no text or too long"),
    "invalid_llm_provider": (400, "the setting's body is wrong"),
    "invalid_database_provider": (400, "the setting's body is wrong"),
    "invalid_ask_ai_widget": (400, "the setting's body is wrong"),
    "database_role_not_read_only": (400, "the role could write"),
    "database_role_unverified": (400, "whether the role can write could not be found out"),
    "invalid_oauth_state": (400, "the state token is spent, expired, unknown or another flow's"),
    "oauth_failed": (400, "the provider refuses, or its answer fails a check"),
    "missing_auth_header": (401, "no Authorization header, or none of the form Bearer x"),
    "invalid_access_token": (401, "the access token is invalid or expired"),
    "invalid_dpop_proof": (401, "the proof of a key is not valid, or was used before"),
    "use_dpop_nonce": (401, "the proof of a key lacks the nonce of the service"),
    "invalid_credentials": (401, "wrong address or password, or wrong current password"),
    "invalid_token": (401, "the refresh token is invalid"),
    "token_reused": (401, "the refresh token was rotated before"),
    "invalid_totp_code": (401, "the TOTP code is wrong"),
    "invalid_pending_login": (401, "the pending token is spent, expired, void or unknown"),
    "invalid_passkey_response": (401, "the authenticator's response proves nothing"),
    "invalid_login_code": (401, "the code of a mailed link is wrong, spent, expired or tried too often"),
    "invalid_recovery_code": (401, "the recovery code is wrong or used"),
    "invalid_api_key": (401, "the API key is unknown, revoked or expired"),
    "account_locked": (403, "login while the account is locked"),
    "signup_closed": (403, "the address may not sign up"),
    "account_deactivated": (403, "the right password of a deactivated account"),
    "password_reset_required": (403, "a right password that an operator has retired"),
    "email_not_verified": (403, "a right proof of an account whose address must be verified first"),
    "reauthentication_required": (403, "the latest login or reauthentication of the session is not recent"),
    "oauth_email_unverified": (403, "the provider confirms no address of a new identity"),
    "permission_denied": (403, "the API key lacks the scope of the route"),
    "session_not_owned": (403, "the session is another user's"),
    "origin_not_allowed": (403, "the widget's origins do not hold this one"),
    "not_operator": (403, "the caller is no operator"),
    "not_found": (404, "there is nothing at this address"),
    "totp_not_configured": (404, "the feature is not set up"),
    "passkeys_not_configured": (404, "the feature is not set up"),
    "magic_link_not_configured": (404, "the feature is not set up"),
    "recovery_codes_not_configured": (404, "the feature is not set up"),
    "api_keys_not_configured": (404, "the feature is not set up"),
    "not_configured": (404, "the feature is not set up"),
    "api_key_not_found": (404, "the key is unknown, another user's or revoked"),
    "ask_ai_widget_disabled": (404, "the widget is switched off"),
    "metadata_key_not_found": (404, "the user has no such key"),
    "audit_event_not_found": (404, "the event is stale, unknown or not one to review"),
    "method_not_allowed": (405, "the address does not take the method"),
    "user_exists": (409, "the address is taken"),
    "account_in_use": (409, "rows of a host project protect the user"),
    "identity_in_use": (409, "another account has the identity"),
    "last_sign_in_method": (409, "the account would have no way to sign in"),
    "totp_already_enabled": (409, "TOTP is on already"),
    "setting_undecryptable": (409, "the stored setting was sealed under another key"),
    "length_required": (411, "a body without Content-Length"),
    "payload_too_large": (413, "a body over 64 KiB"),
    "unsupported_media_type": (415, "a body that is no JSON by its content type"),
    "rate_limited": (429, "too many requests"),
    "internal_error": (500, "an unforeseen failure"),
    "not_implemented_on_embedded_db": (501, "an operator's route on an embedded deployment"),
    "oauth_unavailable": (502, "the provider does not answer"),
    "db_unreachable": (503, "the database does not answer"),
    "ask_ai_unavailable": (503, "the model or the read-only database does not answer"),
    "overloaded": (503, "too much at once"),
}


def by_route(*callers: Auth) -> list[ParameterSet]:
    """Return the routes of these callers as parameters."""
    return [pytest.param(route, id=route.name) for route in ROUTES if route.auth in callers]


def by_code() -> list[ParameterSet]:
    """Return every code and its status as parameters."""
    return [pytest.param((code, status), id=code) for code, (status, _) in CODES.items()]
