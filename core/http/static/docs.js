"use strict";

// Swagger UI puts a link into the button that opens an operation. A screen reader cannot reach a link in a button.
// Opening an operation still sets its address.
const plainNames = ({ React }) => ({
  wrapComponents: { DeepLink: () => ({ text }) => React.createElement("span", null, text) },
});

// Swagger UI gives these controls no name for screen readers.
const NAMES = {
  ".examples-select-element": "Example",
  ".body-param__text": "Request body",
  ".close-modal": "Close",
  "#servers": "Server",
};
const nameControls = () => {
  for (const [selector, name] of Object.entries(NAMES)) {
    for (const control of document.querySelectorAll(`${selector}:not([aria-label])`)) control.setAttribute("aria-label", name);
  }
};
new MutationObserver(nameControls).observe(document.body, { childList: true, subtree: true });

SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#reference",
  plugins: [plainNames],
  deepLinking: true,
  displayRequestDuration: true,
  // The highlighter sets its own colours, which have too little contrast.
  syntaxHighlight: false,
  validatorUrl: null,
  // The page may call only its own origin, which can differ from BASE_URL, the server of the document.
  requestInterceptor: (request) => {
    const { pathname, search } = new URL(request.url, location.href);
    return Object.assign(request, { url: location.origin + pathname + search });
  },
});
