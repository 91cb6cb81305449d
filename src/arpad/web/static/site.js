// Makes what works anyway a little quicker: names of tables, adding rows to a form, dropping a file, the lists of a
// player opened in their lines, the progress of several files, which are sent one by one, the newest round of a
// tournament in progress, what is under way and how far it is, keys, and a warning before a session ends.
"use strict";

// A table is called by the heading above it; one that scrolls can be reached with the keyboard.
function nameTables(tables) {
  const headings = [...document.querySelectorAll("main h1, main h2, main h3")];
  for (const table of tables) {
    const above = headings.filter((heading) => heading.compareDocumentPosition(table) & Node.DOCUMENT_POSITION_FOLLOWING);
    const label = above.at(-1)?.textContent.trim().replace(/\s+/g, " ");
    if (label && !table.caption && !table.hasAttribute("aria-label")) table.setAttribute("aria-label", label);
    const frame = table.closest(".wide");
    if (frame && frame.scrollWidth > frame.clientWidth) {
      frame.tabIndex = 0;
      frame.setAttribute("role", "region");
      frame.setAttribute("aria-label", table.getAttribute("aria-label") ?? label ?? "");
    }
  }
}
nameTables(document.querySelectorAll("main table"));

// Parts of other pages that are put in place: when a reader comes near them, or opens them.
async function partOf(address, id) {
  const answer = await fetch(address).catch(() => null);
  return answer?.ok ? new DOMParser().parseFromString(await answer.text(), "text/html").getElementById(id) : null;
}

const near = new IntersectionObserver((seen) => {
  for (const { target } of seen.filter((entry) => entry.isIntersecting)) {
    near.unobserve(target);
    const link = target.querySelector("a");
    partOf(link.href, target.dataset.fill).then((part) => part && link.parentElement.replaceWith(part));
  }
}, { rootMargin: "600px" });
for (const area of document.querySelectorAll("[data-fill]")) near.observe(area);

for (const link of document.querySelectorAll("a[data-opens]")) {
  link.addEventListener("click", async (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const part = await partOf(link.href, "opened");
    if (!part) { location.assign(link.href); return; }
    part.removeAttribute("id");
    link.replaceWith(part);
    nameTables(part.querySelectorAll("table"));
    part.querySelector("a").focus();
  });
}

for (const button of document.querySelectorAll("[data-add-row]")) {
  button.hidden = false;
  button.addEventListener("click", (event) => {
    event.preventDefault();
    const rows = document.getElementById(button.dataset.addRow);
    const row = rows.lastElementChild.cloneNode(true);
    const number = rows.children.length + 1;
    for (const field of row.querySelectorAll("input")) field.value = field.dataset.row ?? "";
    for (const word of row.querySelectorAll("[data-number]")) word.textContent = String(number);
    rows.append(row);
    row.querySelector("input").focus();
  });
}

for (const zone of document.querySelectorAll("[data-drop]")) {
  const field = zone.querySelector("input[type=file]");
  for (const name of ["dragenter", "dragover"]) {
    zone.addEventListener(name, (event) => { event.preventDefault(); zone.classList.add("over"); });
  }
  zone.addEventListener("dragleave", () => zone.classList.remove("over"));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    if (event.dataTransfer.files.length) {
      field.files = event.dataTransfer.files;
      zone.closest("form").requestSubmit();
    }
  });
  field.addEventListener("change", () => { if (field.files.length) zone.closest("form").requestSubmit(); });
}

for (const field of document.querySelectorAll("select[data-go]")) {
  field.addEventListener("change", () => field.form.requestSubmit());
}

for (const code of document.querySelectorAll("[data-origin]")) {
  code.textContent = code.textContent.replace("https://…", location.origin);
}

