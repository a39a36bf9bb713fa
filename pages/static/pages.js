"use strict";

// The texts that this script shows. The page has them in its language.
const told = document.getElementById("told");
const texts = told.dataset;

// A button beside a password shows what was typed. Without this script the field stays a plain one.
for (const button of document.querySelectorAll("[data-reveals]")) {
  const field = document.getElementById(button.dataset.reveals);
  button.hidden = false;
  button.addEventListener("click", () => {
    const isShown = field.type === "password";
    field.type = isShown ? "text" : "password";
    button.setAttribute("aria-pressed", String(isShown));
    button.textContent = isShown ? texts.hide : texts.show;
  });
  // A browser keeps what was typed in a text field, and offers it again.
  field.form?.addEventListener("submit", () => { field.type = "password"; });
}

// A button copies the text of an element.
for (const button of document.querySelectorAll("[data-copies]")) {
  button.hidden = !navigator.clipboard;
  const label = button.textContent;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copies).innerText.trim());
    button.textContent = texts.copied;
    told.textContent = texts.copied;
    setTimeout(() => { button.textContent = label; }, 2000);
  });
}

for (const button of document.querySelectorAll("[data-prints]")) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}

// A second click must not send a form twice. A page from the history gets its buttons back.
for (const form of document.querySelectorAll("form[method=post]:not([data-passkey], [data-again])")) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "1";
    event.submitter?.setAttribute("aria-disabled", "true");
  });
}
window.addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) {
    delete form.dataset.sent;
    for (const button of form.querySelectorAll("[aria-disabled]")) button.removeAttribute("aria-disabled");
  }
});

// A menu closes by a click beside it, and by Escape.
document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll(".languages[open]")) if (!menu.contains(event.target)) menu.open = false;
});
document.addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" && event.target.closest?.(".languages[open], .menu[open]");
  if (menu) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});

// The account shows times in the zone of the device, unless the person chose another zone.
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
const isSecure = window.location.protocol === "https:" ? "; secure" : "";
document.cookie = `gatehouse-device-zone=${timeZone}; path=/; max-age=34560000; samesite=lax${isSecure}`;
