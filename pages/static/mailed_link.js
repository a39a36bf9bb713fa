"use strict";

// The token of a mailed link is in the fragment, which the browser does not send. This script sends it in a form. The
// service then shows what the link does, and spends nothing.
function openLink() {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (!token) return;
  // The token must not stay in the history, in a screenshot or in a copy of this address.
  history.replaceState(null, "", location.pathname);
  for (const part of document.querySelectorAll("[data-while-opening]")) part.hidden = part.dataset.whileOpening === "hide";
  const form = document.createElement("form");
  form.method = "post";
  form.hidden = true;
  const field = document.createElement("input");
  field.name = "token";
  field.value = token;
  form.append(field);
  document.body.append(form);
  form.submit();
}

// If a person opens another link in this tab, only the fragment changes, and the page does not load anew.
addEventListener("hashchange", openLink);
openLink();
