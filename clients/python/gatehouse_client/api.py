"""The types of the API's bodies and answers. `python -m tools.client_types` wrote this file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, overload


class AcceptInvitationInput(TypedDict):
    """Request body of the acceptance of an invitation: the token from the mail, and the password of the new account."""

    token: str
    password: NotRequired[str]


class AcceptedPasskeys(TypedDict):
    """The argument of `PublicKeyCredential.signalAllAcceptedCredentials()` (WebAuthn Level 3, 5.1.10)."""

    rpId: str
    userId: str
    allAcceptedCredentialIds: list[str]


class AccountProofInput(TypedDict):
    """Request body with the token from a mail, and the password as a proof of the account."""

    token: str
    password: NotRequired[str]


class Activity(TypedDict):
    """The type and the time of an event."""

    type: str
    created_at: str


class Anomaly(TypedDict):
    """A flagged event. `reviewer_id` and `updated_at` are missing when the event was never reviewed."""

    id: str
    type: str
    user_id: str | None
    ip: str
    metadata: dict[str, Any]
    created_at: str
    status: Literal["unreviewed"] | Literal["confirmed"] | Literal["dismissed"]
    note: str
    reviewer_id: NotRequired[str]
    updated_at: NotRequired[str]


class AnomalyPage(TypedDict):
    """A page of flagged events with their reviews, the newest first. `status` null means events of every status."""

    anomalies: list[Anomaly]
    limit: int
    offset: int
    status: Literal["unreviewed"] | Literal["confirmed"] | Literal["dismissed"] | None
    has_more: bool


class Answer(TypedDict):
    """The answer as plain text for the user, and the number of records behind it."""

    answer: str
    row_count: int
    language: str
    time_zone: str
    sentence: str
    parts: list[AnswerPart]


class AnswerPart(TypedDict):
    """The answer to one part of the question, in the language of the question."""

    understood: str
    sentence: str
    columns: list[str]
    rows: list[list[str]]
    total: int
    is_cut: bool


class Application(TypedDict):
    """An application with access to an account: it has a session, or the consent of the owner, or both."""

    client_id: str
    name: str
    hosts: list[str]
    scopes: list[str]
    claims: list[str]
    resources: list[str]
    created_at: str
    last_used_at: str | None
    expires_at: str | None
    survives_sign_out: bool
    sessions: int


class Applications(TypedDict):
    """The applications with access to an account, the most recently used first."""

    applications: list[Application]
    count: int
    limit: int


class Attack(TypedDict):
    """Flagged events of one network that are an attack: several accounts, an unusual rate, or a reached account."""

    network: str
    grounds: list[Literal["signed_in"] | Literal["stopped_at_factor"] | Literal["several_accounts"] | Literal["unusual_rate"]]
    stopped_accounts: int
    signed_in_accounts: int
    reports: int
    failed_logins: int
    ip: str
    first_at: str
    last_at: str


class BeginPasskeyInput(TypedDict):
    """Request body that begins to register a passkey."""

    conditional: NotRequired[bool]


class Bucket(TypedDict):
    """The numbers of one hour or day in UTC. `attacks` counts reports of credential stuffing."""

    start: str
    logins: int
    failed_logins: int
    locks: int
    anomalies: int
    attacks: int
    factors_added: int
    factors_removed: int
    hashes_upgraded: int
    deliveries: DeliveryOutcomes | None


class Ceremony(TypedDict):
    """A passkey ceremony: WebAuthn Level 3 options for the browser, and the token for the call that finishes it."""

    public_key: dict[str, Any]
    ceremony_token: str


class ChangePasswordInput(TypedDict):
    """Request body of a password change."""

    current_password: str
    new_password: str


class ClientSession(TypedDict):
    """A live session of a client. `expires_at` is its end, unless the client refreshes it."""

    user_id: str
    created_at: str
    last_used_at: str
    expires_at: str
    survives_sign_out: bool
    scopes: list[str]


class ClientSessions(TypedDict):
    """A client with its newest live sessions. `count` is the number of listed sessions."""

    client: RegisteredClient
    sessions: list[ClientSession]
    count: int
    limit: int


class CodeInput(TypedDict):
    """Request body with a code from the authenticator app."""

    code: str


class CompleteOauthInput(TypedDict):
    """Request body that completes a login or a link: the state token, and what the provider returned."""

    state_token: str
    code: str
    state: str
    iss: NotRequired[str]
    user: NotRequired[dict[str, Any]]


class ConfigTuning(TypedDict):
    """Suggestions for settings, and the counts by event type on which they are based."""

    since: str
    until: str
    window_days: int
    suggestions: list[Suggestion]
    counts: dict[str, int]


class CreatedKey(TypedDict):
    """A new API key. `key` is the complete key, which no later call returns."""

    key: str
    notice: str
    api_key: Key


class CurrentPasswordInput(TypedDict):
    """Request body that confirms the operation with the current password."""

    current_password: str


class DataExport(TypedDict):
    """A page of the caller's data. The tables of all pages together are complete."""

    user_id: str
    email: str
    exported_at: str
    tables: list[ExportedTable]
    next_cursor: str | None


class DatabaseProvider(TypedDict):
    """The read-only database setting, without its DSN. `configured` is false when no setting is stored."""

    label: str
    max_rows: int
    dsn_set: bool
    host: str
    database: str
    configured: bool


class DatabaseProviderInput(TypedDict):
    """The read-only database setting to store."""

    label: str
    dsn: str
    max_rows: NotRequired[int]


