"use strict";

// The element <ask-ai>: a signed-in user asks about the user's own sessions and events.
// Every text from the service becomes a text node, so it can never be markup or code.
(() => {
  if (customElements.get("ask-ai")) return;

  const HOME = new URL(".", document.currentScript?.src ?? `${location.origin}/v1/ask-ai/`).href;
  const TIMEOUT_MS = 30_000;
  // In the order of the names below.
  const TEXTS = {
    en: ["Ask about your account", "Ask", "Type a question.", "Looking that up…",
      "The service does not answer. Check the connection.", "Sign in, then ask again.",
      "Too many questions. Ask again", "Questions are turned off.", "This question cannot be answered.", "You can ask, for example:"],
    de: ["Fragen Sie zu Ihrem Konto", "Fragen", "Geben Sie eine Frage ein.", "Wird nachgesehen …",
      "Der Dienst antwortet nicht. Prüfen Sie die Verbindung.", "Melden Sie sich an und fragen Sie noch einmal.",
      "Zu viele Fragen. Fragen Sie wieder", "Fragen sind ausgeschaltet.", "Diese Frage lässt sich nicht beantworten.", "Fragen Sie zum Beispiel:"],
    fr: ["Posez une question sur votre compte", "Demander", "Saisissez une question.", "Recherche en cours…",
      "Le service ne répond pas. Vérifiez la connexion.", "Connectez-vous, puis réessayez.",
      "Trop de questions. Réessayez", "Les questions sont désactivées.", "Impossible de répondre à cette question.", "Demandez par exemple :"],
    es: ["Pregunte sobre su cuenta", "Preguntar", "Escriba una pregunta.", "Buscando…",
      "El servicio no responde. Compruebe la conexión.", "Inicie sesión y pregunte de nuevo.",
      "Demasiadas preguntas. Pregunte de nuevo", "Las preguntas están desactivadas.", "No se puede responder a esta pregunta.", "Pregunte, por ejemplo:"],
    ja: ["アカウントについて質問する", "質問する", "質問を入力してください。", "調べています…",
      "サービスが応答しません。接続を確認してください。", "ログインしてから質問してください。",
      "質問が多すぎます。再試行：", "質問機能は無効です。", "この質問には答えられません。", "質問の例："],
  };
  const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const LANGUAGE = navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => tag in TEXTS) ?? "en";
  const [LABEL, ASK, EMPTY, BUSY, SILENT, SIGNED_OUT, TOO_OFTEN, OFF, REFUSED, EXAMPLES] = TEXTS[LANGUAGE];

  // A constructed stylesheet works under every Content-Security-Policy of the page.
  const styles = new CSSStyleSheet();
  styles.replaceSync(`
    :host {
      all: initial; color-scheme: light dark;
      --ground: light-dark(#ffffff, #171b21);
      --text: light-dark(#1b1f24, #e6e9ed);
      --faint: light-dark(#57606a, #a4adb8);
      --line: light-dark(#d8dde3, #2c333c);
      --edge: light-dark(#868f99, #6b7580);
      --focus: light-dark(#1d4ed8, #8ab4ff);
      --alarm: light-dark(#b42318, #ff9d91);
      --accent: var(--ask-ai-accent, light-dark(#1d4ed8, #8ab4ff));
      --on-accent: var(--ask-ai-on-accent, light-dark(#ffffff, #0b1a33));
      display: block; box-sizing: border-box; inline-size: 100%; max-inline-size: 42rem;
      border: 1px solid var(--line); border-radius: 0.75rem; background: var(--ground); color: var(--text);
      font: 1rem/1.5 system-ui, sans-serif; font-family: inherit;
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
    .said { color: var(--text); font-size: 1rem; }
    .help:not(:empty) { margin-block-start: 0.625rem; }
    ul { display: flex; flex-wrap: wrap; gap: 0.5rem; margin: 0.5rem 0 0; padding: 0; list-style: none; }
    .example { min-inline-size: 0; border-color: var(--edge); background: transparent; color: inherit; font-weight: 400; text-align: start; }
    caption { text-align: start; color: var(--faint); }
    :only-child > caption { display: none !important; }
    pre { margin: 0; font-size: 0.875rem; white-space: pre-wrap; }
    table { inline-size: 100%; border-collapse: collapse; font-size: 0.875rem; font-variant-numeric: tabular-nums; }
    th, td { padding: 0.5rem 1rem 0.5rem 0; border-block-end: 1px solid var(--line); text-align: start; vertical-align: top; }
    th { position: sticky; inset-block-start: 0; background: var(--ground); color: var(--faint); font-weight: 500; white-space: nowrap; }
    tbody tr:last-child td { border-block-end: 0; }
    @container (max-width: 30rem) {
      .row button { flex-grow: 1; }
      .answer { max-block-size: none; }
      table, caption, tbody, tr, td { display: block; }
      thead { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); }
      tr { padding-block: 0.5rem; border-block-end: 1px solid var(--line); }
      tbody tr:last-child { border-block-end: 0; }
      td { display: grid; grid-template-columns: 6rem 1fr; gap: 0.75rem; padding: 0.125rem 0; border: 0; }
      td::before { content: attr(data-label); content: attr(data-label) / ""; color: var(--faint); }
    }
    @media (forced-colors: active) { button { border-color: ButtonText; } }
  `);

  function make(tag, properties = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  }

  /** Returns the table. It has explicit roles, because its narrow layout would remove the implicit ones. */
  function table({ understood, columns, rows }) {
    // Each cell is a bdi, so that its direction does not affect its surroundings.
    const cell = (text, at) => make("td", { role: "cell", "data-label": columns[at] ?? "" }, make("bdi", {}, text));
    const head = make("tr", { role: "row" }, ...columns.map((name) => make("th", { role: "columnheader", scope: "col" }, name)));
    const body = rows.map((row) => make("tr", { role: "row" }, ...row.map(cell)));
    return make("table", { role: "table" }, make("caption", {}, understood),
      make("thead", { role: "rowgroup" }, head), make("tbody", { role: "rowgroup" }, ...body));
  }

  function inWords(seconds) {
    const [count, unit] = seconds > 90 ? [Math.ceil(seconds / 60), "minute"] : seconds > 0 ? [Math.ceil(seconds), "second"] : [1, "minute"];
    return new Intl.RelativeTimeFormat(LANGUAGE).format(count, unit);
  }

  function explain({ status, error, wait }) {
    if (status === 401) return SIGNED_OUT;
    if (status === 429) return `${TOO_OFTEN} ${inWords(wait)}.`;
    if (status === 503) return SILENT;
    return error.code === "question_not_answerable" ? REFUSED : error.message;
  }

  class AskAi extends HTMLElement {
    #getToken;
    #running;
    #examples = [];
    #label = make("label", { for: "question" }, LABEL);
    #input = make("input", { id: "question", type: "text", maxlength: 500, autocomplete: "off", enterkeyhint: "send" });
    #button = make("button", {}, ASK);
    #form = make("form", { novalidate: "" }, this.#label, make("div", { class: "row" }, this.#input, this.#button));
    #trouble = make("p", { class: "trouble", role: "alert", id: "trouble" });
    #asked = make("p", { class: "asked", id: "asked" });
    #status = make("p", { class: "status", role: "status" });
    #help = make("div", { class: "help" });
    #answer = make("div", { class: "answer", role: "region", "aria-labelledby": "asked", tabindex: 0, hidden: "" });

    constructor() {
      super();
      const root = this.attachShadow({ mode: "open" });
      root.adoptedStyleSheets = [styles];
      root.append(make("div", { class: "card" }, this.#form, this.#trouble, this.#help, this.#asked, this.#status, this.#answer));
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

    #report({ trouble = "", asked = "", status = "", answer = null, isBusy = false, help = [], language = LANGUAGE }) {
      this.#trouble.textContent = trouble;
      this.#asked.textContent = asked;
      this.#status.textContent = status;
      this.#status.classList.toggle("busy", isBusy);
      this.#status.classList.toggle("said", Boolean(asked));
      for (const part of [this.#status, this.#answer]) part.lang = language;
      this.#help.replaceChildren(...help);
      this.#input.setAttribute("aria-invalid", String(Boolean(trouble)));
      // A disabled button would lose the focus.
      this.#button.setAttribute("aria-disabled", String(isBusy));
      this.#answer.hidden = !answer?.length;
      this.#answer.replaceChildren(...(answer ?? []));
      this.#answer.scrollTop = 0;
    }

    /** Reads the texts of the widget. A failure is not shown before the user asks. */
    async #greet() {
      if (!this.#getToken) return;
      const { status, data, error } = await this.#call("GET").catch(() => ({}));
      const isOff = data?.enabled === false || (status === 404 && error);
      this.#form.hidden = Boolean(isOff);
      if (isOff) this.#report({ status: OFF });
      this.#examples = data?.examples ?? [];
      if (data?.greeting) this.#label.textContent = data.greeting;
      if (data?.placeholder) this.#input.placeholder = data.placeholder;
    }

    async #ask(question) {
      if (this.#button.getAttribute("aria-disabled") === "true") return;
      if (!question) {
        this.#report({ trouble: EMPTY });
        this.#input.focus();
        return;
      }
      const running = (this.#running = new AbortController());
      this.#report({ status: BUSY, isBusy: true });
      let reply;
      try {
        reply = await this.#call("POST", question, running.signal);
      } catch {
        reply = { status: 503 };
      }
      if (running.signal.aborted) return;
      if (reply.data) {
        this.#input.value = "";
        this.#present(question, reply.data);
      } else {
        const trouble = explain(reply);
        this.#report({ trouble, help: trouble === REFUSED ? this.#suggest() : [] });
      }
    }

    /** Returns examples as buttons, which ask their question. */
    #suggest() {
      if (!this.#examples.length) return [];
      const items = this.#examples.map((question) => {
        const button = make("button", { type: "button", class: "example" }, question);
        button.addEventListener("click", () => {
          this.#input.value = question;
          this.#input.focus();
          this.#ask(question);
        });
        return make("li", {}, button);
      });
      return [make("p", { id: "examples" }, EXAMPLES), make("ul", { "aria-labelledby": "examples" }, ...items)];
    }

    /** Shows the sentence, then a table for each part that has rows. A service without sentences has only a text. */
    #present(asked, { answer, sentence, parts, language }) {
      const tables = parts?.filter(({ rows }) => rows.length).map(table);
      this.#report({ asked, language, status: sentence ?? "", answer: tables ?? [make("pre", {}, answer)] });
    }

    /** Returns the response's status, `data` or `error`, and the seconds to wait. A 401 gets one more token. */
    async #call(method, question, signal) {
      const base = this.getAttribute("base-url");
      const home = base ? new URL(`${base.replace(/\/+$/, "")}/v1/ask-ai/`, document.baseURI).href : HOME;
      const url = method === "POST" ? home.slice(0, -1) : `${home}widget?language=${LANGUAGE}`;
      let response;
      for (let attempt = 0; attempt < 2; attempt += 1) {
        const token = await this.#token();
        if (!token) return { status: 401 };
        response = await fetch(url, {
          method,
          headers: { Authorization: `Bearer ${token}`, ...(question && { "Content-Type": "application/json" }) },
          body: question && JSON.stringify({ question, language: LANGUAGE, time_zone: ZONE }),
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
