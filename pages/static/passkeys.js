"use strict";

// A form with `data-passkey` asks the service for a ceremony and lets the browser create or use a passkey. It then sends
// the response. Without WebAuthn the form stays hidden, and the text after it with `data-without-passkey` appears.
// With `data-autofill`, the browser also offers the passkeys in the field of the address.
const isAble = typeof PublicKeyCredential === "function" && "parseRequestOptionsFromJSON" in PublicKeyCredential;

// A ceremony of the autofill is renewed at this share of its time.
const RENEWAL = 0.9;
let autofill = null;

async function begin(form) {
  const response = await fetch(form.dataset.begin, { method: "POST", body: new URLSearchParams(new FormData(form)), cache: "no-store" });
  if (response.redirected) {
    // The session ended, or the person must confirm first.
    window.location.assign(response.url);
    return null;
  }
  const answer = await response.json();
  if (answer.error) throw new Error(answer.error.message);
  return answer.data;
}

async function answer(form, ceremony) {
  if (form.dataset.passkey === "create") {
    return navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(ceremony.public_key) });
  }
  return navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(ceremony.public_key) });
}

function submit(form, ceremony, credential) {
  form.elements.ceremony_token.value = ceremony.ceremony_token;
  form.elements.credential.value = JSON.stringify(credential.toJSON());
  form.submit();
}

async function send(form) {
  const button = form.querySelector("button");
  const trouble = form.querySelector("[role=alert]");
  button.disabled = true;
  trouble.textContent = "";
  try {
    await endAutofill();
    const ceremony = await begin(form);
    if (!ceremony) return;
    submit(form, ceremony, await answer(form, ceremony));
  } catch (reason) {
    const isRefused = reason instanceof DOMException;
    trouble.textContent = isRefused ? trouble.dataset.refused : reason.message;
    button.disabled = false;
    button.focus();
    fillIn(form);
  }
}

// Browsers allow one ceremony at a time, so a button first ends the autofill.
async function endAutofill() {
  autofill?.abort.abort();
  await autofill?.ended;
}

function fillIn(form) {
  if ("autofill" in form.dataset) autofill = startAutofill(form);
}

function startAutofill(form) {
  const abort = new AbortController();
  return { abort, ended: runAutofill(form, abort.signal).catch(() => undefined) };
}

async function runAutofill(form, signal) {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return;
  while (!signal.aborted) {
    const ceremony = await begin(form);
    if (!ceremony) return;
    const renewal = AbortSignal.timeout(ceremony.public_key.timeout * RENEWAL);
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(ceremony.public_key);
    try {
      const credential = await navigator.credentials.get({ mediation: "conditional", publicKey, signal: AbortSignal.any([signal, renewal]) });
      submit(form, ceremony, credential);
      return;
    } catch (reason) {
      if (!renewal.aborted) throw reason;
    }
    // A tab in the background needs no ceremony.
    if (document.hidden) await new Promise((shown) => document.addEventListener("visibilitychange", shown, { once: true }));
  }
}

for (const form of document.querySelectorAll("form[data-passkey]")) {
  form.hidden = !isAble;
  const text = form.nextElementSibling;
  if (text && "withoutPasskey" in text.dataset) text.hidden = isAble;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form);
  });
  if (isAble) fillIn(form);
}