class Deliveries(TypedDict):
    """Deliveries to the webhook, sent and pending, the newest first. `status` null means deliveries of every status."""

    deliveries: list[Delivery]
    count: int
    limit: int
    status: Literal["pending"] | Literal["in_flight"] | Literal["delivered"] | Literal["failed"] | None
    statuses: list[Literal["pending"] | Literal["in_flight"] | Literal["delivered"] | Literal["failed"]]


class Delivery(TypedDict):
    """A delivery to the webhook."""

    id: str
    kind: Literal["event"] | Literal["logout"]
    event_id: str
    event_type: str
    user_id: str | None
    ip: str
    payload: str
    status: Literal["pending"] | Literal["in_flight"] | Literal["delivered"] | Literal["failed"]
    attempts: int
    response_code: NotRequired[int]
    error: str
    duration_ms: int | None
    created_at: str
    next_attempt_at: str | None
    delivered_at: str | None


class DeliveryCounts(TypedDict):
    """Webhook deliveries: those of the window that failed finally, and all that wait for their next attempt."""

    failed: int
    waiting: int
    retrying: int


class DeliveryOutcomes(TypedDict):
    """The deliveries that were recorded in a time span, by their present state. Each number stops at 10,000."""

    delivered: int
    failed: int
    waiting: int


class Device(TypedDict):
    """A browser (or app, or HTTP library), its operating system and the form of its hardware."""

    browser: str
    os: str
    form: Literal["desktop"] | Literal["mobile"] | Literal["tablet"] | Literal["bot"] | Literal[""]


class Diagnosis(TypedDict):
    """The facts about an address. Without an account, only `email`, `found`, `verdict` and `text` have a meaning."""

    email: str
    found: bool
    user_id: str | None
    verdict: str
    locked: bool
    locked_until: str | None
    failed_attempts: int
    active_sessions: int
    recent_events: list[Activity]
    text: str


class Digest(TypedDict):
    """A rendered digest of a window."""

    since: str
    until: str
    window_days: int
    text: str


class DigestHistory(TypedDict):
    """The recorded digests, the newest first."""

    runs: list[Run]
    count: int
    limit: int


EmailVerificationAnswer: TypeAlias = "VerificationSent | EmailVerified"

class EmailVerified(TypedDict):
    """The address is verified."""

    status: Literal["email verified"]


Empty: TypeAlias = "dict[str, Any]"

class Event(TypedDict):
    """An audit event. `ip` and `user_agent` are blank when they are unknown, or when the account was deleted."""

    id: str
    type: str
    user_id: str | None
    ip: str
    user_agent: str
    metadata: dict[str, Any]
    created_at: str


class EventPage(TypedDict):
    """A page of audit events, the newest first."""

    events: list[Event]
    limit: int
    next_cursor: str | None


class ExportedTable(TypedDict):
    """The rows of one table about the caller. A table without such rows has none."""

    name: str
    rows: list[dict[str, Any]]


class FactorCounts(TypedDict):
    """The counts for one kind of second factor. They count events, not users."""

    factor: str
    enrolled_events: int
    removed_events: int
    enrolled_events_in_window: int
    removed_events_in_window: int


class ForgotPasswordInput(TypedDict):
    """Body of a request for a password reset."""

    email: str


class FoundUser(TypedDict):
    """An account in the list. `email_proven_at` is null while the owner has not proven the address."""

    id: str
    email: str
    created_at: str
    updated_at: str
    email_proven_at: str | None
    last_sign_in_at: str | None
    has_factor: bool
    operator: bool
    deactivated: bool
    failed_attempts: int
    locked: bool
    locked_until: str | None


class FoundUsers(TypedDict):
    """A page of the search of users."""

    users: list[FoundUser]
    limit: int
    next_cursor: str | None


class HashMigration(TypedDict):
    """The report on rewritten password hashes."""

    hasher: Hasher
    total_users: int
    upgraded_events: int
    estimated_remaining: int
    window_days: int
    upgraded_events_in_window: int


class Hasher(TypedDict):
    """The configuration of new hashes. Stored hashes may differ from it."""

    algorithm: str
    memory_kib: int
    iterations: int
    parallelism: int


class Health(TypedDict):
    """The result of a successful check."""

    status: Literal["ok"]


class Identities(TypedDict):
    """The identities of an account, the oldest first."""

    identities: list[Identity]


class Identity(TypedDict):
    """An identity at a provider. `name` is what the provider calls the person, or empty."""

    id: str
    provider: str
    issuer: str
    name: str
    created_at: str
    last_used_at: str


class IdentityLinked(TypedDict):
    """The account has the identity."""

    status: Literal["identity linked"]


class Key(TypedDict):
    """The facts about an API key, without the key itself."""

    id: str
    name: str
    prefix: str
    scopes: list[str]
    expires_at: str | None
    expired: bool
    created_at: str


class KeyFacts(TypedDict):
    """The facts about the API key in the request."""

    id: str
    name: str
    scopes: list[str]
    expires_at: str | None


class LateJob(TypedDict):
    """Work that was due at `due_at`, but that no worker has started."""

    job: str
    due_at: str


class ListedKey(TypedDict):
    """An API key in a list. `last_used_at` is written every five minutes at most."""

    id: str
    name: str
    prefix: str
    scopes: list[str]
    expires_at: str | None
    expired: bool
    created_at: str
    last_used_at: str | None