for (const area of document.querySelectorAll("[data-refresh]")) {
  // the page of a tournament in progress: when a newer version is there, its tables and its time are put in place
  const notice = document.getElementById(area.id + "-state");
  setInterval(async () => {
    if (document.hidden) return;
    const answer = await fetch(location.href).catch(() => null);
    if (!answer?.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    const newer = fresh.getElementById(area.id), told = fresh.getElementById(area.id + "-state");
    if (!newer) { location.reload(); return; }
    if (newer.dataset.version === area.dataset.version) return;
    for (const part of area.querySelectorAll("details[open]")) newer.querySelector("#" + part.id)?.setAttribute("open", "");
    area.dataset.version = newer.dataset.version;
    area.replaceChildren(...newer.childNodes);
    if (notice && told) notice.replaceChildren(...told.childNodes);
  }, Number(area.dataset.refresh) * 1000);
}

for (const form of document.querySelectorAll("form[data-upload]")) {
  const field = form.querySelector("input[type=file]"), shown = form.querySelector("[data-progress]");
  const bar = shown.querySelector("progress"), words = shown.querySelector("[data-sentence]");
  const outcomes = document.getElementById("outcomes"), button = form.querySelector("button");

  function tell(done, files, part) {
    bar.value = (done + part) / files;
    words.textContent = words.dataset.sentence.replace("#done", done).replace("#files", files);
  }

  function send(file, progress) {
    const data = new FormData(form);
    data.delete("file");
    data.append("file", file);
    return new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open("POST", form.action);
      request.responseType = "document";
      request.upload.addEventListener("progress", (event) => { if (event.total) progress(event.loaded / event.total); });
      request.addEventListener("load", () => resolve(request.response));
      request.addEventListener("error", reject);
      request.send(data);
    });
  }

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const files = [...field.files];
    shown.hidden = false;
    button.disabled = true;
    for (const [done, file] of files.entries()) {
      tell(done, files.length, 0);
      const answer = await send(file, (part) => tell(done, files.length, part)).catch(() => null);
      const rows = answer ? [...answer.querySelectorAll("#outcomes tbody tr")] : [];
      if (!rows.length) {
        const row = outcomes.querySelector("tbody").insertRow();
        row.insertCell().textContent = file.name;
        row.insertCell().textContent = answer?.querySelector("h1")?.nextElementSibling?.textContent.trim() ?? "–";
      }
      outcomes.querySelector("tbody").append(...rows);
      outcomes.hidden = false;
    }
    tell(files.length, files.length, 0);
    button.disabled = false;
    form.reset();
  });
}

// A button whose work takes a while says so until the next page comes; also when a reader comes back to this one. The
// answer of some is a file: then this page stays, and its button is free again when the reader does something else.
function busy(button) {
  if (button.dataset.busy) {
    button.dataset.idle = button.textContent;
    button.textContent = button.dataset.busy;
  }
  button.setAttribute("aria-busy", "true");
}

function idle() {
  for (const button of document.querySelectorAll("button[aria-busy]")) {
    if (button.dataset.idle) button.textContent = button.dataset.idle;
    button.removeAttribute("aria-busy");
  }
  for (const bar of document.querySelectorAll("progress.sent")) bar.remove();
}

// A large file is sent with a bar that shows how much has arrived; the answer then takes the place of this page.
const LARGE = 2 ** 20;

function sendLarge(form, button) {
  const data = new FormData(form, button), request = new XMLHttpRequest();
  const bar = document.createElement("progress");
  bar.className = "sent";
  bar.max = 1;
  bar.value = 0;
  bar.setAttribute("aria-label", form.querySelector("input[type=file]").files[0].name);
  button.after(bar);
  const address = button.hasAttribute("formaction") ? button.formAction : form.action;
  request.open("POST", address);
  request.responseType = "document";
  request.upload.addEventListener("progress", ({ loaded, total }) => { bar.value = loaded / total; });
  request.upload.addEventListener("load", () => bar.removeAttribute("value"));
  request.addEventListener("load", () => {
    const main = request.response?.querySelector("main");
    if (!main) { location.assign(request.responseURL); return; }
    document.title = request.response.title;
    document.querySelector("main").replaceWith(main);
    nameTables(main.querySelectorAll("table"));
    if (request.responseURL !== address) history.replaceState(null, "", request.responseURL);
    scrollTo(0, 0);
  });
  request.addEventListener("error", () => { idle(); form.submit(); });
  request.send(data);
}

