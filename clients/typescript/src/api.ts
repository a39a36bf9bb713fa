/** The types of the API's bodies and answers. `python -m tools.client_types` wrote this file. */

/** Request body of the acceptance of an invitation: the token from the mail, and the password of the new account. */
export interface AcceptInvitationInput {
  token: string;
  password?: string;
}

/** The argument of `PublicKeyCredential.signalAllAcceptedCredentials()` (WebAuthn Level 3, 5.1.10). */
export interface AcceptedPasskeys {
  rpId: string;
  userId: string;
  allAcceptedCredentialIds: string[];
}

/** Request body with the token from a mail, and the password as a proof of the account. */
export interface AccountProofInput {
  token: string;
  password?: string;
}

/** The type and the time of an event. */
export interface Activity {
  type: string;
  created_at: string;
}

/** A flagged event. `reviewer_id` and `updated_at` are missing when the event was never reviewed. */
export interface Anomaly {
  id: string;
  type: string;
  user_id: string | null;
  ip: string;
  metadata: Record<string, unknown>;
  created_at: string;
  status: "unreviewed" | "confirmed" | "dismissed";
  note: string;
  reviewer_id?: string;
  updated_at?: string;
}

/** A page of flagged events with their reviews, the newest first. `status` null means events of every status. */
export interface AnomalyPage {
  anomalies: Anomaly[];
  limit: number;
  offset: number;
  status: "unreviewed" | "confirmed" | "dismissed" | null;
  has_more: boolean;
}

/** The answer as plain text for the user, and the number of records behind it. */
export interface Answer {
  answer: string;
  row_count: number;
  language: string;
  time_zone: string;
  sentence: string;
  parts: AnswerPart[];
}

/** The answer to one part of the question, in the language of the question. */
export interface AnswerPart {
  understood: string;
  sentence: string;
  columns: string[];
  rows: string[][];
  total: number;
  is_cut: boolean;
}

/** An application with access to an account: it has a session, or the consent of the owner, or both. */
export interface Application {
  client_id: string;
  name: string;
  hosts: string[];
  scopes: string[];
  claims: string[];
  resources: string[];
  created_at: string;
  last_used_at: string | null;
  expires_at: string | null;
  survives_sign_out: boolean;
  sessions: number;
}

/** The applications with access to an account, the most recently used first. */
export interface Applications {
  applications: Application[];
  count: number;
  limit: number;
}

/** Flagged events of one network that are an attack: several accounts, an unusual rate, or a reached account. */
export interface Attack {
  network: string;
  grounds: ("signed_in" | "stopped_at_factor" | "several_accounts" | "unusual_rate")[];
  stopped_accounts: number;
  signed_in_accounts: number;
  reports: number;
  failed_logins: number;
  ip: string;
  first_at: string;
  last_at: string;
}

/** Request body that begins to register a passkey. */
export interface BeginPasskeyInput {
  conditional?: boolean;
}

/** The numbers of one hour or day in UTC. `attacks` counts reports of credential stuffing. */
export interface Bucket {
  start: string;
  logins: number;
  failed_logins: number;
  locks: number;
  anomalies: number;
  attacks: number;
  factors_added: number;
  factors_removed: number;
  hashes_upgraded: number;
  deliveries: DeliveryOutcomes | null;
}

/** A passkey ceremony: WebAuthn Level 3 options for the browser, and the token for the call that finishes it. */
export interface Ceremony {
  public_key: Record<string, unknown>;
  ceremony_token: string;
}

/** Request body of a password change. */
export interface ChangePasswordInput {
  current_password: string;
  new_password: string;
}

/** A live session of a client. `expires_at` is its end, unless the client refreshes it. */
export interface ClientSession {
  user_id: string;
  created_at: string;
  last_used_at: string;
  expires_at: string;
  survives_sign_out: boolean;
  scopes: string[];
}

/** A client with its newest live sessions. `count` is the number of listed sessions. */
export interface ClientSessions {
  client: RegisteredClient;
  sessions: ClientSession[];
  count: number;
  limit: number;
}

/** Request body with a code from the authenticator app. */
export interface CodeInput {
  code: string;
}

/** Request body that completes a login or a link: the state token, and what the provider returned. */
export interface CompleteOauthInput {
  state_token: string;
  code: string;
  state: string;
  iss?: string;
  user?: Record<string, unknown>;
}

