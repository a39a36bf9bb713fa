"use strict";

const main = document.querySelector("main");
const button = document.querySelector("#ask button");
const form = document.querySelector("#ask form");
const trouble = document.querySelector("#trouble");
const copied = document.querySelector("#copied");
let token = "";

function show(id) {
  for (const section of main.querySelectorAll("section")) section.hidden = section.id !== id;
  trouble.textContent = copied.textContent = "";
  document.querySelector(`#${id} [tabindex]`)?.focus();
}

function start() {
  token = new URLSearchParams(location.hash.slice(1)).get("token") ?? "";
  // The token must not stay in the history, in a screenshot or in a copy of this address.
  history.replaceState(null, "", location.pathname);
  show(token ? "ask" : "lost");
}

function fill(data) {
  for (const field of main.querySelectorAll("[data-field]")) field.textContent = data[field.dataset.field] ?? "";
  for (const item of main.querySelectorAll("[data-method]")) item.hidden = !data.methods?.includes(item.dataset.method);
}

async function send() {
  const response = await fetch(main.dataset.endpoint, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ token, ...(form && Object.fromEntries(new FormData(form))) }),
    credentials: "omit",
    cache: "no-store",
  });
  return { status: response.status, body: await response.json() };
}

async function complete() {
  button.disabled = true;
  trouble.textContent = "";
  try {
    const { status, body } = await send();
    if (body.data) {
      fill(body.data);
      show(body.data.second_factor_required ? "paused" : "done");
    } else if (status === 401 || status === 429 || status >= 500) {
      // The link is not used up: the user can try again.
      trouble.textContent = body.error.message;
    } else {
      fill(body.error);
      show("failed");
    }
  } catch {
    trouble.textContent = trouble.dataset.text;
  } finally {
    button.disabled = false;
    // A disabled button loses the focus. After an error the user presses the button again.
    if (trouble.textContent) button.focus();
  }
}

async function copy(name) {
  const field = main.querySelector(`[data-field="${name}"]`);
  field.select();
  // Without TLS the browser offers no clipboard. The user then copies the selected text.
  await navigator.clipboard?.writeText(field.value);
  copied.textContent = navigator.clipboard ? copied.dataset.text : "";
}

if (form) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    complete();
  });
} else {
  button.addEventListener("click", complete);
}
for (const copier of main.querySelectorAll("[data-copies]")) copier.addEventListener("click", () => copy(copier.dataset.copies));
// If the user opens another link in this tab, only the fragment changes, and the page does not reload.
addEventListener("hashchange", start);
start();
