"use strict";

// The preview shows the typed texts in the element. It has no `getToken`, so the element sends no request.
customElements.whenDefined("ask-ai").then(() => {
  const { shadowRoot } = document.querySelector("ask-ai");
  const label = shadowRoot.querySelector("label");
  const usual = label.textContent;
  const [greeting, placeholder] = ["greeting", "placeholder"].map((name) => document.getElementById(name));
  const show = () => {
    label.textContent = greeting.value || usual;
    shadowRoot.querySelector("input").placeholder = placeholder.value;
  };
  for (const field of [greeting, placeholder]) field.addEventListener("input", show);
  show();
});
