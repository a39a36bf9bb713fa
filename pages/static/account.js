"use strict";

// The passkey manager of the browser learns which passkeys of the account still work. It then offers no removed one.
const list = document.querySelector("[data-accepted]");
if (list && typeof PublicKeyCredential === "function" && PublicKeyCredential.signalAllAcceptedCredentials) {
  PublicKeyCredential.signalAllAcceptedCredentials(JSON.parse(list.dataset.accepted)).catch(() => {});
}