/** Suggestions for settings, and the counts by event type on which they are based. */
export interface ConfigTuning {
  since: string;
  until: string;
  window_days: number;
  suggestions: Suggestion[];
  counts: Record<string, number>;
}

/** A new API key. `key` is the complete key, which no later call returns. */
export interface CreatedKey {
  key: string;
  notice: string;
  api_key: Key;
}

/** Request body that confirms the operation with the current password. */
export interface CurrentPasswordInput {
  current_password: string;
}

/** A page of the caller's data. The tables of all pages together are complete. */
export interface DataExport {
  user_id: string;
  email: string;
  exported_at: string;
  tables: ExportedTable[];
  next_cursor: string | null;
}

/** The read-only database setting, without its DSN. `configured` is false when no setting is stored. */
export interface DatabaseProvider {
  label: string;
  max_rows: number;
  dsn_set: boolean;
  host: string;
  database: string;
  configured: boolean;
}

/** The read-only database setting to store. */
export interface DatabaseProviderInput {
  label: string;
  dsn: string;
  max_rows?: number;
}

/** Deliveries to the webhook, sent and pending, the newest first. `status` null means deliveries of every status. */
export interface Deliveries {
  deliveries: Delivery[];
  count: number;
  limit: number;
  status: "pending" | "in_flight" | "delivered" | "failed" | null;
  statuses: ("pending" | "in_flight" | "delivered" | "failed")[];
}

/** A delivery to the webhook. */
export interface Delivery {
  id: string;
  kind: "event" | "logout";
  event_id: string;
  event_type: string;
  user_id: string | null;
  ip: string;
  payload: string;
  status: "pending" | "in_flight" | "delivered" | "failed";
  attempts: number;
  response_code?: number;
  error: string;
  duration_ms: number | null;
  created_at: string;
  next_attempt_at: string | null;
  delivered_at: string | null;
}

/** Webhook deliveries: those of the window that failed finally, and all that wait for their next attempt. */
export interface DeliveryCounts {
  failed: number;
  waiting: number;
  retrying: number;
}

/** The deliveries that were recorded in a time span, by their present state. Each number stops at 10,000. */
export interface DeliveryOutcomes {
  delivered: number;
  failed: number;
  waiting: number;
}

/** A browser (or app, or HTTP library), its operating system and the form of its hardware. */
export interface Device {
  browser: string;
  os: string;
  form: "desktop" | "mobile" | "tablet" | "bot" | "";
}

/** The facts about an address. Without an account, only `email`, `found`, `verdict` and `text` have a meaning. */
export interface Diagnosis {
  email: string;
  found: boolean;
  user_id: string | null;
  verdict: string;
  locked: boolean;
  locked_until: string | null;
  failed_attempts: number;
  active_sessions: number;
  recent_events: Activity[];
  text: string;
}

/** A rendered digest of a window. */
export interface Digest {
  since: string;
  until: string;
  window_days: number;
  text: string;
}

/** The recorded digests, the newest first. */
export interface DigestHistory {
  runs: Run[];
  count: number;
  limit: number;
}

export type EmailVerificationAnswer = VerificationSent | EmailVerified;

/** The address is verified. */
export interface EmailVerified {
  status: "email verified";
}

export type Empty = Record<string, unknown>;

/** An audit event. `ip` and `user_agent` are blank when they are unknown, or when the account was deleted. */
export interface Event {
  id: string;
  type: string;
  user_id: string | null;
  ip: string;
  user_agent: string;
  metadata: Record<string, unknown>;
  created_at: string;
}

/** A page of audit events, the newest first. */
export interface EventPage {
  events: Event[];
  limit: number;
  next_cursor: string | null;
}

/** The rows of one table about the caller. A table without such rows has none. */
export interface ExportedTable {
  name: string;
  rows: (Record<string, unknown>)[];
}

/** The counts for one kind of second factor. They count events, not users. */
export interface FactorCounts {
  factor: string;
  enrolled_events: number;
  removed_events: number;
  enrolled_events_in_window: number;
  removed_events_in_window: number;
}

/** Body of a request for a password reset. */
export interface ForgotPasswordInput {
  email: string;
}

