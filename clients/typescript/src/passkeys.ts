/**
 * WebAuthn in the JSON form of the API. Some browsers and password managers lack `parseRequestOptionsFromJSON()` and
 * `toJSON()`, so this module converts by itself.
 */

type Json = Record<string, any>;

const decode = (text: string): ArrayBuffer =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0)).buffer;

const encode = (buffer: ArrayBuffer): string => base64url(new Uint8Array(buffer));

/** Return the bytes in base64url without padding. */
export const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

const withIds = (list: Json[] = []) => list.map((one) => ({ ...one, id: decode(one.id) }));

/** Return the credential in the form that the API accepts as `credential`. */
function toJson(credential: Credential | null): Json {
  const { id, rawId, type, authenticatorAttachment, response } = credential as any;
  const parts: Json = {};
  for (const name of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]) {
    if (response[name]) parts[name] = encode(response[name]);
  }
  if (response.getTransports) parts.transports = response.getTransports();
  const clientExtensionResults = (credential as any).getClientExtensionResults();
  return { id, rawId: encode(rawId), type, authenticatorAttachment, clientExtensionResults, response: parts };
}

/** Make a passkey. `publicKey` is `public_key` of the API's answer, and the result is the API's `credential`. */
export async function createPasskey(publicKey: Json, options: CredentialCreationOptions = {}): Promise<Json> {
  const { challenge, user, excludeCredentials } = publicKey;
  const parsed = {
    ...publicKey,
    challenge: decode(challenge),
    user: { ...user, id: decode(user.id) },
    excludeCredentials: withIds(excludeCredentials),
  };
  return toJson(await navigator.credentials.create({ ...options, publicKey: parsed as any }));
}

/** Use a passkey. `publicKey` is `public_key` of the API's answer, and the result is the API's `credential`. */
export async function usePasskey(publicKey: Json, options: CredentialRequestOptions = {}): Promise<Json> {
  const { challenge, allowCredentials } = publicKey;
  const parsed = { ...publicKey, challenge: decode(challenge), allowCredentials: withIds(allowCredentials) };
  return toJson(await navigator.credentials.get({ ...options, publicKey: parsed as any }));
}
