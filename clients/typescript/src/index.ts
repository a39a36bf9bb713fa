/** A client of Gatehouse, an authentication service. It keeps a session alive, also across tabs. */

import type { PausedLogin, Profile, TokenPair } from "./api.js";
import { GatehouseError } from "./error.js";
import { base64url, createPasskey, usePasskey } from "./passkeys.js";
import { Prover } from "./proofs.js";
import type { Body, BodyArgument, Data, Known, Method, SignInPath } from "./routes.js";

export type * from "./api.js";
export { createPasskey, GatehouseError, usePasskey };

/** The longest wait for an answer. The service gives up earlier, so a repeated refresh does not overtake the first. */
const PATIENCE_MS = 30_000;
const RETRY_SECONDS = 1;
const RETRY_SECONDS_MAX = 10;
/** The client refreshes after this share of an access token's lifetime. */
const RENEWAL_SHARE = 0.9;

/** A place for the tokens: `localStorage`, `sessionStorage` or `memory()`. */
export type TokenStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

export interface Options {
  /** The origin of the service, such as `https://auth.example.com`. */
  baseUrl: string;
  storage: TokenStorage;
  /**
   * Sent with each request. A server that calls the service for a browser passes the browser's address and user agent.
   * A later change of the object counts too.
   */
  headers?: Readonly<Record<string, string>>;
  /**
   * Bind new sessions to a key that no script can copy (DPoP). Its tokens are then useless elsewhere. The key is in
   * IndexedDB, or with `memory()` in memory. A session that began without a key goes on without one.
   */
  keyBound?: boolean;
  /**
   * Called after the session has ended. A logout in any tab ends it, a login of another user in another tab, or a refresh
   * that the service refused.
   */
  onSignedOut?: () => void;
  /**
   * Called when a request needs a recent login. It asks the user for a proof and passes it to a method of `proof`. The
   * request is then sent once more. Requests at the same time share a call. It must send no request that needs a recent
   * login itself. Without this function, the request throws `reauthentication_required`.
   */
  onReauthenticationRequired?: (proof: Reauthentication) => Promise<unknown>;
}

/** The ways by which a signed-in user proves their identity again. A wrong proof throws a GatehouseError. */
export interface Reauthentication {
  password(password: string): Promise<void>;
  /** Prove by the six digits of an authenticator app. */
  totp(code: string): Promise<void>;
  passkey(): Promise<void>;
}

/** A login that waits for its second factor. `methods` are those of the account. */
export interface SecondFactor {
  methods: PausedLogin["methods"];
  /** Complete the login with the six digits of an authenticator app. */
  totp(code: string): Promise<void>;
  /** Complete the login with a recovery code. */
  recoveryCode(code: string): Promise<void>;
  /** Complete the login with a passkey. */
  passkey(): Promise<void>;
}

/**
 * The tokens of a session, in the form of the storage. `key` is the Idempotency-Key of the next refresh. It is stored
 * together with the tokens, so each repetition of that refresh has the same key, also after a reload and in other tabs.
 */
interface Session {
  access: string;
  refresh: string;
  key: string;
  /** Whether a refresh with the key was sent. It may still be on its way when a page was closed or reloaded. */
  isSent: boolean;
  /** A time on the client's own clock. */
  renewAt: number;
}

/** The storages that no other tab shares. */
const memories = new WeakSet<TokenStorage>();

/** Return a storage that lasts until the page is closed or reloaded. */
export function memory(): TokenStorage {
  const texts = new Map<string, string>();
  const storage = {
    getItem: (name: string) => texts.get(name) ?? null,
    setItem: (name: string, text: string) => void texts.set(name, text),
    removeItem: (name: string) => void texts.delete(name),
  };
  memories.add(storage);
  return storage;
}

/** A client with one session at most. All tabs of an origin with the same `localStorage` share the session. */
export class Gatehouse {
  readonly #baseUrl: string;
  readonly #storage: TokenStorage;
  readonly #headers: Options["headers"];
  readonly #keyBound: boolean;
  readonly #prover: Prover;
  readonly #onSignedOut: () => void;
  readonly #onReauthenticationRequired: Options["onReauthenticationRequired"];
  /** The name of the stored session, and of the lock that each change of it needs. */
  readonly #name: string;
  /** The refresh that is running in this tab. */
  #flight: Promise<void> | undefined;
  /** The reauthentication that the user was asked for. */
  #proof: Promise<unknown> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: Options) {
    const { baseUrl, storage, headers, keyBound = false, onSignedOut = () => {}, onReauthenticationRequired } = options;
    // Throws for "". With "", the path `//host` of a request would change the host.
    this.#baseUrl = new URL(baseUrl).href.replace(/\/+$/, "");
    this.#name = `gatehouse ${this.#baseUrl}`;
    this.#storage = storage;
    this.#headers = headers;
    this.#keyBound = keyBound;
    this.#prover = new Prover(memories.has(storage) ? undefined : this.#name);
    this.#onSignedOut = onSignedOut;
    this.#onReauthenticationRequired = onReauthenticationRequired;
    // The browser sends this event to all other tabs.
    globalThis.addEventListener?.("storage", ({ storageArea, key, oldValue, newValue }) => {
      if (storageArea === storage && key === this.#name && oldValue && userOf(parse(oldValue)) !== userOf(parse(newValue)))
        onSignedOut();
    });
  }

