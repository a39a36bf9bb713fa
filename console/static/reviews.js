"use strict";

// The review queue by keyboard. Without this script, the links and the forms of the page do the same.
(() => {
  const byId = (id) => document.getElementById(id);
  const [dialog, form, note, conflict, failure, close] = ["", "-form", "-note", "-conflict", "-error", "-close"].map((end) => byId(`review${end}`));
  const [undo, said, keys, help] = ["undo", "said", "keys", "help"].map(byId);
  const [title, saveButton] = [byId("review-title"), byId("review-save")];
  const boxes = () => [...document.querySelectorAll("#queue input[type=checkbox]")];
  const rows = () => [...document.querySelectorAll("#queue > tr")];
  const linkOf = (row) => row.querySelector("th a");
  const reviewed = undo.hidden ? [] : [{ url: undo.action, reviewed_at: undo.elements.reviewed_at.value }];
  let selected = "";
  let isBusy = false;

  function select(row, hasFocus = true) {
    if (!row) return;
    for (const other of rows()) other.setAttribute("aria-selected", String(other === row));
    selected = row.id;
    if (!hasFocus) return;
    linkOf(row).focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
  }

  function step(by) {
    const all = rows();
    select(all[Math.max(0, Math.min(all.length - 1, all.indexOf(byId(selected)) + by))]);
  }

  function openNote(status, text) {
    const row = byId(selected);
    if (!row) return;
    form.action = linkOf(row).href;
    form.elements.status.value = status;
    form.elements.seen_at.value = row.dataset.seen;
    note.value = text ?? row.querySelector("[data-note]")?.textContent ?? "";
    title.textContent = status === "confirmed" ? row.dataset.confirms : title.dataset.dismiss;
    byId("review-reasons").textContent = row.dataset.about;
    saveButton.textContent = saveButton.dataset[status];
    close.textContent = close.dataset.cancel;
    failure.textContent = "";
    conflict.replaceChildren();
    dialog.showModal();
    note.focus();
  }

  // Return the answer. Return null for a failure that `report` shows, and when the page is left for a new sign-in.
  async function send(url, fields, report) {
    if (isBusy) return null;
    isBusy = true;
    try {
      const options = fields ? { method: "POST", body: new URLSearchParams(fields) } : {};
      const answer = await fetch(url, { ...options, headers: { "HX-Request": "true" } });
      const elsewhere = answer.headers.get("HX-Redirect");
      if (elsewhere) {
        if (dialog.open) sessionStorage.setItem("review", JSON.stringify([selected, form.elements.status.value, note.value]));
        window.location.assign(elsewhere);
        return null;
      }
      if (answer.ok || answer.status === 409) return answer;
      report(dialog.dataset.answered.replace("{}", answer.status));
    } catch {
      report(dialog.dataset.unanswered);
    } finally {
      isBusy = false;
    }
    return null;
  }

  const say = (text) => { said.textContent = text; };

  async function putRow(answer) {
    const template = document.createElement("template");
    template.innerHTML = await answer.text();
    const row = template.content.querySelector("tr");
    byId(row.id)?.replaceWith(row);
    return row;
  }

  async function save() {
    const answer = await send(form.action, new FormData(form), (text) => { failure.textContent = text; });
    if (!answer) return;
    if (answer.status === 409) {
      conflict.innerHTML = await answer.text();
      form.elements.seen_at.value = conflict.firstElementChild.dataset.seen;
      saveButton.textContent = saveButton.dataset.replace;
      close.textContent = close.dataset.keep;
      close.focus();
      return;
    }
    const all = rows();
    const next = all[all.indexOf(byId(selected)) + 1];
    const { action } = form;
    const row = await putRow(answer);
    const url = new URL(action);
    url.pathname += "/undo";
    reviewed.push({ url: url.href, reviewed_at: row.dataset.seen });
    undo.hidden = false;
    conflict.replaceChildren();
    dialog.close();
    select(next || row);
    say([said.dataset[form.elements.status.value], next ? "" : said.dataset.last].filter(Boolean).join(" "));
  }

  async function undoLast() {
    const last = reviewed.at(-1);
    if (!last) return;
    const answer = await send(last.url, { csrf_token: undo.elements.csrf_token.value, reviewed_at: last.reviewed_at }, say);
    if (!answer) return;
    reviewed.pop();
    undo.hidden = !reviewed.length;
    const row = await putRow(answer);
    if (!row.isConnected) {
      window.location.hash = row.id;
      window.location.reload();
      return;
    }
    select(row);
    say(answer.ok ? said.dataset.undone : said.dataset.kept);
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    save();
  });
  note.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.repeat) form.requestSubmit();
  });
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", async () => {
    const row = byId(selected);
    // After a conflict, the row still shows an older review.
    if (!conflict.firstElementChild || row.dataset.seen === form.elements.seen_at.value) return;
    const answer = await send(linkOf(row).href, null, say);
    if (answer?.ok) select(await putRow(answer));
  });
  undo.addEventListener("submit", (event) => {
    event.preventDefault();
    undoLast();
  });
  for (const button of document.querySelectorAll("[data-opens]")) {
    button.hidden = false;
    button.addEventListener("click", () => openNote(button.dataset.opens));
  }
  for (const happening of ["focusin", "click"]) {
    byId("queue")?.addEventListener(happening, (event) => select(event.target.closest("tr"), false));
  }

  const acts = {
    j: () => step(1),
    k: () => step(-1),
    c: () => openNote("confirmed"),
    d: () => openNote("dismissed"),
    n: () => document.querySelector('a[rel="next"]')?.click(),
    s: () => { if (boxes().some((box) => box.checked)) byId("several").requestSubmit(); else say(said.dataset.unselected); },
    u: undoLast,
    x: () => byId(selected)?.querySelector("input[type=checkbox]")?.click(),
    "?": () => help.showModal(),
  };
  byId("list-keys").hidden = false;
  byId("list-keys").addEventListener("click", acts["?"]);
  for (const key of document.querySelectorAll("#undo kbd, #several kbd, a[rel=next] kbd")) key.hidden = false;
  keys.parentElement.hidden = false;
  keys.checked = localStorage.getItem("review keys") !== "off";
  keys.addEventListener("change", () => localStorage.setItem("review keys", keys.checked ? "on" : "off"));
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.closest?.("input:not([form=several]), select, textarea, [contenteditable]") || document.querySelector("dialog[open]");
    if (!keys.checked || isTyping || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (!Object.hasOwn(acts, event.key) || (event.repeat && !"jk".includes(event.key))) return;
    // Without this, the letter would also be typed into the note.
    event.preventDefault();
    acts[event.key]();
  });

  const named = byId(window.location.hash.slice(1));
  select(rows().includes(named) ? named : rows()[0], rows().includes(named));
  const [id, status, text] = JSON.parse(sessionStorage.getItem("review") || "[]");
  sessionStorage.removeItem("review");
  if (id && rows().includes(byId(id))) {
    select(byId(id));
    openNote(status, text);
  }
})();