/** An account in the list. `email_proven_at` is null while the owner has not proven the address. */
export interface FoundUser {
  id: string;
  email: string;
  created_at: string;
  updated_at: string;
  email_proven_at: string | null;
  last_sign_in_at: string | null;
  has_factor: boolean;
  operator: boolean;
  deactivated: boolean;
  failed_attempts: number;
  locked: boolean;
  locked_until: string | null;
}

/** A page of the search of users. */
export interface FoundUsers {
  users: FoundUser[];
  limit: number;
  next_cursor: string | null;
}

/** The report on rewritten password hashes. */
export interface HashMigration {
  hasher: Hasher;
  total_users: number;
  upgraded_events: number;
  estimated_remaining: number;
  window_days: number;
  upgraded_events_in_window: number;
}

/** The configuration of new hashes. Stored hashes may differ from it. */
export interface Hasher {
  algorithm: string;
  memory_kib: number;
  iterations: number;
  parallelism: number;
}

/** The result of a successful check. */
export interface Health {
  status: "ok";
}

/** The identities of an account, the oldest first. */
export interface Identities {
  identities: Identity[];
}

/** An identity at a provider. `name` is what the provider calls the person, or empty. */
export interface Identity {
  id: string;
  provider: string;
  issuer: string;
  name: string;
  created_at: string;
  last_used_at: string;
}

/** The account has the identity. */
export interface IdentityLinked {
  status: "identity linked";
}

/** The facts about an API key, without the key itself. */
export interface Key {
  id: string;
  name: string;
  prefix: string;
  scopes: string[];
  expires_at: string | null;
  expired: boolean;
  created_at: string;
}

/** The facts about the API key in the request. */
export interface KeyFacts {
  id: string;
  name: string;
  scopes: string[];
  expires_at: string | null;
}

/** Work that was due at `due_at`, but that no worker has started. */
export interface LateJob {
  job: string;
  due_at: string;
}

/** An API key in a list. `last_used_at` is written every five minutes at most. */
export interface ListedKey {
  id: string;
  name: string;
  prefix: string;
  scopes: string[];
  expires_at: string | null;
  expired: boolean;
  created_at: string;
  last_used_at: string | null;
}

/** The language model setting, without its key. `configured` is false when no setting is stored. */
export interface LlmProvider {
  kind: string;
  model: string;
  max_tokens: number;
  api_key_set: boolean;
  configured: boolean;
}

/** The language model setting to store. */
export interface LlmProviderInput {
  kind: "anthropic" | "openai" | "builtin";
  model: string;
  api_key: string;
  max_tokens?: number;
}

/** A place. A field is "" when it is unknown. */
export interface Location {
  city: string;
  region: string;
  country: string;
}

export type LoginAnswer = TokenPair | PausedLogin;

/** Request body of a login with the code of a magic link. */
export interface LoginCodeInput {
  email: string;
  code: string;
}

/** Request body of a login with a password. */
export interface LoginInput {
  email: string;
  password: string;
}

/** Request body of a logout. */
export interface LogoutInput {
  session_id: string;
}

/** Request body of a request for a magic link. */
export interface MagicLinkInput {
  email: string;
}

/** Request body with the token from a mail. */
export interface MailTokenInput {
  token: string;
}

/** Request body with the token from a mail. */
export interface MailedTokenInput {
  token: string;
}

/** The metadata of an account, and the claim names that metadata cannot use. */
export interface Metadata {
  user_id: string;
  metadata: Record<string, unknown>;
  reserved_claim_names: string[];
}

/** The new value of a metadata key: any JSON value. */
export interface MetadataInput {
  value: unknown;
}

/** The report on second factors that users added and removed. Recovery codes do not count as a factor. */
export interface MfaAdoption {
  total_users: number;
  window_days: number;
  factors: FactorCounts[];
}

/** Request body of a request to change the address. */
export interface NewEmailInput {
  new_email: string;
}

/** The API key to create. */
export interface NewKeyInput {
  name: string;
  scopes?: string[];
  expires_in_days?: number;
}

/** Request body that registers a passkey. */
export interface NewPasskeyInput {
  ceremony_token: string;
  credential: Record<string, unknown>;
  nickname?: string;
}

/** The health of every OAuth provider. */
export interface OAuthHealth {
  providers: ProviderHealth[];
}

export type OauthAnswer = TokenPair | PausedLogin | IdentityLinked;

