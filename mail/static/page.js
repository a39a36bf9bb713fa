"use strict";

const main = document.querySelector("main");
const trouble = document.querySelector("#trouble");
const copied = document.querySelector("#copied");
const errors = document.querySelector("template").content;
const buttons = document.querySelector("#buttons");
let token = "";

function show(id) {
  for (const section of main.querySelectorAll("section")) section.hidden = section.id !== id;
  if (buttons) buttons.hidden = id === "done" || id === "paused";
  trouble.textContent = copied.textContent = "";
  document.querySelector(`#${id} [tabindex]`)?.focus();
}

function start() {
  // Apple returns its answer in the fragment, the other providers in the query.
  const returned = new URLSearchParams(location.search || location.hash.slice(1));
  const flow = sessionStorage.getItem("flow");
  if (buttons && flow && returned.has("state")) {
    const page = location.origin + location.pathname;
    history.replaceState(null, "", location.pathname);
    sessionStorage.removeItem("flow");
    completeAtProvider(JSON.parse(flow), returned, page);
    return;
  }
  token = new URLSearchParams(location.hash.slice(1)).get("token") ?? "";
  // The token must not stay in the history, in a screenshot or in a copy of this address.
  history.replaceState(null, "", location.pathname);
  show(token ? "ask" : main.querySelector("#forgot") ? "forgot" : "lost");
}

function fill(data) {
  for (const field of main.querySelectorAll("[data-field]")) field.textContent = data[field.dataset.field] ?? "";
  for (const item of main.querySelectorAll("[data-method]")) item.hidden = !data.methods?.includes(item.dataset.method);
}

async function post(endpoint, fields) {
  const response = await fetch(endpoint, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(fields),
    credentials: "omit",
    cache: "no-store",
  });
  return { status: response.status, body: await response.json() };
}

function send(form) {
  // An optional field that is empty is left out.
  const fields = Object.fromEntries([...new FormData(form)].filter(([, value]) => value));
  return post(form.dataset.endpoint ?? main.dataset.endpoint, form.dataset.endpoint ? fields : { token, ...fields });
}

async function startAtProvider(button) {
  button.disabled = true;
  trouble.textContent = "";
  try {
    const page = button.dataset.page;
    const { body } = await post(button.dataset.start, { redirect_uri: page });
    if (body.data) {
      const flow = { endpoint: button.dataset.complete, page, state_token: body.data.state_token };
      sessionStorage.setItem("flow", JSON.stringify(flow));
      location.assign(body.data.authorize_url);
    } else {
      trouble.textContent = explain(body.error);
    }
  } catch {
    trouble.textContent = trouble.dataset.text;
  } finally {
    button.disabled = false;
  }
}

async function completeAtProvider(flow, returned, page) {
  if (page !== flow.page) {
    // Each provider returns to a path of its own. Here, one provider has passed on the answer of another.
    fill({ message: explain({ code: "invalid_oauth_state" }) });
    show("failed");
    return;
  }
  const fields = { state_token: flow.state_token, code: returned.get("code") ?? "", state: returned.get("state") };
  if (returned.has("iss")) fields.iss = returned.get("iss");
  try {
    if (returned.has("user")) fields.user = JSON.parse(returned.get("user"));
    const { body } = await post(flow.endpoint, fields);
    fill(body.data ?? { message: explain(body.error) });
    show(!body.data ? "failed" : body.data.second_factor_required ? "paused" : "done");
  } catch {
    fill({ message: trouble.dataset.text });
    show("failed");
  }
}

/** Tells whether the user can try again with the same link. */
function canRetry(form, status, code) {
  const isInputWrong = form.querySelector("input") && !/^(verification_token_.*|user_exists|signup_closed)$/.test(code);
  return status === 429 || status >= 500 || isInputWrong;
}

/** Returns the page's text for the error, in the page's language, or the API's message, which is English. */
function explain(error) {
  if (!error.details) return errors.querySelector(`[data-error="${error.code}"]`)?.textContent ?? error.message;
  const broken = error.details.map((rule) => main.querySelector(`[data-rule="${rule}"]`)?.textContent ?? rule);
  return `${trouble.dataset.rules} ${broken.join(", ")}.`;
}

async function complete(form) {
  const button = form.querySelector("button");
  button.disabled = true;
  trouble.textContent = "";
  try {
    const { status, body } = await send(form);
    if (body.data) {
      form.reset();
      for (const box of form.querySelectorAll("[data-reveals]")) reveal(box);
      fill(body.data);
      show(body.data.second_factor_required ? "paused" : form.dataset.next);
    } else if (canRetry(form, status, body.error.code)) {
      trouble.textContent = explain(body.error);
    } else {
      fill({ message: explain(body.error) });
      show("failed");
    }
  } catch {
    trouble.textContent = trouble.dataset.text;
  } finally {
    button.disabled = false;
    // A disabled button loses the focus. After an error the user corrects the field or presses the button again.
    if (trouble.textContent) (form.querySelector("input") ?? button).focus();
  }
}

async function copy(name) {
  const field = main.querySelector(`[data-field="${name}"]`);
  field.select();
  // Without TLS the browser offers no clipboard. The user then copies the selected text.
  await navigator.clipboard?.writeText(field.value);
  copied.textContent = navigator.clipboard ? copied.dataset.text : "";
}

function reveal(box) {
  main.querySelector(`[name="${box.dataset.reveals}"]`).type = box.checked ? "text" : "password";
}

for (const form of main.querySelectorAll("form")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    complete(form);
  });
}
for (const button of buttons?.querySelectorAll("button") ?? []) button.addEventListener("click", () => startAtProvider(button));
for (const opener of main.querySelectorAll("[data-shows]")) opener.addEventListener("click", () => show(opener.dataset.shows));
for (const copier of main.querySelectorAll("[data-copies]")) copier.addEventListener("click", () => copy(copier.dataset.copies));
for (const box of main.querySelectorAll("[data-reveals]")) box.addEventListener("change", () => reveal(box));
// If the user opens another link in this tab, only the fragment changes, and the page does not reload.
addEventListener("hashchange", start);
start();
