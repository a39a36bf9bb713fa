/** The access tokens that a service must refuse, although they have not expired. For Node. */

import type { Revocations } from "./api.js";
import { GatehouseError } from "./error.js";

const PATIENCE_MS = 5_000;

export interface RevocationOptions {
  /** The origin of the service, such as `https://auth.example.com`. */
  baseUrl: string;
  /** A service key with the scope `revocations:read`. */
  apiKey: string;
  /** The pause between two fetches. The default is 5. */
  seconds?: number;
  /** Called when a fetch fails. The list then stays as it was. */
  onError?: (error: unknown) => void;
}

/**
 * The ids of the access tokens whose sessions have ended. It is for a service that verifies tokens by itself.
 * `revocations.has(claims.jti)` is true for a token to refuse.
 */
export class RevocationList {
  readonly #url: string;
  readonly #apiKey: string;
  #since = "";
  #expiries = new Map<string, number>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  private constructor(baseUrl: string, apiKey: string) {
    this.#url = `${baseUrl.replace(/\/+$/, "")}/v1/revocations`;
    this.#apiKey = apiKey;
  }

  /** Fetch the list, now and then every `seconds`. Throws when the first fetch fails. */
  static async start(options: RevocationOptions): Promise<RevocationList> {
    const { baseUrl, apiKey, seconds = 5, onError = console.error } = options;
    const list = new RevocationList(baseUrl, apiKey);
    await list.#fetch();
    list.#poll(seconds * 1000, onError);
    return list;
  }

  /** Whether the access token with this `jti` belongs to a session that has ended. */
  has(tokenId: string): boolean {
    return this.#expiries.has(tokenId);
  }

  /** Stop the fetches. The list stays as it is. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  /** Fetch again after each pause. The pause begins after the fetch: of two fetches at once, one would be lost. */
  #poll(pause: number, onError: (error: unknown) => void): void {
    if (this.#isClosed) return;
    const fetch = () => this.#fetch().catch(onError).finally(() => this.#poll(pause, onError));
    this.#timer = setTimeout(fetch, pause);
    // The timer alone must not keep the process of Node alive.
    (this.#timer as unknown as { unref?: () => void }).unref?.();
  }

  async #fetch(): Promise<void> {
    const now = Date.now();
    const expiries = new Map([...this.#expiries].filter(([, expiresAt]) => expiresAt > now));
    let since = this.#since;
    let page: Revocations;
    do {
      page = await this.#page(since);
      for (const { session_ids, expires_at } of page.revocations) {
        for (const id of session_ids) expiries.set(id, Date.parse(expires_at));
      }
      since = page.next_since;
    } while (page.has_more);
    // After a failed page, the next fetch starts where this one did.
    this.#since = since;
    this.#expiries = expiries;
  }

  async #page(since: string): Promise<Revocations> {
    const query = since && `?since=${encodeURIComponent(since)}`;
    const response = await fetch(this.#url + query, {
      headers: { "X-API-Key": this.#apiKey },
      redirect: "error",
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const answer = await response.json();
    if (response.ok) return answer.data;
    throw new GatehouseError(answer.error.code, answer.error.message, response.status);
  }
}
