"use strict";

const widget = document.querySelector("ask-ai");
const trouble = document.querySelector("#trouble");

function start(token) {
  for (const part of document.querySelectorAll("#login, #paste")) part.hidden = true;
  document.querySelector("#signed-in").hidden = false;
  widget.getToken = async () => token;
  widget.shadowRoot.querySelector("input").focus();
}

async function logIn(form) {
  const response = await fetch("../login", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(Object.fromEntries(new FormData(form))),
    credentials: "omit",
    cache: "no-store",
  });
  const { data, error } = await response.json();
  if (error) {
    // Another refusal has only the text of the API, which is English.
    const text = document.querySelector("#refusals").content.querySelector(`[data-code="${error.code}"]`);
    trouble.textContent = text ? text.textContent : error.message;
  } else if (data.access_token) {
    form.reset();
    start(data.access_token);
  } else {
    trouble.textContent = trouble.dataset.second;
    document.querySelector("#paste").open = true;
  }
}

document.querySelector("#login").addEventListener("submit", async (event) => {
  event.preventDefault();
  trouble.textContent = "";
  try {
    await logIn(event.target);
  } catch {
    trouble.textContent = trouble.dataset.unreachable;
  }
});

document.querySelector("#token").addEventListener("submit", (event) => {
  event.preventDefault();
  trouble.textContent = "";
  start(new FormData(event.target).get("token").trim());
});

document.querySelector("#origin").textContent = location.origin;
document.querySelector("#snippet").textContent = `<script src="${new URL("ask-ai.js", location.href).href}" defer></script>
<ask-ai></ask-ai>
<script type="module">
  document.querySelector("ask-ai").getToken = async () => currentAccessToken();
</script>`;