/** A provider by which users can sign in. */
export interface OauthProvider {
  name: string;
  label: string;
}

/** The providers by which users can sign in. */
export interface OauthProviders {
  providers: OauthProvider[];
}

/** A new secret for an authenticator app, as a link or for a QR code. */
export interface Otpauth {
  otpauth_url: string;
}

/** The state of the deployment. `counts_before` has the counts of the window before, which is as long. */
export interface Overview {
  since: string;
  until: string;
  window_days: number;
  attacks: Attack[];
  unreviewed: number;
  oldest_unreviewed_at: string | null;
  deliveries: DeliveryCounts | null;
  late_jobs: LateJob[];
  locked_accounts: number;
  total_users: number;
  counts: Record<string, number>;
  counts_before: Record<string, number>;
  mfa_adoption: MfaAdoption;
  hash_migration: HashMigration;
  series: Series;
}

/** A passkey. `last_used_at` is missing when the passkey was never used. */
export interface Passkey {
  credential_id: string;
  nickname: string;
  created_at: string;
  last_used_at?: string;
  user_verified: boolean;
  signs_in_alone: boolean;
}

/** Request body that logs in with a passkey alone. */
export interface PasskeyOnlyInput {
  ceremony_token: string;
  credential: Record<string, unknown>;
}

/** Request body that confirms the operation with the account's password. */
export interface PasswordInput {
  password: string;
}

/** A login that gets no tokens before the user proves a second factor. */
export interface PausedLogin {
  second_factor_required: boolean;
  pending_token: string;
  methods: ("totp" | "passkey")[];
}

/** Request body that completes a login with an authenticator code. */
export interface PendingCodeInput {
  pending_token: string;
  code: string;
}

/** Request body that completes a login with a passkey. */
export interface PendingPasskeyInput {
  pending_token: string;
  ceremony_token: string;
  credential: Record<string, unknown>;
}

/** Request body that completes a login with a recovery code. */
export interface PendingRecoveryCodeInput {
  pending_token: string;
  code: string;
}

/** Request body that names a login that waits for a second factor. */
export interface PendingTokenInput {
  pending_token: string;
}

/** The account of the caller. */
export interface Profile {
  user_id: string;
  email: string;
  email_verified: boolean;
  factors: ("totp" | "passkey")[];
  created_at: string;
}

/** The health of an OAuth provider. `http_status` is 0 when the provider did not answer. */
export interface ProviderHealth {
  provider: string;
  configured: boolean;
  status: "ok" | "degraded" | "unreachable" | "not_configured";
  http_status?: number;
  latency_ms?: number;
}

/** The question to answer. */
export interface QuestionInput {
  question: string;
  time_zone?: string;
  language?: "en" | "de" | "fr" | "es" | "ja";
}

/** Request body of a reauthentication: a password, a code, or the response of a passkey. */
export interface ReauthenticateInput {
  password?: string;
  code?: string;
  ceremony_token?: string;
  credential?: Record<string, unknown>;
}

/** New recovery codes. No later call returns them. */
export interface RecoveryCodes {
  codes: string[];
  notice: string;
}

/** A recovery that waits. */
export interface RecoveryStarted {
  status: "recovery started";
  ready_at: string;
}

/** Request body of a refresh. */
export interface RefreshInput {
  refresh_token: string;
}

/** A client of the OpenID provider. The counts cover its newest 1,000 sessions, and 1,000 consents. */
export interface RegisteredClient {
  client_id: string;
  name: string;
  active: boolean;
  authentication: string;
  first_party: boolean;
  redirect_uris: string[];
  scopes: string[];
  backchannel_logout_uri: string;
  created_at: string;
  deactivated_at: string | null;
  sessions: number;
  people: number;
  consents: number;
  last_used_at: string | null;
}

/** The clients, the newest first. `count` is the number of entries in the answer. */
export interface RegisteredClients {
  clients: RegisteredClient[];
  count: number;
  limit: number;
}

/** Body of a password reset: the raw token from the mail, and the password that the account gets. */
export interface ResetPasswordInput {
  token: string;
  new_password: string;
}

/** An operator's review of a flagged event. `id` is the id of the event. */
export interface Review {
  id: string;
  status: "unreviewed" | "confirmed" | "dismissed";
  note: string;
  reviewer_id: string;
  updated_at: string;
}

