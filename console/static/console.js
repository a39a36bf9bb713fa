"use strict";

// The texts that this script shows. The page has them in its language.
const texts = document.body.dataset;

// The time zone: a button chooses the zone of the device.
function offerOwnZone(root) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  for (const select of root.querySelectorAll("select[data-zones]")) {
    const offer = select.form.querySelector("[data-own-zone]");
    if (![...select.options].some((option) => option.value === timeZone)) continue;
    offer.hidden = false;
    offer.querySelector("button").textContent = timeZone;
    offer.querySelector("button").addEventListener("click", () => { select.value = timeZone; });
  }
}

// Drafts: a form with `data-draft` keeps its fields for the detour of a new sign-in. Secrets are never kept.
const isKept = (field) => field.name && !["password", "hidden", "file", "submit"].includes(field.type) && !("secret" in field.dataset);

function keepDrafts(root) {
  // After a write, another page than that of the form may show the notice.
  if (document.querySelector("main .notice")) {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith("draft ")) sessionStorage.removeItem(key);
  }
  for (const form of root.querySelectorAll("form[data-draft]")) {
    // Another operator can sign in after this one, in the same tab.
    const key = `draft ${document.body.dataset.operator} ${form.dataset.draft}`;
    const draft = JSON.parse(sessionStorage.getItem(key) || "null");
    sessionStorage.removeItem(key);
    // On a page that refuses the form, the service has filled it.
    if (draft && !document.querySelector("main [aria-invalid=true], main .problem[autofocus]")) {
      for (const field of [...form.elements].filter(isKept)) {
        if (!(field.name in draft)) continue;
        if (field.type === "checkbox" || field.type === "radio") field.checked = draft[field.name].includes(field.value);
        else [field.value] = draft[field.name];
      }
      form.closest("details")?.setAttribute("open", "");
    }
    const keep = () => {
      const names = [...form.elements].filter(isKept).map((field) => field.name);
      const data = new FormData(form);
      sessionStorage.setItem(key, JSON.stringify(Object.fromEntries(names.map((name) => [name, data.getAll(name).map(String)]))));
    };
    form.addEventListener("submit", keep);
    form.addEventListener("htmx:beforeOnLoad", (event) => {
      if (event.detail.xhr.getResponseHeader("HX-Redirect")) keep();
    });
  }
}

// Charts: the pointer and the arrow keys read the values of one bar.
function readCharts(root) {
  for (const svg of root.querySelectorAll("svg[data-values]")) {
    const rows = JSON.parse(svg.dataset.values);
    const labels = JSON.parse(svg.dataset.labels);
    const names = JSON.parse(svg.dataset.names);
    const output = svg.parentElement.querySelector("output");
    const mark = svg.querySelector(".mark-at");
    let at = labels.length - 1;
    const show = (index) => {
      at = Math.max(0, Math.min(labels.length - 1, index));
      mark.setAttribute("x", at * 10);
      mark.removeAttribute("visibility");
      output.hidden = false;
      output.value = [labels[at], ...names.map((name, row) => `${name}: ${rows[row][at].toLocaleString(document.documentElement.lang)}`)].join("\n");
      const isLeft = at < labels.length / 2;
      output.style.left = isLeft ? `${(at + 1) / labels.length * 100}%` : "auto";
      output.style.right = isLeft ? "auto" : `${(1 - at / labels.length) * 100}%`;
    };
    const hide = () => { output.hidden = true; mark.setAttribute("visibility", "hidden"); };
    svg.addEventListener("pointermove", (event) => {
      const box = svg.getBoundingClientRect();
      show(Math.floor((event.clientX - box.left) / box.width * labels.length));
    });
    svg.addEventListener("pointerleave", hide);
    svg.addEventListener("focus", () => show(at));
    svg.addEventListener("blur", hide);
    svg.addEventListener("keydown", (event) => {
      if (event.key === "ArrowLeft") show(at - 1);
      else if (event.key === "ArrowRight") show(at + 1);
      else return;
      event.preventDefault();
    });
  }
}

function offerCopies(root) {
  for (const button of root.querySelectorAll("button[data-copies]")) {
    button.hidden = !navigator.clipboard;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(document.getElementById(button.dataset.copies).textContent);
      const label = button.textContent;
      button.textContent = texts.copied;
      setTimeout(() => { button.textContent = label; }, 1500);
    });
  }
}

function askFirst(root) {
  for (const form of root.querySelectorAll("form[data-confirm]")) {
    form.addEventListener("submit", (event) => {
      if (!window.confirm(form.dataset.confirm)) event.preventDefault();
    });
  }
}

// Follow: while the box is checked, the rows are asked for every two seconds.
function follow(root) {
  for (const box of root.querySelectorAll("input[data-follows]")) {
    box.parentElement.hidden = !window.htmx;
    const target = document.getElementById(box.dataset.follows);
    setInterval(() => {
      if (box.checked && !document.hidden) window.htmx.trigger(target, "follow");
    }, 2000);
  }
}

// A table that is wider than its panel scrolls by the arrow keys. Without a link in it, the keyboard needs another way in.
const widths = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (target.scrollWidth > target.clientWidth) {
      target.tabIndex = 0;
      target.setAttribute("role", "group");
      target.setAttribute("aria-label", texts.scrolls);
    } else if (target.getAttribute("role") === "group") {
      for (const name of ["tabindex", "role", "aria-label"]) target.removeAttribute(name);
    }
  }
});

function watchScrolls(root) {
  for (const scroll of root.querySelectorAll(".scroll:not([role=region])")) widths.observe(scroll);
}

// Ctrl+K, or Command+K on a Mac, leads to the field that finds anything.
function offerFind(root) {
  const field = root.querySelector("input[data-finds]");
  if (!field) return;
  field.nextElementSibling.hidden = false;
  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    field.focus();
    field.select();
  });
}

function prepare(root) {
  const steps = [offerOwnZone, keepDrafts, readCharts, offerCopies, askFirst, follow, watchScrolls, offerFind];
  for (const step of steps) step(root);
}

prepare(document);
document.addEventListener("htmx:afterSettle", (event) => {
  readCharts(event.detail.elt.isConnected ? event.detail.elt : document);
});

// A page whose session ended answers a part of a page with another page. Load the whole page instead.
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.xhr.status === 401) {
    event.detail.shouldSwap = false;
    window.location.reload();
  }
});

// Without this text, a request that failed would look like a request without an answer.
for (const name of ["htmx:responseError", "htmx:sendError"]) {
  document.addEventListener(name, (event) => {
    if (event.detail.target.matches("[role=status]")) event.detail.target.textContent = texts.unanswered;
  });
}
