/** This module must compile. Each line after `@ts-expect-error` must not. */

import { Gatehouse, memory, type Session, type TokenStorage, type UserPage } from "../dist/index.js";

const client = new Gatehouse({ baseUrl: "https://auth.example.com", storage: localStorage });
const storage: TokenStorage = memory();
const id: string = crypto.randomUUID();

const { email_verified: isVerified, factors } = await client.me();
const hasPasskey: boolean = factors.includes("passkey");
const sessions: Session[] = await client.request("GET", "/v1/sessions");
const users: UserPage = await client.request("GET", "/v1/admin/users?limit=5");
const { status } = await client.request("DELETE", `/v1/sessions/${id}`);
const { metadata } = await client.request("PUT", `/v1/admin/users/${id}/metadata/plan`, { value: "free" });
await client.request("POST", "/v1/logout-all");
await client.signIn("/v1/magic-link/complete", { token: "…" });
await client.signIn("/v1/oauth/google/complete", { state_token: "…", code: "…", state: "…" });
const paused = await client.login("alice@example.com", "correct horse battery");
if (paused?.methods.includes("passkey")) await paused.passkey();

// @ts-expect-error: no such path
await client.request("GET", "/v1/account");
// @ts-expect-error: the path has another method
await client.request("POST", "/v1/sessions");
// @ts-expect-error: one segment too many
await client.request("DELETE", `/v1/sessions/${id}/devices`);
// @ts-expect-error: the body is missing
await client.request("POST", "/v1/signup");
// @ts-expect-error: the body lacks the password
await client.request("POST", "/v1/signup", { email: "alice@example.com" });
// @ts-expect-error: the route answers no tokens
await client.signIn("/v1/magic-link/request", { email: "alice@example.com" });

export { hasPasskey, isVerified, metadata, sessions, status, storage, users };
