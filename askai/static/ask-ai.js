"use strict";

// The element <ask-ai>: a signed-in user asks about the user's own sessions and events. docs/ask-ai.md describes it.
// Every text from the service becomes a text node, so it can never be markup or code.
(() => {
  if (customElements.get("ask-ai")) return;

  const HOME = new URL(".", document.currentScript?.src ?? `${location.origin}/v1/ask-ai/`).href;
  const TIMEOUT_MS = 30_000;
  const NOTHING = "No matching results.";
  const UNREACHABLE = "The service could not be reached. Check your connection, then ask again.";
  const LABELS = {
    id: "ID", created_at: "Time", type: "Event", ip: "IP address", location: "Location", device: "Device",
    browser: "Browser", os: "System", user_agent: "User agent", value: "Value", count: "Count",
  };
  const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
  const EVENT_TYPE = /^[a-z]+(_[a-z0-9]+)+$/;

  // A constructed stylesheet works under every Content-Security-Policy of the page.
  const styles = new CSSStyleSheet();
  styles.replaceSync(`
    :host {
      all: initial;
      color-scheme: light dark;
      --ground: light-dark(#ffffff, #14171c);
      --text: light-dark(#1b1f24, #e6e9ed);
      --faint: light-dark(#59636e, #a4adb8);
      --line: light-dark(#d5dae0, #343b45);
      --edge: light-dark(#8c959f, #6b7580);
      --focus: light-dark(#1d4ed8, #8ab4ff);
      --alarm: light-dark(#b42318, #ff9d91);
      --accent: var(--ask-ai-accent, light-dark(#1d4ed8, #8ab4ff));
      --on-accent: var(--ask-ai-on-accent, light-dark(#ffffff, #0b1a33));
      display: block;
      box-sizing: border-box;
      inline-size: 100%;
      max-inline-size: 42rem;
      border: 1px solid var(--line);
      border-radius: 0.75rem;
      background: var(--ground);
      color: var(--text);
      font: 1rem/1.5 system-ui, sans-serif;
      font-family: inherit;
    }
    :host([hidden]), [hidden] { display: none !important; }
    * { box-sizing: border-box; }
    .card { container-type: inline-size; padding: 1.25rem; overflow-wrap: anywhere; }
    label { display: block; margin: 0 0 0.625rem; font-weight: 600; }
    p { margin: 0; }
    .row { display: flex; flex-wrap: wrap; gap: 0.5rem; }
    input, button { min-block-size: 2.75rem; padding: 0.5rem 0.875rem; border-radius: 0.5rem; font: inherit; }
    input { flex: 1 1 14rem; min-inline-size: 0; border: 1px solid var(--edge); background: transparent; color: inherit; }
    input::placeholder { color: var(--faint); opacity: 1; }
    button { flex: 0 0 auto; min-inline-size: 5rem; border: 1px solid var(--on-accent); background: var(--accent);
      color: var(--on-accent); font-weight: 600; cursor: pointer; }
    button[aria-disabled="true"] { cursor: progress; }
    :focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
    .status, .trouble { color: var(--faint); font-size: 0.875rem; }
    .trouble { color: var(--alarm); }
    :is(.status, .trouble, .asked):not(:empty) { margin-block-start: 0.875rem; }
    .asked { font-weight: 600; }
    .asked + .status { margin-block-start: 0.125rem; }
    .busy::before { content: ""; display: inline-block; inline-size: 0.75em; block-size: 0.75em; margin-inline-end: 0.5em;
      border: 2px solid var(--line); border-block-start-color: var(--focus); border-radius: 50%; }
    @media (prefers-reduced-motion: no-preference) {
      .busy::before { animation: turn 0.9s linear infinite; }
      @keyframes turn { to { rotate: 1turn; } }
    }
    .answer { max-block-size: 24rem; margin-block-start: 0.75rem; overflow: auto; }
    .figure { color: var(--text); font-size: 2rem; line-height: 1.25; }
    table { inline-size: 100%; border-collapse: collapse; font-size: 0.875rem; font-variant-numeric: tabular-nums; }
    th, td { padding: 0.5rem 1rem 0.5rem 0; border-block-end: 1px solid var(--line); text-align: start; vertical-align: top; }
    th { position: sticky; inset-block-start: 0; background: var(--ground); color: var(--faint); font-weight: 500; white-space: nowrap; }
    tbody tr:last-child td { border-block-end: 0; }
    time { white-space: nowrap; }
    @container (max-width: 30rem) {
      .row button { flex-grow: 1; }
      .answer { max-block-size: none; }
      table, tbody, tr, td { display: block; }
      thead { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); }
      tr { padding-block: 0.5rem; border-block-end: 1px solid var(--line); }
      tbody tr:last-child { border-block-end: 0; }
      td { display: grid; grid-template-columns: 6rem 1fr; gap: 0.75rem; padding: 0.125rem 0; border: 0; }
      td::before { content: attr(data-label); content: attr(data-label) / ""; color: var(--faint); }
      time { white-space: normal; }
    }
    @media (forced-colors: active) { button { border-color: ButtonText; } }
  `);

  function make(tag, properties = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  }

  /** Returns the cells of a line. A bar inside a cell is escaped, so a bar between blanks always separates cells. */
  function cells(line) {
    return line.split(" | ").map((cell) => cell.replaceAll("\\|", "|"));
  }

  /** Returns the cell as an element whose direction does not affect its surroundings. The exact time is a tooltip. */
  function show(column, text) {
    if (column === "created_at" && MOMENT.test(text)) {
      const local = new Date(text).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
      return make("time", { datetime: text, title: text }, local);
    }
    const isType = (column === "type" || column === "value") && EVENT_TYPE.test(text);
    return make("bdi", {}, isType ? text.replaceAll("_", " ") : text);
  }

  /** Returns the table. It has explicit roles, because its narrow layout would remove the implicit ones. */
  function table(columns, rows) {
    const names = columns.map((column) => LABELS[column] ?? column);
    const head = make("tr", { role: "row" }, ...names.map((name) => make("th", { role: "columnheader", scope: "col" }, name)));
    const body = rows.map((row) => {
      const shown = row.map((text, at) => make("td", { role: "cell", "data-label": names[at] ?? "" }, show(columns[at], text)));
      return make("tr", { role: "row" }, ...shown);
    });
    return make("table", { role: "table" },
      make("thead", { role: "rowgroup" }, head), make("tbody", { role: "rowgroup" }, ...body));
  }

  function inWords(seconds) {
    if (!(seconds > 0)) return "a minute";
    const [count, unit] = seconds > 90 ? [Math.ceil(seconds / 60), "minute"] : [Math.ceil(seconds), "second"];
    return `${count} ${unit}${count === 1 ? "" : "s"}`;
  }

  function explain({ status, error, wait }) {
    if (status === 401) return "You are not signed in. Sign in, then ask again.";
    if (status === 429) return `You have asked too often. Ask again in ${inWords(wait)}.`;
    return error.message;
  }

  class AskAi extends HTMLElement {
    #getToken;
    #running;
    #label = make("label", { for: "question" }, "Ask about your account");
    #input = make("input", { id: "question", type: "text", maxlength: 500, autocomplete: "off", enterkeyhint: "send" });
    #button = make("button", {}, "Ask");
    #form = make("form", { novalidate: "" }, this.#label, make("div", { class: "row" }, this.#input, this.#button));
    #trouble = make("p", { class: "trouble", role: "alert", id: "trouble" });
    #asked = make("p", { class: "asked", id: "asked" });
    #status = make("p", { class: "status", role: "status" });
    #answer = make("div", { class: "answer", role: "region", "aria-labelledby": "asked", tabindex: 0, hidden: "" });

    constructor() {
      super();
      const root = this.attachShadow({ mode: "open" });
      root.adoptedStyleSheets = [styles];
      root.append(make("div", { class: "card" }, this.#form, this.#trouble, this.#asked, this.#status, this.#answer));
      this.#input.setAttribute("aria-describedby", "trouble");
      this.#form.addEventListener("submit", (event) => {
        event.preventDefault();
        this.#ask(this.#input.value.trim());
      });
    }

    connectedCallback() {
      // A page can set the property before this script defines the element.
      if (Object.hasOwn(this, "getToken")) {
        const early = this.getToken;
        delete this.getToken;
        this.#getToken = early;
      }
      this.#greet();
    }

    disconnectedCallback() {
      this.#forget();
    }

    get getToken() {
      return this.#getToken;
    }

    /** An async function that returns the user's access token. A new function removes the answer of the earlier user. */
    set getToken(getToken) {
      this.#getToken = getToken;
      this.#forget();
      if (this.isConnected) this.#greet();
    }

    #forget() {
      this.#running?.abort();
      this.#report({});
    }

    #report({ trouble = "", asked = "", status = "", answer = null, isBusy = false, isFigure = false }) {
      this.#trouble.textContent = trouble;
      this.#asked.textContent = asked;
      this.#status.textContent = status;
      this.#status.classList.toggle("busy", isBusy);
      this.#status.classList.toggle("figure", isFigure);
      this.#input.setAttribute("aria-invalid", String(Boolean(trouble)));
      // A disabled button would lose the focus.
      this.#button.setAttribute("aria-disabled", String(isBusy));
      this.#answer.hidden = !answer;
      this.#answer.replaceChildren(...(answer ? [answer] : []));
      this.#answer.scrollTop = 0;
    }

    /** Reads the texts of the widget. A failure is not shown before the user asks. */
    async #greet() {
      if (!this.#getToken) return;
      const { status, data, error } = await this.#call("GET").catch(() => ({}));
      const isOff = data?.enabled === false || (status === 404 && error);
      this.#form.hidden = Boolean(isOff);
      if (isOff) this.#report({ status: error ? explain({ status, error }) : "Questions are turned off. An operator can turn them on." });
      if (data?.greeting) this.#label.textContent = data.greeting;
      if (data?.placeholder) this.#input.placeholder = data.placeholder;
    }

    async #ask(question) {
      if (this.#button.getAttribute("aria-disabled") === "true") return;
      if (!question) {
        this.#report({ trouble: "Type a question first." });
        this.#input.focus();
        return;
      }
      const running = (this.#running = new AbortController());
      this.#report({ status: "Looking that up…", isBusy: true });
      let reply;
      try {
        reply = await this.#call("POST", question, running.signal);
      } catch {
        reply = { failure: UNREACHABLE };
      }
      if (running.signal.aborted) return;
      if (reply.data) {
        this.#input.value = "";
        this.#present(question, reply.data);
      } else {
        this.#report({ trouble: reply.failure ?? explain(reply) });
      }
    }

    #present(asked, { answer, row_count: count }) {
      const [header, ...lines] = answer.split("\n");
      if (answer === NOTHING) {
        this.#report({ asked, status: `${NOTHING} Ask about another time, device or event.` });
      } else if (header === "count") {
        this.#report({ asked, status: lines[0], isFigure: true });
      } else {
        const status = count === 1 ? "1 result" : `${count} results`;
        this.#report({ asked, status, answer: table(cells(header), lines.map(cells)) });
      }
    }

    /** Returns the response's status, `data` or `error`, and the seconds to wait. A 401 gets one more token. */
    async #call(method, question, signal) {
      const base = this.getAttribute("base-url");
      const home = base ? new URL(`${base.replace(/\/+$/, "")}/v1/ask-ai/`, document.baseURI).href : HOME;
      const url = method === "POST" ? home.slice(0, -1) : `${home}widget`;
      let response;
      for (let attempt = 0; attempt < 2; attempt += 1) {
        const token = await this.#token();
        if (!token) return { status: 401 };
        response = await fetch(url, {
          method,
          headers: { Authorization: `Bearer ${token}`, ...(question && { "Content-Type": "application/json" }) },
          body: question && JSON.stringify({ question }),
          credentials: "omit",
          cache: "no-store",
          referrerPolicy: "no-referrer",
          redirect: "error",
          signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(signal ? [signal] : [])]),
        });
        if (response.status !== 401) break;
      }
      return { status: response.status, wait: Number(response.headers.get("Retry-After")), ...(await response.json()) };
    }

    async #token() {
      try {
        return await this.#getToken?.();
      } catch (error) {
        reportError(error);
        return null;
      }
    }
  }

  customElements.define("ask-ai", AskAi);
})();
