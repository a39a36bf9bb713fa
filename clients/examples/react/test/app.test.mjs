/** The application in a document of happy-dom, with a running service. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Window } from "happy-dom";

const { BASE_URL, EMAIL, PASSWORD } = process.env;
const window = new Window({ url: "http://localhost/" });
for (const name of ["window", "document", "navigator", "HTMLElement", "HTMLIFrameElement", "Node", "Event"]) {
  // Newer versions of Node have a read-only `navigator`.
  Object.defineProperty(globalThis, name, { value: name === "window" ? window : window[name] });
}
// React reads the document while its module loads.
const { mount } = await import("../dist/App.js");

const text = () => document.body.textContent;
async function shows(expected) {
  for (const deadline = Date.now() + 30_000; !text().includes(expected); await new Promise(setImmediate)) {
    assert.ok(Date.now() < deadline, `${expected} is not in ${text()}`);
  }
}
function submit(fields) {
  for (const [name, value] of Object.entries(fields)) document.querySelector(`[name=${name}]`).value = value;
  document.querySelector("form").dispatchEvent(new window.Event("submit", { bubbles: true, cancelable: true }));
}
function open() {
  const container = document.createElement("div");
  document.body.replaceChildren(container);
  return mount(container, BASE_URL, window.localStorage);
}

test("a user signs in, stays signed in after a reload, and signs out", async () => {
  let close = open();
  await shows("Sign in");

  submit({ email: EMAIL, password: "a wrong password" });
  await shows("password");
  submit({ email: EMAIL, password: PASSWORD });
  await shows(`You are ${EMAIL}.`);

  close();
  close = open();
  await shows(`You are ${EMAIL}.`);

  document.querySelector("button").click();
  await shows("Sign in");
  assert.equal(window.localStorage.length, 0);
  close();
  await window.happyDOM.close();
});