class LlmProvider(TypedDict):
    """The language model setting, without its key. `configured` is false when no setting is stored."""

    kind: str
    model: str
    max_tokens: int
    api_key_set: bool
    configured: bool


class LlmProviderInput(TypedDict):
    """The language model setting to store."""

    kind: Literal["anthropic"] | Literal["openai"] | Literal["builtin"]
    model: str
    api_key: str
    max_tokens: NotRequired[int]


class Location(TypedDict):
    """A place. A field is "" when it is unknown."""

    city: str
    region: str
    country: str


LoginAnswer: TypeAlias = "TokenPair | PausedLogin"

class LoginCodeInput(TypedDict):
    """Request body of a login with the code of a magic link."""

    email: str
    code: str


class LoginInput(TypedDict):
    """Request body of a login with a password."""

    email: str
    password: str


class LogoutInput(TypedDict):
    """Request body of a logout."""

    session_id: str


class MagicLinkInput(TypedDict):
    """Request body of a request for a magic link."""

    email: str


class MailTokenInput(TypedDict):
    """Request body with the token from a mail."""

    token: str


class MailedTokenInput(TypedDict):
    """Request body with the token from a mail."""

    token: str


class Metadata(TypedDict):
    """The metadata of an account, and the claim names that metadata cannot use."""

    user_id: str
    metadata: dict[str, Any]
    reserved_claim_names: list[str]


class MetadataInput(TypedDict):
    """The new value of a metadata key: any JSON value."""

    value: Any


class MfaAdoption(TypedDict):
    """The report on second factors that users added and removed. Recovery codes do not count as a factor."""

    total_users: int
    window_days: int
    factors: list[FactorCounts]


class NewEmailInput(TypedDict):
    """Request body of a request to change the address."""

    new_email: str


class NewKeyInput(TypedDict):
    """The API key to create."""

    name: str
    scopes: NotRequired[list[str]]
    expires_in_days: NotRequired[int]


class NewPasskeyInput(TypedDict):
    """Request body that registers a passkey."""

    ceremony_token: str
    credential: dict[str, Any]
    nickname: NotRequired[str]


class OAuthHealth(TypedDict):
    """The health of every OAuth provider."""

    providers: list[ProviderHealth]


OauthAnswer: TypeAlias = "TokenPair | PausedLogin | IdentityLinked"

class OauthProvider(TypedDict):
    """A provider by which users can sign in."""

    name: str
    label: str


class OauthProviders(TypedDict):
    """The providers by which users can sign in."""

    providers: list[OauthProvider]


class Otpauth(TypedDict):
    """A new secret for an authenticator app, as a link or for a QR code."""

    otpauth_url: str


class Overview(TypedDict):
    """The state of the deployment. `counts_before` has the counts of the window before, which is as long."""

    since: str
    until: str
    window_days: int
    attacks: list[Attack]
    unreviewed: int
    oldest_unreviewed_at: str | None
    deliveries: DeliveryCounts | None
    late_jobs: list[LateJob]
    locked_accounts: int
    total_users: int
    counts: dict[str, int]
    counts_before: dict[str, int]
    mfa_adoption: MfaAdoption
    hash_migration: HashMigration
    series: Series


class Passkey(TypedDict):
    """A passkey. `last_used_at` is missing when the passkey was never used."""

    credential_id: str
    nickname: str
    created_at: str
    last_used_at: NotRequired[str]
    user_verified: bool
    signs_in_alone: bool


class PasskeyOnlyInput(TypedDict):
    """Request body that logs in with a passkey alone."""

    ceremony_token: str
    credential: dict[str, Any]


class PasswordInput(TypedDict):
    """Request body that confirms the operation with the account's password."""

    password: str


class PausedLogin(TypedDict):
    """A login that gets no tokens before the user proves a second factor."""

    second_factor_required: bool
    pending_token: str
    methods: list[Literal["totp"] | Literal["passkey"]]


class PendingCodeInput(TypedDict):
    """Request body that completes a login with an authenticator code."""

    pending_token: str
    code: str


class PendingPasskeyInput(TypedDict):
    """Request body that completes a login with a passkey."""

    pending_token: str
    ceremony_token: str
    credential: dict[str, Any]


class PendingRecoveryCodeInput(TypedDict):
    """Request body that completes a login with a recovery code."""

    pending_token: str
    code: str


class PendingTokenInput(TypedDict):
    """Request body that names a login that waits for a second factor."""

    pending_token: str


class Profile(TypedDict):
    """The account of the caller."""

    user_id: str
    email: str
    email_verified: bool
    factors: list[Literal["totp"] | Literal["passkey"]]
    created_at: str


class ProviderHealth(TypedDict):
    """The health of an OAuth provider. `http_status` is 0 when the provider did not answer."""

    provider: str
    configured: bool
    status: Literal["ok"] | Literal["degraded"] | Literal["unreachable"] | Literal["not_configured"]
    http_status: NotRequired[int]
    latency_ms: NotRequired[int]


class QuestionInput(TypedDict):
    """The question to answer."""

    question: str
    time_zone: NotRequired[str]
    language: NotRequired[Literal["en"] | Literal["de"] | Literal["fr"] | Literal["es"] | Literal["ja"]]


class ReauthenticateInput(TypedDict):
    """Request body of a reauthentication: a password, a code, or the response of a passkey."""

    password: NotRequired[str]
    code: NotRequired[str]
    ceremony_token: NotRequired[str]
    credential: NotRequired[dict[str, Any]]