  /** Whether the client has a session. The service may have ended it. */
  get isSignedIn(): boolean {
    return this.#load() !== undefined;
  }

  /** Start a session. If the account has a second factor, return the paused login instead. */
  login(email: string, password: string): Promise<SecondFactor | undefined> {
    return this.signIn("/v1/login", { email, password });
  }

  /** Start a session by any route that answers as `POST /v1/login`, such as `/v1/magic-link/complete`. */
  signIn<const P extends string>(path: P & SignInPath<P>, body: Body<"POST", P>): Promise<SecondFactor | undefined> {
    return this.#signIn(path, body);
  }

  /**
   * Start a session with a passkey alone. `options` go to `navigator.credentials.get()`: `mediation: "conditional"`
   * offers passkeys in the autofill of a field, and `signal` ends the wait.
   */
  async signInWithPasskey(options?: CredentialRequestOptions): Promise<void> {
    const { public_key, ceremony_token } = await this.#call("POST", "/v1/passkey-login/begin", {});
    const credential = await usePasskey(public_key, options);
    await this.#signIn("/v1/passkey-login/finish", { ceremony_token, credential });
  }

  /** Make a passkey for the signed-in account. `nickname` appears in the list of passkeys. */
  async addPasskey(nickname = ""): Promise<void> {
    const { public_key, ceremony_token } = await this.request("POST", "/v1/passkeys/register/begin", {});
    const credential = await createPasskey(public_key);
    await this.request("POST", "/v1/passkeys/register/finish", { ceremony_token, credential, nickname });
  }

