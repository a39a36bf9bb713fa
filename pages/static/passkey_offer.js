"use strict";

// Right after a login by password, a passkey manager can make a passkey without a question (conditional create). When it
// does not, nothing happens, and the person decides with the buttons of the page.
// The block keeps these names apart from those of the script of passkeys.
{
  const offer = document.querySelector("form[data-conditional]");
  const stop = new AbortController();

  async function createSilently() {
    const { conditionalCreate } = (await PublicKeyCredential.getClientCapabilities?.()) ?? {};
    if (!conditionalCreate) return;
    const fields = new URLSearchParams(new FormData(offer));
    fields.set("conditional", "1");
    const response = await fetch(offer.dataset.begin, { method: "POST", body: fields, cache: "no-store", signal: stop.signal });
    if (response.redirected) return;
    const { data } = await response.json();
    if (!data) return;
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(data.public_key);
    const credential = await navigator.credentials.create({ publicKey, mediation: "conditional", signal: stop.signal });
    offer.elements.ceremony_token.value = data.ceremony_token;
    offer.elements.credential.value = JSON.stringify(credential.toJSON());
    offer.elements.silent.value = "1";
    offer.submit();
  }

  if (offer && typeof PublicKeyCredential === "function") {
    // A browser runs one ceremony at a time. The button of the page comes first.
    offer.addEventListener("submit", () => stop.abort());
    createSilently().catch(() => {});
  }
}