class RecoveryCodes(TypedDict):
    """New recovery codes. No later call returns them."""

    codes: list[str]
    notice: str


class RecoveryStarted(TypedDict):
    """A recovery that waits."""

    status: Literal["recovery started"]
    ready_at: str


class RefreshInput(TypedDict):
    """Request body of a refresh."""

    refresh_token: str


class RegisteredClient(TypedDict):
    """A client of the OpenID provider. The counts cover its newest 1,000 sessions, and 1,000 consents."""

    client_id: str
    name: str
    active: bool
    authentication: str
    first_party: bool
    redirect_uris: list[str]
    scopes: list[str]
    backchannel_logout_uri: str
    created_at: str
    deactivated_at: str | None
    sessions: int
    people: int
    consents: int
    last_used_at: str | None


class RegisteredClients(TypedDict):
    """The clients, the newest first. `count` is the number of entries in the answer."""

    clients: list[RegisteredClient]
    count: int
    limit: int


class ResetPasswordInput(TypedDict):
    """Body of a password reset: the raw token from the mail, and the password that the account gets."""

    token: str
    new_password: str


class Review(TypedDict):
    """An operator's review of a flagged event. `id` is the id of the event."""

    id: str
    status: Literal["unreviewed"] | Literal["confirmed"] | Literal["dismissed"]
    note: str
    reviewer_id: str
    updated_at: str


class ReviewInput(TypedDict):
    """The review of a flagged event."""

    status: Literal["unreviewed"] | Literal["confirmed"] | Literal["dismissed"]
    note: NotRequired[str]


class Revocation(TypedDict):
    """Ids of ended sessions. An access token whose `jti` is one of them is revoked."""

    session_ids: list[str]
    expires_at: str


class Revocations(TypedDict):
    """The revocations since a time, the oldest first."""

    revocations: list[Revocation]
    next_since: str
    has_more: bool


class Run(TypedDict):
    """A recorded digest. `text` is the text that was rendered when the digest was recorded."""

    id: str
    window_start: str
    window_end: str
    generated_at: str
    text: str


class Series(TypedDict):
    """The hours of a window of one day, or the days of a longer window, in UTC. The oldest is first, and the last is not over."""

    unit: Literal["hour"] | Literal["day"]
    buckets: list[Bucket]


class Session(TypedDict):
    """A session as the account owner sees it."""

    id: str
    ip: str
    user_agent: str
    created_at: str
    label: str
    application: str
    device: Device
    location: Location
    current: bool


class SettingTest(TypedDict):
    """The result of the test of a valid setting. `ok` is true when ask-AI works with these values."""

    ok: bool
    message: str


class ShippedLog(TypedDict):
    """A redacted line of the log. `shipped_at` is null until the collector accepts the line."""

    id: str
    level: Literal["debug"] | Literal["info"] | Literal["warn"] | Literal["error"]
    message: str
    fields: dict[str, Any]
    shipped_at: str | None


class ShippedLogs(TypedDict):
    """Lines of the redacted copy of the log, the newest first. `level` null means lines of every level."""

    events: list[ShippedLog]
    count: int
    limit: int
    level: Literal["debug"] | Literal["info"] | Literal["warn"] | Literal["error"] | None
    levels: list[Literal["debug"] | Literal["info"] | Literal["warn"] | Literal["error"]]


class Signup(TypedDict):
    """The new account."""

    user_id: str
    email: str


class SignupInput(TypedDict):
    """Request body of a sign-up."""

    email: str
    password: str


class StartOauthInput(TypedDict):
    """Request body that starts a login or a link."""

    redirect_uri: str
    link: NotRequired[bool]


class StartedFlow(TypedDict):
    """A flow that waits for the provider."""

    authorize_url: str
    state_token: str


class Status(TypedDict):
    """The result of the operation as text. Each operation has its own text."""

    status: str


class Suggestion(TypedDict):
    """An observation in one area of the settings, and a change to consider."""

    area: str
    finding: str
    suggestion: str


class TokenPair(TypedDict):
    """The tokens of a session. The client keeps only the newest refresh token."""

    access_token: str
    refresh_token: str
    token_type: NotRequired[Literal["DPoP"]]


class User(TypedDict):
    """An account. `failed_attempts` is the number of failures that count towards the next lock."""

    id: str
    email: str
    created_at: str
    updated_at: str
    failed_attempts: int
    locked: bool
    locked_until: str | None


class UserApiKeys(TypedDict):
    """The API keys of a user that are not revoked, the newest first. `count` is the number of entries in the answer."""

    api_keys: list[ListedKey]
    count: int
    limit: int


class UserDetail(TypedDict):
    """An account, its number of live sessions, and its latest events, the newest first."""

    user: User
    active_sessions: int
    recent_activity: list[Activity]


class UserFactors(TypedDict):
    """The second factors of a user, and the number of recovery codes that replace them."""

    totp_enabled_at: str | None
    passkeys: list[Passkey]
    recovery_codes: int
    lines: list[str]


class UserPage(TypedDict):
    """A page of users. `match` is `exact_email` for a search by address and `browse` for a list of all users."""

    users: list[User]
    total: int
    limit: int
    offset: int
    match: Literal["exact_email"] | Literal["browse"]
    query: str


class UserSessions(TypedDict):
    """The live sessions of a user, the newest login first. `count` is the number of entries in the answer."""

    sessions: list[Session]
    count: int
    limit: int


class VerificationSent(TypedDict):
    """The service mails a link."""

    status: Literal["verification sent"]


