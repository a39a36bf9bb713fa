/**
 * The sessions of browsers. A browser has a random name in an HttpOnly cookie, and this server keeps the tokens. A script
 * in the page can read neither.
 */

import { randomBytes } from "node:crypto";

import { Gatehouse, memory } from "gatehouse-client";
import { cookies, headers } from "next/headers";

const COOKIE = "__Host-session";
const LIFETIME_SECONDS = 30 * 24 * 60 * 60;
const SESSIONS_MAX = 10_000;

// Next.js can load this module several times, but there must be one map.
const sessions = (globalThis.gatehouseSessions ??= new Map());

/** Return the session of the browser, or undefined. */
export async function findSession() {
  const session = sessions.get((await cookies()).get(COOKIE)?.value);
  if (session) Object.assign(session.headers, await browserHeaders());
  return session;
}

/** Sign in and give the browser a cookie. `paused` of the session is a login that waits for its second factor. */
export async function openSession(email, password) {
  const headers = await browserHeaders();
  // All requests of a browser share this client, so that two of them never refresh at once.
  const gatehouse = new Gatehouse({ baseUrl: process.env.GATEHOUSE_URL, storage: memory(), headers });
  const paused = await gatehouse.login(email, password);
  await closeSession();
  if (sessions.size >= SESSIONS_MAX) sessions.delete(sessions.keys().next().value);
  const name = randomBytes(32).toString("base64url");
  sessions.set(name, { gatehouse, headers, paused });
  const options = { httpOnly: true, secure: true, sameSite: "lax", path: "/", maxAge: LIFETIME_SECONDS };
  (await cookies()).set(COOKIE, name, options);
}

/** Sign out here and at the service. */
export async function closeSession() {
  const jar = await cookies();
  const session = await findSession();
  sessions.delete(jar.get(COOKIE)?.value);
  jar.delete({ name: COOKIE, secure: true, path: "/" });
  // Without an answer of the service, the tokens are gone here and the session there ends by itself.
  await session?.gatehouse.logout().catch(() => {});
}

/** Return the account, or undefined when the service has ended the session. */
export async function loadAccount({ gatehouse }) {
  try {
    return await gatehouse.me();
  } catch (error) {
    if (gatehouse.isSignedIn) throw error;
  }
}

/** The service limits and lists logins by these headers, which it would otherwise get from this server. */
async function browserHeaders() {
  const given = await headers();
  return { "User-Agent": given.get("user-agent") ?? "", "X-Forwarded-For": given.get("x-forwarded-for") ?? "" };
}
