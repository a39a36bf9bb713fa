/** Proofs of a key that no script can copy (DPoP, RFC 9449). */

import { base64url } from "./passkeys.js";

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const STORE = "keys";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const encode = (value: unknown) => base64url(bytesOf(JSON.stringify(value)));

const makeKey = (): Promise<CryptoKeyPair> => crypto.subtle.generateKey(ALGORITHM, false, ["sign", "verify"]);

/** Return the result of the request of IndexedDB. */
const resultOf = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** Return the key with this name. The first call of all tabs makes it. Only the browser has its private part. */
async function storedKey(name: string): Promise<CryptoKeyPair> {
  const opening = indexedDB.open("gatehouse", 1);
  opening.onupgradeneeded = () => void opening.result.createObjectStore(STORE);
  const database = await resultOf(opening);
  const keys = () => database.transaction(STORE, "readwrite").objectStore(STORE);
  try {
    const found: CryptoKeyPair | undefined = await resultOf(keys().get(name));
    if (found) return found;
    const made = await makeKey();
    // When another tab has added one meanwhile, that one stays.
    await resultOf(keys().add(made, name)).catch(() => {});
    return await resultOf(keys().get(name));
  } finally {
    database.close();
  }
}

/** The key of a client, and the nonces that servers want in its proofs. */
export class Prover {
  #pair: Promise<CryptoKeyPair> | undefined;
  readonly #nonces = new Map<string, string>();

  /** Without a name, or without IndexedDB, the key lasts as long as this object. */
  constructor(readonly name?: string) {}

  /** Return a proof for one request. `token` is the access token that the request contains. */
  async proof(method: string, url: string, token?: string): Promise<string> {
    this.#pair ??= this.name && globalThis.indexedDB ? storedKey(this.name) : makeKey();
    const { publicKey, privateKey } = await this.#pair.catch((error) => {
      this.#pair = undefined;
      throw error;
    });
    const { kty, crv, x, y } = await crypto.subtle.exportKey("jwk", publicKey);
    const { origin, pathname } = new URL(url);
    const header = { typ: "dpop+jwt", alg: "ES256", jwk: { kty, crv, x, y } };
    const claims = {
      jti: crypto.randomUUID(),
      htm: method,
      htu: origin + pathname,
      iat: Math.floor(Date.now() / 1000),
      nonce: this.#nonces.get(origin),
      ath: token && base64url(new Uint8Array(await crypto.subtle.digest("SHA-256", bytesOf(token)))),
    };
    const signed = `${encode(header)}.${encode(claims)}`;
    return `${signed}.${base64url(new Uint8Array(await crypto.subtle.sign(ALGORITHM, privateKey, bytesOf(signed))))}`;
  }

  /** Send a request with a proof. Send it once more when the server wants another nonce. */
  async send(url: string, token: string | undefined, attempt: (proof: string) => Promise<Response>, method: string) {
    const response = await attempt(await this.proof(method, url, token));
    if (!this.#learn(url, response) || response.status !== 401) return response;
    const again = await attempt(await this.proof(method, url, token));
    this.#learn(url, again);
    return again;
  }

  /** Keep the nonce of the response, and return whether it is new. */
  #learn(url: string, response: Response): boolean {
    const nonce = response.headers.get("DPoP-Nonce");
    const { origin } = new URL(url);
    if (!nonce || nonce === this.#nonces.get(origin)) return false;
    this.#nonces.set(origin, nonce);
    return true;
  }
}
