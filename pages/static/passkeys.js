"use strict";

// A form with `data-passkey` asks the service for a ceremony and lets the browser create or use a passkey. It then sends
// the response. Without WebAuthn the form stays hidden, and the text after it with `data-without-passkey` appears.
const isAble = typeof PublicKeyCredential === "function" && "parseRequestOptionsFromJSON" in PublicKeyCredential;

async function begin(form) {
  const response = await fetch(form.dataset.begin, { method: "POST", body: new URLSearchParams(new FormData(form)), cache: "no-store" });
  if (response.redirected) {
    // The session ended, or the operator must confirm first.
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

async function send(form) {
  const button = form.querySelector("button");
  const trouble = form.querySelector("[role=alert]");
  button.disabled = true;
  trouble.textContent = "";
  try {
    const ceremony = await begin(form);
    if (!ceremony) return;
    const credential = await answer(form, ceremony);
    form.elements.ceremony_token.value = ceremony.ceremony_token;
    form.elements.credential.value = JSON.stringify(credential.toJSON());
    form.submit();
  } catch (reason) {
    const isRefused = reason instanceof DOMException;
    trouble.textContent = isRefused ? trouble.dataset.refused : reason.message;
    button.disabled = false;
    button.focus();
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
}
