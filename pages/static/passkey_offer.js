"use strict";

// Right after a login by password, a passkey manager can make a passkey without a question (conditional create). When it
// does not, nothing happens, and the person decides with the buttons of the page.
const offered = document.querySelector("form[data-conditional]");
const stop = new AbortController();

async function createSilently() {
  const { conditionalCreate } = (await PublicKeyCredential.getClientCapabilities?.()) ?? {};
  if (!conditionalCreate) return;
  const fields = new URLSearchParams(new FormData(offered));
  fields.set("conditional", "1");
  const response = await fetch(offered.dataset.begin, { method: "POST", body: fields, cache: "no-store", signal: stop.signal });
  if (response.redirected) return;
  const { data } = await response.json();
  if (!data) return;
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(data.public_key);
  const credential = await navigator.credentials.create({ publicKey, mediation: "conditional", signal: stop.signal });
  offered.elements.ceremony_token.value = data.ceremony_token;
  offered.elements.credential.value = JSON.stringify(credential.toJSON());
  offered.elements.silent.value = "1";
  offered.submit();
}

if (offered && typeof PublicKeyCredential === "function") {
  // A browser runs one ceremony at a time. The button of the page comes first.
  offered.addEventListener("submit", () => stop.abort());
  createSilently().catch(() => {});
}