class Verify(TypedDict):
    """The account of a valid credential. For a machine credential, the answer also describes the credential."""

    user_id: str
    api_key: NotRequired[KeyFacts]


class Widget(TypedDict):
    """The widget: whether users may ask, from pages of which origins, and about which entities."""

    enabled: bool
    allowed_origins: list[str]
    entities: list[Literal["sessions"] | Literal["audit_events"] | Literal["users"]]
    greeting: str
    placeholder: str


class WidgetInput(TypedDict):
    """The widget setting to store."""

    enabled: bool
    allowed_origins: NotRequired[list[str]]
    entities: NotRequired[list[Literal["sessions"] | Literal["audit_events"] | Literal["users"]]]
    greeting: NotRequired[str]
    placeholder: NotRequired[str]


class WidgetTexts(TypedDict):
    """The texts that the widget shows, and whether users may ask."""

    enabled: bool
    greeting: str
    placeholder: str
    examples: list[str]


class TypedRequests:
    """The method `request` with the types of each operation."""

    @overload
    def request(
        self,
        method: Literal["POST"],
        path: Literal["/v1/signup"],
        body: SignupInput,
    ) -> Signup: ...

    @overload
    def request(
        self,
        method: Literal["POST"],
        path: Literal["/v1/login"],
        body: LoginInput,
    ) -> LoginAnswer: ...

    @overload
    def request(
        self,
        method: Literal["POST"],
        path: Literal["/v1/login/totp"],
        body: PendingCodeInput,
    ) -> TokenPair: ...

    @overload
    def request(
        self,
        method: Literal["POST"],
        path: Literal["/v1/login/passkey/begin"],
        body: PendingTokenInput,
    ) -> Ceremony: ...

    @overload
    def request(
        self,
        method: Literal["POST"],
        path: Literal["/v1/login/passkey/finish"],
        body: PendingPasskeyInput,
    ) -> TokenPair: ...

    @overload
    def request(
        self,
        method: Literal["POST"],
        path: Literal["/v1/login/recovery-code"],
        body: PendingRecoveryCodeInput,
    ) -> TokenPair: ...

    @overload
    def request(
        self,
        method: Literal["POST"],
        path: Literal["/v1/passkey-login/begin"],
    ) -> Ceremony: ...

    @overload
    def request(
        self,
        method: Literal["POST"],
        path: Literal["/v1/passkey-login/finish"],
        body: PasskeyOnlyInput,
    ) -> TokenPair: ...

    @overload
    def request(
        self,
        method: Literal["POST"],
        path: Literal["/v1/magic-link/request"],
        body: MagicLinkInput,
    ) -> Empty: ...

    @overload
    def request(
        self,
        method: Literal["POST"],
        path: Literal["/v1/magic-link/complete"],
        body: MailTokenInput,
    ) -> LoginAnswer: ...

    @overload
    def request(
        self,
        method: Literal["POST"],
        path: Literal["/v1/invitations/accept"],
        body: AcceptInvitationInput,
    ) -> TokenPair: ...

    @overload
    def request(
        self,
        method: Literal["POST"],
        path: Literal["/v1/magic-link/code"],
        body: LoginCodeInput,
    ) -> LoginAnswer: ...

    @overload
    def request(
        self,
        method: Literal["POST"],
        path: Literal["/v1/password/forgot"],
        body: ForgotPasswordInput,
    ) -> Status: ...

    @overload
    def request(
        self,
        method: Literal["POST"],
        path: Literal["/v1/password/reset"],
        body: ResetPasswordInput,
    ) -> Status: ...

    @overload
    def request(
        self,
        method: Literal["POST"],
        path: Literal["/v1/recovery/request"],
        body: PendingTokenInput,
    ) -> RecoveryStarted: ...

    @overload
    def request(
        self,
        method: Literal["POST"],
        path: Literal["/v1/recovery/cancel"],
        body: MailedTokenInput,
    ) -> Status: ...

    @overload
    def request(
        self,
        method: Literal["POST"],
        path: Literal["/v1/recovery/complete"],
        body: MailedTokenInput,
    ) -> Status: ...

    @overload
    def request(
        self,
        method: Literal["POST"],
        path: Literal["/v1/refresh"],
        body: RefreshInput,
    ) -> TokenPair: ...

    @overload
    def request(
        self,
        method: Literal["GET"],
        path: Literal["/v1/oauth/providers"],
    ) -> OauthProviders: ...

    @overload
    def request(
        self,
        method: Literal["POST"],
        path: Literal["/v1/oauth/{provider}/start"],
        body: StartOauthInput,
        *,
        provider: str,
    ) -> StartedFlow: ...

    @overload
    def request(
        self,
        method: Literal["POST"],
        path: Literal["/v1/oauth/{provider}/complete"],
        body: CompleteOauthInput,
        *,
        provider: str,
    ) -> OauthAnswer: ...

    @overload
    def request(
        self,
        method: Literal["GET"],
        path: Literal["/v1/identities"],
    ) -> Identities: ...

    @overload
    def request(
        self,
        method: Literal["DELETE"],
        path: Literal["/v1/identities/{identity_id}"],
        *,
        identity_id: str,
    ) -> Status: ...

    @overload
    def request(
        self,
        method: Literal["GET"],
        path: Literal["/v1/verify"],
    ) -> Verify: ...

    @overload
    def request(
        self,
        method: Literal["GET"],
        path: Literal["/v1/session"],
    ) -> Session: ...

    @overload
    def request(
        self,
        method: Literal["GET"],
        path: Literal["/v1/sessions"],
    ) -> list[Session]: ...

    @overload
    def request(
        self,
        method: Literal["DELETE"],
        path: Literal["/v1/sessions/{session_id}"],
        *,
        session_id: str,
    ) -> Status: ...

    @overload
    def request(
        self,
        method: Literal["POST"],
        path: Literal["/v1/reauthenticate"],
        body: ReauthenticateInput | None = None,
    ) -> Status: ...

    @overload
    def request(
        self,
        method: Literal["POST"],
        path: Literal["/v1/reauthenticate/passkey/begin"],
    ) -> Ceremony: ...

    @overload
    def request(
        self,
        method: Literal["POST"],
        path: Literal["/v1/logout"],
        body: LogoutInput,
    ) -> Status: ...

    @overload
    def request(
        self,
        method: Literal["POST"],
        path: Literal["/v1/logout-all"],
    ) -> Status: ...

    @overload
    def request(
        self,
        method: Literal["GET"],
        path: Literal["/v1/applications"],
    ) -> Applications: ...

    @overload
    def request(
        self,
        method: Literal["DELETE"],
        path: Literal["/v1/applications/{client_id}"],
        *,
        client_id: str,
    ) -> Status: ...

    @overload
    def request(
        self,
        method: Literal["GET"],
        path: Literal["/v1/revocations"],
        *,
        since: str = ...,
    ) -> Revocations: ...

    @overload
    def request(
        self,
        method: Literal["GET"],
        path: Literal["/v1/me"],
    ) -> Profile: ...

    @overload
    def request(
        self,
        method: Literal["GET"],
        path: Literal["/v1/account/export"],
        *,
        cursor: str = ...,
    ) -> DataExport: ...

    @overload
    def request(
        self,
        method: Literal["POST"],
        path: Literal["/v1/change-password"],
        body: ChangePasswordInput,
    ) -> Status: ...

    @overload
    def request(
        self,
        method: Literal["POST"],
        path: Literal["/v1/email/request-change"],
        body: NewEmailInput,
    ) -> Status: ...

    @overload
    def request(
        self,
        method: Literal["POST"],
        path: Literal["/v1/email/confirm-change"],
        body: AccountProofInput,
    ) -> Status: ...

    @overload
    def request(
        self,
        method: Literal["POST"],
        path: Literal["/v1/email/undo-change"],
        body: MailTokenInput,
    ) -> Status: ...

    @overload
    def request(
        self,
        method: Literal["POST"],
        path: Literal["/v1/email/verify/request"],
    ) -> EmailVerificationAnswer: ...

    @overload
    def request(
        self,
        method: Literal["POST"],
        path: Literal["/v1/email/verify/confirm"],
        body: AccountProofInput,
    ) -> EmailVerified: ...

    @overload
    def request(
        self,
        method: Literal["POST"],
        path: Literal["/v1/delete-account"],
        body: CurrentPasswordInput,
    ) -> Status: ...

    @overload
    def request(
        self,
        method: Literal["POST"],
        path: Literal["/v1/totp/enroll"],
    ) -> Otpauth: ...

    @overload
    def request(
        self,
        method: Literal["POST"],
        path: Literal["/v1/totp/confirm"],
        body: CodeInput,
    ) -> Status: ...

    @overload
    def request(
        self,
        method: Literal["POST"],
        path: Literal["/v1/totp/disable"],
        body: PasswordInput,
    ) -> Status: ...

    @overload
    def request(
        self,
        method: Literal["POST"],
        path: Literal["/v1/passkeys/register/begin"],
        body: BeginPasskeyInput | None = None,
    ) -> Ceremony: ...

    @overload
    def request(
        self,
        method: Literal["POST"],
        path: Literal["/v1/passkeys/register/finish"],
        body: NewPasskeyInput,
    ) -> Status: ...

    @overload
    def request(
        self,
        method: Literal["GET"],
        path: Literal["/v1/passkeys"],
    ) -> list[Passkey]: ...

    @overload
    def request(
        self,
        method: Literal["GET"],
        path: Literal["/v1/passkeys/signal"],
    ) -> AcceptedPasskeys: ...

    @overload
    def request(
        self,
        method: Literal["DELETE"],
        path: Literal["/v1/passkeys/{credential_id}"],
        body: PasswordInput,
        *,
        credential_id: str,
    ) -> Status: ...

    @overload
    def request(
        self,
        method: Literal["POST"],
        path: Literal["/v1/recovery-codes/generate"],
    ) -> RecoveryCodes: ...

    @overload
    def request(
        self,
        method: Literal["POST"],
        path: Literal["/v1/api-keys"],
        body: NewKeyInput,
    ) -> CreatedKey: ...

    @overload
    def request(
        self,
        method: Literal["GET"],
        path: Literal["/v1/api-keys"],
    ) -> list[ListedKey]: ...

    @overload
    def request(
        self,
        method: Literal["DELETE"],
        path: Literal["/v1/api-keys/{key_id}"],
        *,
        key_id: str,
    ) -> Status: ...

    @overload
    def request(
        self,
        method: Literal["POST"],
        path: Literal["/v1/ask-ai"],
        body: QuestionInput,
    ) -> Answer: ...

    @overload
    def request(
        self,
        method: Literal["GET"],
        path: Literal["/v1/ask-ai/widget"],
        *,
        language: Literal["en"] | Literal["de"] | Literal["fr"] | Literal["es"] | Literal["ja"] = ...,
    ) -> WidgetTexts: ...

    @overload
    def request(
        self,
        method: Literal["GET"],
        path: Literal["/v1/admin/overview"],
        *,
        window_days: int = ...,
    ) -> Overview: ...

    @overload
    def request(
        self,
        method: Literal["GET"],
        path: Literal["/v1/admin/users"],
        *,
        limit: int = ...,
        offset: int = ...,
        q: str = ...,
    ) -> UserPage: ...

    @overload
    def request(
        self,
        method: Literal["GET"],
        path: Literal["/v1/admin/user-search"],
        *,
        limit: int = ...,
        q: str = ...,
        state: Literal["locked"] | Literal["unproven"] | Literal["no_factor"] | Literal["operator"] | Literal["never_signed_in"] | Literal["deactivated"] = ...,
        provider: str = ...,
        sort: Literal["newest"] | Literal["oldest"] | Literal["address"] | Literal["last_sign_in"] = ...,
        cursor: str = ...,
    ) -> FoundUsers: ...

    @overload
    def request(
        self,
        method: Literal["GET"],
        path: Literal["/v1/admin/users/{user_id}"],
        *,
        user_id: str,
    ) -> UserDetail: ...

    @overload
    def request(
        self,
        method: Literal["GET"],
        path: Literal["/v1/admin/users/{user_id}/sessions"],
        *,
        user_id: str,
        limit: int = ...,
    ) -> UserSessions: ...

    @overload
    def request(
        self,
        method: Literal["GET"],
        path: Literal["/v1/admin/users/{user_id}/factors"],
        *,
        user_id: str,
    ) -> UserFactors: ...

    @overload
    def request(
        self,
        method: Literal["GET"],
        path: Literal["/v1/admin/users/{user_id}/api-keys"],
        *,
        user_id: str,
        limit: int = ...,
    ) -> UserApiKeys: ...

    @overload
    def request(
        self,
        method: Literal["GET"],
        path: Literal["/v1/admin/users/{user_id}/identities"],
        *,
        user_id: str,
    ) -> Identities: ...

    @overload
    def request(
        self,
        method: Literal["GET"],
        path: Literal["/v1/admin/clients"],
        *,
        limit: int = ...,
    ) -> RegisteredClients: ...

    @overload
    def request(
        self,
        method: Literal["GET"],
        path: Literal["/v1/admin/clients/{client_id}"],
        *,
        client_id: str,
        limit: int = ...,
    ) -> ClientSessions: ...

    @overload
    def request(
        self,
        method: Literal["GET"],
        path: Literal["/v1/admin/users/{user_id}/metadata"],
        *,
        user_id: str,
    ) -> Metadata: ...

    @overload
    def request(
        self,
        method: Literal["PUT"],
        path: Literal["/v1/admin/users/{user_id}/metadata/{key}"],
        body: MetadataInput,
        *,
        user_id: str,
        key: str,
    ) -> Metadata: ...

    @overload
    def request(
        self,
        method: Literal["DELETE"],
        path: Literal["/v1/admin/users/{user_id}/metadata/{key}"],
        *,
        user_id: str,
        key: str,
    ) -> Metadata: ...

    @overload
    def request(
        self,
        method: Literal["GET"],
        path: Literal["/v1/admin/events"],
        *,
        limit: int = ...,
        type: Literal["signup_success"] | Literal["login_success"] | Literal["login_failed"] | Literal["login_stopped_at_factor"] | Literal["logout"] | Literal["logout_all"] | Literal["token_rotated"] | Literal["token_reuse_detected"] | Literal["session_revoked"] | Literal["session_ended"] | Literal["reauthenticated"] | Literal["account_locked"] | Literal["account_unlocked"] | Literal["account_imported"] | Literal["password_changed"] | Literal["password_breach_rejected"] | Literal["password_hash_upgraded"] | Literal["email_change_requested"] | Literal["email_changed"] | Literal["email_change_undone"] | Literal["data_exported"] | Literal["account_deleted"] | Literal["account_deactivated"] | Literal["account_reactivated"] | Literal["account_taken_over"] | Literal["oauth_linked"] | Literal["oauth_unlinked"] | Literal["application_signed_in"] | Literal["application_disconnected"] | Literal["totp_enabled"] | Literal["totp_disabled"] | Literal["totp_challenge_failed"] | Literal["passkey_registered"] | Literal["passkey_removed"] | Literal["passkey_challenge_failed"] | Literal["second_factor_added"] | Literal["second_factor_removed"] | Literal["second_factor_failed"] | Literal["magic_link_requested"] | Literal["password_reset_requested"] | Literal["recovery_codes_generated"] | Literal["recovery_code_used"] | Literal["recovery_code_failed"] | Literal["recovery_started"] | Literal["recovery_cancelled"] | Literal["recovery_completed"] | Literal["anomaly_detected"] | Literal["credential_stuffing_detected"] | Literal["api_key_created"] | Literal["api_key_revoked"] | Literal["api_key_rejected"] | Literal["operator_signed_in"] | Literal["operator_metadata_changed"] | Literal["operator_event_reviewed"] | Literal["operator_setting_changed"] | Literal["operator_granted"] | Literal["operator_revoked"] | Literal["operator_exported"] | Literal["operator_command"] | Literal["operator_acted"] | Literal["alert_raised"] = ...,
        user: str = ...,
        ip: str = ...,
        network: str = ...,
        login_method: str = ...,
        since: str = ...,
        until: str = ...,
        cursor: str = ...,
    ) -> EventPage: ...

    @overload
    def request(
        self,
        method: Literal["GET"],
        path: Literal["/v1/admin/anomalies"],
        *,
        limit: int = ...,
        offset: int = ...,
        status: Literal["unreviewed"] | Literal["confirmed"] | Literal["dismissed"] = ...,
    ) -> AnomalyPage: ...

    @overload
    def request(
        self,
        method: Literal["PUT"],
        path: Literal["/v1/admin/anomalies/{event_id}"],
        body: ReviewInput,
        *,
        event_id: str,
    ) -> Review: ...

    @overload
    def request(
        self,
        method: Literal["GET"],
        path: Literal["/v1/admin/security/hash-migration"],
        *,
        window_days: int = ...,
    ) -> HashMigration: ...

    @overload
    def request(
        self,
        method: Literal["GET"],
        path: Literal["/v1/admin/security/mfa-adoption"],
        *,
        window_days: int = ...,
    ) -> MfaAdoption: ...

    @overload
    def request(
        self,
        method: Literal["GET"],
        path: Literal["/v1/admin/oauth/health"],
    ) -> OAuthHealth: ...

    @overload
    def request(
        self,
        method: Literal["GET"],
        path: Literal["/v1/admin/support/diagnose"],
        *,
        email: str,
    ) -> Diagnosis: ...

    @overload
    def request(
        self,
        method: Literal["GET"],
        path: Literal["/v1/admin/webhooks/deliveries"],
        *,
        limit: int = ...,
        status: Literal["pending"] | Literal["in_flight"] | Literal["delivered"] | Literal["failed"] = ...,
    ) -> Deliveries: ...

    @overload
    def request(
        self,
        method: Literal["GET"],
        path: Literal["/v1/admin/logging/recent"],
        *,
        limit: int = ...,
        level: Literal["debug"] | Literal["info"] | Literal["warn"] | Literal["error"] = ...,
    ) -> ShippedLogs: ...

    @overload
    def request(
        self,
        method: Literal["GET"],
        path: Literal["/v1/admin/digest"],
        *,
        window_days: int = ...,
    ) -> Digest: ...

    @overload
    def request(
        self,
        method: Literal["GET"],
        path: Literal["/v1/admin/digest/history"],
        *,
        limit: int = ...,
    ) -> DigestHistory: ...

    @overload
    def request(
        self,
        method: Literal["GET"],
        path: Literal["/v1/admin/config-tuning"],
        *,
        window_days: int = ...,
    ) -> ConfigTuning: ...

    @overload
    def request(
        self,
        method: Literal["GET"],
        path: Literal["/v1/admin/settings/llm-provider"],
    ) -> LlmProvider: ...

    @overload
    def request(
        self,
        method: Literal["PUT"],
        path: Literal["/v1/admin/settings/llm-provider"],
        body: LlmProviderInput,
    ) -> LlmProvider: ...

    @overload
    def request(
        self,
        method: Literal["DELETE"],
        path: Literal["/v1/admin/settings/llm-provider"],
    ) -> LlmProvider: ...

    @overload
    def request(
        self,
        method: Literal["POST"],
        path: Literal["/v1/admin/settings/llm-provider/test"],
        body: LlmProviderInput,
    ) -> SettingTest: ...

    @overload
    def request(
        self,
        method: Literal["GET"],
        path: Literal["/v1/admin/settings/database-provider"],
    ) -> DatabaseProvider: ...

    @overload
    def request(
        self,
        method: Literal["PUT"],
        path: Literal["/v1/admin/settings/database-provider"],
        body: DatabaseProviderInput,
    ) -> DatabaseProvider: ...

    @overload
    def request(
        self,
        method: Literal["DELETE"],
        path: Literal["/v1/admin/settings/database-provider"],
    ) -> DatabaseProvider: ...

    @overload
    def request(
        self,
        method: Literal["POST"],
        path: Literal["/v1/admin/settings/database-provider/test"],
        body: DatabaseProviderInput,
    ) -> SettingTest: ...

    @overload
    def request(
        self,
        method: Literal["GET"],
        path: Literal["/v1/admin/settings/ask-ai-widget"],
    ) -> Widget: ...

    @overload
    def request(
        self,
        method: Literal["PUT"],
        path: Literal["/v1/admin/settings/ask-ai-widget"],
        body: WidgetInput,
    ) -> Widget: ...

    @overload
    def request(
        self,
        method: Literal["DELETE"],
        path: Literal["/v1/admin/settings/ask-ai-widget"],
    ) -> Widget: ...

    @overload
    def request(
        self,
        method: Literal["POST"],
        path: Literal["/v1/admin/settings/ask-ai-widget/test"],
        body: WidgetInput,
    ) -> SettingTest: ...

    @overload
    def request(
        self,
        method: Literal["GET"],
        path: Literal["/v1/health"],
    ) -> Health: ...

    def request(self, method: str, path: str, body: Any = None, **parameters: Any) -> Any:
        """Send a request with the access token of the session, and return the payload of the answer.

        `parameters` fill the braces of the path. All others are the query. Without a session, the request has no token.
        Raises GatehouseError.
        """
        return self._request(method, path, body, parameters)

    def _request(self, method: str, path: str, body: Any, parameters: Mapping[str, Any]) -> Any:
        raise NotImplementedError