document.addEventListener("submit", (event) => {
  const form = event.target, button = event.submitter;
  if (!button || event.defaultPrevented || form.method !== "post") return;
  const files = [...form.querySelectorAll("input[type=file]")].flatMap((field) => [...field.files]);
  if (button.hasAttribute("data-file")) document.addEventListener("pointermove", () => setTimeout(idle, 3000), { once: true });
  else if (files.some((file) => file.size > LARGE) && !("upload" in form.dataset)) {
    event.preventDefault();
    sendLarge(form, button);
  }
  setTimeout(() => busy(button));  // after the form was read, which leaves out a button that cannot be pressed
});
window.addEventListener("pageshow", idle);

// A box below each password shows what was typed.
for (const field of document.querySelectorAll("input[data-show]")) {
  const label = document.createElement("label"), box = document.createElement("input");
  label.className = "check";
  box.type = "checkbox";
  label.append(box, field.dataset.show);
  field.closest("label").after(label);
  box.addEventListener("change", () => { field.type = box.checked ? "text" : "password"; });
}

// Keys: "/" goes to the search, "g" and a letter to a page, "j" and "k" to the next and the previous row with a link,
// "n" and "p" to the next and the previous page or report.
// Whoever dictates or mistypes can switch them off; the browser remembers that.
const keys = document.querySelector("[data-keys]");
if (keys) {
  const box = keys.querySelector("input"), remembered = "arpad-keys";
  let waiting = false;
  try { box.checked = localStorage.getItem(remembered) !== "off"; } catch { /* a browser that remembers nothing */ }
  box.addEventListener("change", () => {
    try { localStorage.setItem(remembered, box.checked ? "on" : "off"); } catch { /* as above */ }
  });
  keys.hidden = false;

  function step(forward) {
    const links = [...document.querySelectorAll("main tbody tr, main .findings li")]
      .map((row) => row.querySelector("a[href]")).filter((link) => link?.checkVisibility());
    const row = document.activeElement.closest("tr, li");
    const at = row ? links.findIndex((link) => row.contains(link)) : -1;
    links[Math.min(links.length - 1, Math.max(0, forward ? at + 1 : at - 1))]?.focus();
  }

  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]");
    if (!box.checked || event.ctrlKey || event.metaKey || event.altKey || typing) return;
    const field = document.querySelector("form[data-search] input");
    const link = waiting ? keys.querySelector(`[data-key="${CSS.escape(event.key)}"]`) : null;
    waiting = event.key === "g" && !waiting;
    if (link) location.assign(link.href);
    else if (event.key === "/" && field) { event.preventDefault(); field.focus(); field.select(); }
    else if (event.key === "j" || event.key === "k") step(event.key === "j");
    else if (event.key === "n" || event.key === "p") document.querySelector(`main a[rel=${event.key === "n" ? "next" : "prev"}]`)?.click();
  });
}

// Ten minutes before a session ends unless it is used, a sentence says so and offers to prolong it.
for (const place of document.querySelectorAll("[data-session]")) {
  const warning = place.querySelector("template");
  let ends = Date.now() + Number(place.dataset.session) * 60000;
  place.addEventListener("click", async (event) => {
    const stay = event.target.closest("[data-stay]");
    if (!stay) return;
    event.preventDefault();
    const answer = await fetch(stay.href, { redirect: "manual" }).catch(() => null);
    if (!answer?.ok) { location.assign(stay.href); return; }
    ends = Date.now() + Number(place.dataset.session) * 60000;
    place.replaceChildren(warning);
  });
  if (warning) setInterval(() => {
    if (Date.now() > ends - 600000 && !place.querySelector("p")) place.append(warning.content.cloneNode(true));
  }, 20000);
}