/** The review of a flagged event. */
export interface ReviewInput {
  status: "unreviewed" | "confirmed" | "dismissed";
  note?: string;
}

/** Ids of ended sessions. An access token whose `jti` is one of them is revoked. */
export interface Revocation {
  session_ids: string[];
  expires_at: string;
}

/** The revocations since a time, the oldest first. */
export interface Revocations {
  revocations: Revocation[];
  next_since: string;
  has_more: boolean;
}

/** A recorded digest. `text` is the text that was rendered when the digest was recorded. */
export interface Run {
  id: string;
  window_start: string;
  window_end: string;
  generated_at: string;
  text: string;
}

/** The hours of a window of one day, or the days of a longer window, in UTC. The oldest is first, and the last is not over. */
export interface Series {
  unit: "hour" | "day";
  buckets: Bucket[];
}

/** A session as the account owner sees it. */
export interface Session {
  id: string;
  ip: string;
  user_agent: string;
  created_at: string;
  label: string;
  application: string;
  device: Device;
  location: Location;
  current: boolean;
}

/** The result of the test of a valid setting. `ok` is true when ask-AI works with these values. */
export interface SettingTest {
  ok: boolean;
  message: string;
}

/** A redacted line of the log. `shipped_at` is null until the collector accepts the line. */
export interface ShippedLog {
  id: string;
  level: "debug" | "info" | "warn" | "error";
  message: string;
  fields: Record<string, unknown>;
  shipped_at: string | null;
}

/** Lines of the redacted copy of the log, the newest first. `level` null means lines of every level. */
export interface ShippedLogs {
  events: ShippedLog[];
  count: number;
  limit: number;
  level: "debug" | "info" | "warn" | "error" | null;
  levels: ("debug" | "info" | "warn" | "error")[];
}

/** The new account. */
export interface Signup {
  user_id: string;
  email: string;
}

/** Request body of a sign-up. */
export interface SignupInput {
  email: string;
  password: string;
}

/** Request body that starts a login or a link. */
export interface StartOauthInput {
  redirect_uri: string;
  link?: boolean;
}

/** A flow that waits for the provider. */
export interface StartedFlow {
  authorize_url: string;
  state_token: string;
}

/** The result of the operation as text. Each operation has its own text. */
export interface Status {
  status: string;
}

/** An observation in one area of the settings, and a change to consider. */
export interface Suggestion {
  area: string;
  finding: string;
  suggestion: string;
}

/** The tokens of a session. The client keeps only the newest refresh token. */
export interface TokenPair {
  access_token: string;
  refresh_token: string;
  token_type?: "DPoP";
}

/** An account. `failed_attempts` is the number of failures that count towards the next lock. */
export interface User {
  id: string;
  email: string;
  created_at: string;
  updated_at: string;
  failed_attempts: number;
  locked: boolean;
  locked_until: string | null;
}

/** The API keys of a user that are not revoked, the newest first. `count` is the number of entries in the answer. */
export interface UserApiKeys {
  api_keys: ListedKey[];
  count: number;
  limit: number;
}

/** An account, its number of live sessions, and its latest events, the newest first. */
export interface UserDetail {
  user: User;
  active_sessions: number;
  recent_activity: Activity[];
}

/** The second factors of a user, and the number of recovery codes that replace them. */
export interface UserFactors {
  totp_enabled_at: string | null;
  passkeys: Passkey[];
  recovery_codes: number;
  lines: string[];
}

/** A page of users. `match` is `exact_email` for a search by address and `browse` for a list of all users. */
export interface UserPage {
  users: User[];
  total: number;
  limit: number;
  offset: number;
  match: "exact_email" | "browse";
  query: string;
}

/** The live sessions of a user, the newest login first. `count` is the number of entries in the answer. */
export interface UserSessions {
  sessions: Session[];
  count: number;
  limit: number;
}

/** The service mails a link. */
export interface VerificationSent {
  status: "verification sent";
}

/** The account of a valid credential. For a machine credential, the answer also describes the credential. */
export interface Verify {
  user_id: string;
  api_key?: KeyFacts;
}

/** The widget: whether users may ask, from pages of which origins, and about which entities. */
export interface Widget {
  enabled: boolean;
  allowed_origins: string[];
  entities: ("sessions" | "audit_events" | "users")[];
  greeting: string;
  placeholder: string;
}