  /**
   * End the session. The client deletes its tokens even if this throws a GatehouseError. The session then still exists
   * at the service.
   */
  async logout(): Promise<void> {
    const session = this.#load();
    if (!session) return;
    const user = userOf(session);
    try {
      const session_id = claimsOf(await this.#tokenOf(user)).jti;
      await this.#callAs(user, "POST", "/v1/logout", { session_id });
    } catch (error) {
      if (!hasEnded(error)) throw error;
    } finally {
      await this.#locked(async () => this.#signOut(user));
    }
  }

  /** Return the signed-in account: its id, address, second factors and time of sign-up. */
  me(): Promise<Profile> {
    return this.request("GET", "/v1/me");
  }

  /** Send a request with the access token of the session, and return the payload of the answer. */
  async request<M extends Method, const P extends string>(
    method: M,
    path: P & Known<M, P>,
    ...[body]: BodyArgument<M, P>
  ): Promise<Data<M, P>> {
    // Without the slash, the path could change the host.
    if (!path.startsWith("/")) throw new TypeError("A path begins with a slash.");
    const session = this.#load();
    return session ? this.#callAs(userOf(session), method, path, body) : this.#call(method, path, body);
  }

  /**
   * Return a valid access token, after a refresh if necessary. Pass a token as `refused` when a service refused it. The
   * result is then a newer token of the same user.
   */
  async accessToken(refused?: string): Promise<string> {
    return this.#tokenOf(refused ? claimsOf(refused).sub : userOf(this.#load() ?? signedOut()), refused);
  }

  /**
   * Call `fetch` with the access token, for a service of your own. For a key-bound session, each request has a proof of the
   * key. After a 401, the request is sent once more with a newer token. So the body must not be a stream. Send it only to
   * services that you trust with the token.
   */
  async fetch(url: string | URL, init: RequestInit = {}): Promise<Response> {
    const target = new URL(url, globalThis.location?.href).href;
    const user = userOf(this.#load() ?? signedOut());
    const send = (token: string) => this.#send(target, { token, isBound: isBound(token) }, init);
    const token = await this.#tokenOf(user);
    const response = await send(token);
    return response.status === 401 ? send(await this.#tokenOf(user, token)) : response;
  }

  /** Let the user prove their identity again. The session then counts as a recent login. */
  reauthentication(): Reauthentication {
    return this.#reauthentication(userOf(this.#load()));
  }

  #reauthentication(user: string | undefined): Reauthentication {
    const prove = async (proof: object) => void (await this.#tryAs(user, "POST", "/v1/reauthenticate", proof));
    return {
      password: (password) => prove({ password }),
      totp: (code) => prove({ code }),
      passkey: async () => {
        const begun = await this.#tryAs(user, "POST", "/v1/reauthenticate/passkey/begin", {});
        await prove({ ceremony_token: begun.ceremony_token, credential: await usePasskey(begun.public_key) });
      },
    };
  }

  /** Call as the user, and once more after a reauthentication if the service demanded it. */
  async #callAs(user: string | undefined, method: string, path: string, body?: unknown): Promise<any> {
    const ask = this.#onReauthenticationRequired;
    try {
      return await this.#tryAs(user, method, path, body);
    } catch (error) {
      if (!ask || (error as GatehouseError).code !== "reauthentication_required") throw error;
    }
    this.#proof ??= (async () => ask(this.#reauthentication(user)))().finally(() => (this.#proof = undefined));
    await this.#proof;
    return this.#tryAs(user, method, path, body);
  }

  /** Call with the access token of the user, and once more after a refresh if the service refused the token. */
  async #tryAs(user: string | undefined, method: string, path: string, body?: unknown): Promise<any> {
    const send = (token: string) => this.#call(method, path, body, {}, { token, isBound: isBound(token) });
    const token = await this.#tokenOf(user);
    try {
      return await send(token);
    } catch (error) {
      if ((error as GatehouseError).code !== "invalid_access_token") throw error;
      return send(await this.#tokenOf(user, token));
    }
  }

  /**
   * Return a valid access token of the user. During each wait another user may sign in, for example in another tab. The
   * call that needs the token is not that user's, so this throws `signed_out`.
   */
  async #tokenOf(user: string | undefined, refused?: string): Promise<string> {
    const session = this.#loadFor(user);
    if (session.access !== refused && Date.now() < session.renewAt) return session.access;
    // All calls share one failure too. Otherwise each of them would wait for its own repetition in an outage.
    this.#flight ??= this.#locked(async () => {
      const current = this.#load();
      // Another token means that another tab has refreshed, and none means that the session has ended.
      if (current?.access === session.access) await this.#refresh(current);
    }).finally(() => (this.#flight = undefined));
    await this.#flight;
    return this.#loadFor(user).access;
  }

  async #signIn(path: string, body: unknown): Promise<SecondFactor | undefined> {
    const answer: PausedLogin | TokenPair = await this.#call("POST", path, body, {}, { isBound: this.#keyBound });
    if (!("pending_token" in answer)) {
      await this.#locked(async () => this.#store(answer));
      return undefined;
    }
    const { pending_token, methods } = answer;
    const complete = async (path: string, proof: object) =>
      void (await this.#signIn(`/v1/login/${path}`, { pending_token, ...proof }));
    return {
      methods,
      totp: (code) => complete("totp", { code }),
      recoveryCode: (code) => complete("recovery-code", { code }),
      passkey: async () => {
        const { public_key, ceremony_token } = await this.#call("POST", "/v1/login/passkey/begin", { pending_token });
        await complete("passkey/finish", { ceremony_token, credential: await usePasskey(public_key) });
      },
    };
  }

  /**
   * Exchange the tokens, and repeat the exchange once if no answer arrived. Needs the lock. Each repetition waits a
   * little: if it overtook the first request, the first would replace its tokens.
   */
  async #refresh(session: Session): Promise<void> {
    const user = userOf(session);
    const exchange = () =>
      this.#call(
        "POST",
        "/v1/refresh",
        { refresh_token: session.refresh },
        { "Idempotency-Key": session.key },
        { isBound: isBound(session.access) },
      );
    try {
      if (session.isSent) await sleep(RETRY_SECONDS);
      else this.#save({ ...session, isSent: true });
      const pair = await exchange().catch(async (error: GatehouseError) => {
        if (error.code !== "no_answer" && error.status !== 429 && error.status < 500) throw error;
        await sleep(Math.min(error.retryAfter ?? RETRY_SECONDS, RETRY_SECONDS_MAX));
        return exchange();
      });
      // Without Web Locks, the user may have logged out in another tab, and another one may have signed in.
      this.#loadFor(user);
      this.#store(pair);
    } catch (error) {
      if (hasEnded(error)) {
        // Without Web Locks, another tab may have refreshed with the same key.
        const current = this.#load();
        if (current && current.refresh !== session.refresh) return;
        this.#signOut(user);
      }
      throw error;
    }
  }

  #load(): Session | undefined {
    return parse(this.#storage.getItem(this.#name));
  }

  #loadFor(user: string | undefined): Session {
    const session = this.#load();
    return session && userOf(session) === user ? session : signedOut();
  }

  #store({ access_token, refresh_token }: TokenPair): void {
    const { iat, exp } = claimsOf(access_token);
    this.#save({
      access: access_token,
      refresh: refresh_token,
      key: base64url(crypto.getRandomValues(new Uint8Array(16))),
      isSent: false,
      // The two clocks may differ. The lifetime is the same on both.
      renewAt: Date.now() + (exp - iat) * 1000 * RENEWAL_SHARE,
    });
  }

  #save(session: Session): void {
    this.#storage.setItem(this.#name, JSON.stringify(session));
  }

  /** Delete the tokens of the user. The tokens of another user stay. */
  #signOut(user: string | undefined): void {
    const session = this.#load();
    if (!session || userOf(session) !== user) return;
    this.#storage.removeItem(this.#name);
    this.#onSignedOut();
  }

  /** Run the work while no other tab runs such work. Without Web Locks and with `memory()`, only this client waits. */
  #locked<T>(work: () => Promise<T>): Promise<T> {
    // Node has Web Locks too. On a server, the sessions of all users would wait for each other.
    const locks = memories.has(this.#storage) ? undefined : globalThis.navigator?.locks;
    if (locks) return locks.request(this.#name, work) as Promise<T>;
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }

  /** Fetch with the access token, if there is one, and with a proof for a token that is bound or will be. */
  #send(url: string, { token, isBound }: Sent, init: RequestInit): Promise<Response> {
    const attempt = (proof?: string) => {
      const headers = new Headers(init.headers);
      if (token) headers.set("Authorization", `${isBound ? "DPoP" : "Bearer"} ${token}`);
      if (proof) headers.set("DPoP", proof);
      return fetch(url, { ...init, headers });
    };
    return isBound ? this.#prover.send(url, token, attempt, init.method ?? "GET") : attempt();
  }

  /** Return the payload of the answer. Every failure is a GatehouseError. */
  async #call(method: string, path: string, body?: unknown, headers: object = {}, sent: Sent = {}): Promise<any> {
    // A body that is not JSON is an error of the application.
    const text = JSON.stringify(body);
    let response: Response | undefined;
    let answer: any;
    let cause: unknown;
    try {
      response = await this.#send(this.#baseUrl + path, sent, {
        method,
        body: text,
        headers: { ...this.#headers, ...(text && { "Content-Type": "application/json" }), ...headers },
        cache: "no-store",
        credentials: "omit",
        redirect: "error",
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      answer = await response.json();
    } catch (error) {
      cause = error;
    }
    const status = response?.status ?? 0;
    if (response?.ok && answer?.data !== undefined) return answer.data;
    if (!response?.ok && answer?.error) {
      const { code, message, details } = answer.error;
      const retryAfter = Number(response?.headers.get("Retry-After")) || undefined;
      throw new GatehouseError(code, message, status, details, retryAfter);
    }
    const page = globalThis.location?.origin;
    const hint =
      response || !page || page === new URL(this.#baseUrl).origin
        ? "Try again later."
        : `Does its setting CORS_ALLOWED_ORIGINS contain ${page}?`;
    const error = new GatehouseError("no_answer", `The service sent no answer. ${hint}`, status);
    error.cause = cause;
    throw error;
  }
}

/** The token of a request, and whether it or the tokens of the answer are bound to the key. */
interface Sent {
  token?: string;
  isBound?: boolean;
}

/** Return the claims without a verification: the client trusts its own service. */
function claimsOf(token: string): { iat: number; exp: number; jti: string; sub: string; cnf?: object } {
  return JSON.parse(atob(token.split(".")[1]!.replaceAll("-", "+").replaceAll("_", "/")));
}

/** Return the session of a text of the storage. */
const parse = (text: string | null): Session | undefined => (text === null ? undefined : JSON.parse(text));

const isBound = (token: string): boolean => claimsOf(token).cnf !== undefined;

const userOf = (session?: Session): string | undefined => session && claimsOf(session.access).sub;

const hasEnded = (error: unknown): boolean =>
  ["invalid_token", "token_reused"].includes((error as GatehouseError).code);

const sleep = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

function signedOut(): never {
  throw new GatehouseError("signed_out", "The user is not signed in, or no longer. Sign in.", 0);
}
