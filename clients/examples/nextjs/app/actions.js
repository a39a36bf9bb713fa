"use server";

import { redirect } from "next/navigation";

import { closeSession, findSession, openSession } from "../lib/session";

export async function signIn(_before, form) {
  return attempt(() => openSession(String(form.get("email")), String(form.get("password"))));
}

/** Complete a login that waits for the code of an authenticator app. */
export async function prove(_before, form) {
  return attempt(async () => {
    const session = await findSession();
    await session?.paused?.totp(String(form.get("code")));
    if (session) delete session.paused;
  });
}

export async function signOut() {
  await closeSession();
  redirect("/");
}

/** Do the work and show the page again. Return the message of an error. */
async function attempt(work) {
  try {
    await work();
  } catch (error) {
    // The login waited too long, or had too many wrong codes.
    if (error.code === "invalid_pending_login") await closeSession();
    return error.message;
  }
  redirect("/");
}