/** The widget setting to store. */
export interface WidgetInput {
  enabled: boolean;
  allowed_origins?: string[];
  entities?: ("sessions" | "audit_events" | "users")[];
  greeting?: string;
  placeholder?: string;
}

/** The texts that the widget shows, and whether users may ask. */
export interface WidgetTexts {
  enabled: boolean;
  greeting: string;
  placeholder: string;
  examples: string[];
}

/** The body and the payload of each operation. */
export interface Routes {
  POST: {
    "/v1/signup": { body: SignupInput; data: Signup };
    "/v1/login": { body: LoginInput; data: LoginAnswer };
    "/v1/login/totp": { body: PendingCodeInput; data: TokenPair };
    "/v1/login/passkey/begin": { body: PendingTokenInput; data: Ceremony };
    "/v1/login/passkey/finish": { body: PendingPasskeyInput; data: TokenPair };
    "/v1/login/recovery-code": { body: PendingRecoveryCodeInput; data: TokenPair };
    "/v1/passkey-login/begin": { body?: undefined; data: Ceremony };
    "/v1/passkey-login/finish": { body: PasskeyOnlyInput; data: TokenPair };
    "/v1/magic-link/request": { body: MagicLinkInput; data: Empty };
    "/v1/magic-link/complete": { body: MailTokenInput; data: LoginAnswer };
    "/v1/invitations/accept": { body: AcceptInvitationInput; data: TokenPair };
    "/v1/magic-link/code": { body: LoginCodeInput; data: LoginAnswer };
    "/v1/password/forgot": { body: ForgotPasswordInput; data: Status };
    "/v1/password/reset": { body: ResetPasswordInput; data: Status };
    "/v1/recovery/request": { body: PendingTokenInput; data: RecoveryStarted };
    "/v1/recovery/cancel": { body: MailedTokenInput; data: Status };
    "/v1/recovery/complete": { body: MailedTokenInput; data: Status };
    "/v1/refresh": { body: RefreshInput; data: TokenPair };
    "/v1/oauth/{provider}/start": { body: StartOauthInput; data: StartedFlow };
    "/v1/oauth/{provider}/complete": { body: CompleteOauthInput; data: OauthAnswer };
    "/v1/reauthenticate": { body?: ReauthenticateInput; data: Status };
    "/v1/reauthenticate/passkey/begin": { body?: undefined; data: Ceremony };
    "/v1/logout": { body: LogoutInput; data: Status };
    "/v1/logout-all": { body?: undefined; data: Status };
    "/v1/change-password": { body: ChangePasswordInput; data: Status };
    "/v1/email/request-change": { body: NewEmailInput; data: Status };
    "/v1/email/confirm-change": { body: AccountProofInput; data: Status };
    "/v1/email/undo-change": { body: MailTokenInput; data: Status };
    "/v1/email/verify/request": { body?: undefined; data: EmailVerificationAnswer };
    "/v1/email/verify/confirm": { body: AccountProofInput; data: EmailVerified };
    "/v1/delete-account": { body: CurrentPasswordInput; data: Status };
    "/v1/totp/enroll": { body?: undefined; data: Otpauth };
    "/v1/totp/confirm": { body: CodeInput; data: Status };
    "/v1/totp/disable": { body: PasswordInput; data: Status };
    "/v1/passkeys/register/begin": { body?: BeginPasskeyInput; data: Ceremony };
    "/v1/passkeys/register/finish": { body: NewPasskeyInput; data: Status };
    "/v1/recovery-codes/generate": { body?: undefined; data: RecoveryCodes };
    "/v1/api-keys": { body: NewKeyInput; data: CreatedKey };
    "/v1/ask-ai": { body: QuestionInput; data: Answer };
    "/v1/admin/settings/llm-provider/test": { body: LlmProviderInput; data: SettingTest };
    "/v1/admin/settings/database-provider/test": { body: DatabaseProviderInput; data: SettingTest };
    "/v1/admin/settings/ask-ai-widget/test": { body: WidgetInput; data: SettingTest };
  };
  GET: {
    "/v1/oauth/providers": { body?: undefined; data: OauthProviders };
    "/v1/identities": { body?: undefined; data: Identities };
    "/v1/verify": { body?: undefined; data: Verify };
    "/v1/session": { body?: undefined; data: Session };
    "/v1/sessions": { body?: undefined; data: Session[] };
    "/v1/applications": { body?: undefined; data: Applications };
    "/v1/revocations": { body?: undefined; data: Revocations };
    "/v1/me": { body?: undefined; data: Profile };
    "/v1/account/export": { body?: undefined; data: DataExport };
    "/v1/passkeys": { body?: undefined; data: Passkey[] };
    "/v1/passkeys/signal": { body?: undefined; data: AcceptedPasskeys };
    "/v1/api-keys": { body?: undefined; data: ListedKey[] };
    "/v1/ask-ai/widget": { body?: undefined; data: WidgetTexts };
    "/v1/admin/overview": { body?: undefined; data: Overview };
    "/v1/admin/users": { body?: undefined; data: UserPage };
    "/v1/admin/user-search": { body?: undefined; data: FoundUsers };
    "/v1/admin/users/{user_id}": { body?: undefined; data: UserDetail };
    "/v1/admin/users/{user_id}/sessions": { body?: undefined; data: UserSessions };
    "/v1/admin/users/{user_id}/factors": { body?: undefined; data: UserFactors };
    "/v1/admin/users/{user_id}/api-keys": { body?: undefined; data: UserApiKeys };
    "/v1/admin/users/{user_id}/identities": { body?: undefined; data: Identities };
    "/v1/admin/clients": { body?: undefined; data: RegisteredClients };
    "/v1/admin/clients/{client_id}": { body?: undefined; data: ClientSessions };
    "/v1/admin/users/{user_id}/metadata": { body?: undefined; data: Metadata };
    "/v1/admin/events": { body?: undefined; data: EventPage };
    "/v1/admin/anomalies": { body?: undefined; data: AnomalyPage };
    "/v1/admin/security/hash-migration": { body?: undefined; data: HashMigration };
    "/v1/admin/security/mfa-adoption": { body?: undefined; data: MfaAdoption };
    "/v1/admin/oauth/health": { body?: undefined; data: OAuthHealth };
    "/v1/admin/support/diagnose": { body?: undefined; data: Diagnosis };
    "/v1/admin/webhooks/deliveries": { body?: undefined; data: Deliveries };
    "/v1/admin/logging/recent": { body?: undefined; data: ShippedLogs };
    "/v1/admin/digest": { body?: undefined; data: Digest };
    "/v1/admin/digest/history": { body?: undefined; data: DigestHistory };
    "/v1/admin/config-tuning": { body?: undefined; data: ConfigTuning };
    "/v1/admin/settings/llm-provider": { body?: undefined; data: LlmProvider };
    "/v1/admin/settings/database-provider": { body?: undefined; data: DatabaseProvider };
    "/v1/admin/settings/ask-ai-widget": { body?: undefined; data: Widget };
    "/v1/health": { body?: undefined; data: Health };
  };
  DELETE: {
    "/v1/identities/{identity_id}": { body?: undefined; data: Status };
    "/v1/sessions/{session_id}": { body?: undefined; data: Status };
    "/v1/applications/{client_id}": { body?: undefined; data: Status };
    "/v1/passkeys/{credential_id}": { body: PasswordInput; data: Status };
    "/v1/api-keys/{key_id}": { body?: undefined; data: Status };
    "/v1/admin/users/{user_id}/metadata/{key}": { body?: undefined; data: Metadata };
    "/v1/admin/settings/llm-provider": { body?: undefined; data: LlmProvider };
    "/v1/admin/settings/database-provider": { body?: undefined; data: DatabaseProvider };
    "/v1/admin/settings/ask-ai-widget": { body?: undefined; data: Widget };
  };
  PUT: {
    "/v1/admin/users/{user_id}/metadata/{key}": { body: MetadataInput; data: Metadata };
    "/v1/admin/anomalies/{event_id}": { body: ReviewInput; data: Review };
    "/v1/admin/settings/llm-provider": { body: LlmProviderInput; data: LlmProvider };
    "/v1/admin/settings/database-provider": { body: DatabaseProviderInput; data: DatabaseProvider };
    "/v1/admin/settings/ask-ai-widget": { body: WidgetInput; data: Widget };
  };
}
