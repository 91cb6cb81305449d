// Suggests while somebody types: arrow keys choose, Enter takes, Escape closes. In the search for players the choice
// opens the player's page; in a field of a form it is written into the field.
// Without this script the form sends the text, and the next page shows the same choices.
"use strict";

// The site may be below a path of its host: addresses are relative to this script.
const script = document.currentScript.src;

function suggest(field, panel, address, take) {
  let asked = "", timer = 0, chosen = -1;
  panel.id = `suggestions-${document.querySelectorAll("[id^=suggestions-]").length}`;
  for (const [name, value] of [["role", "combobox"], ["aria-autocomplete", "list"], ["aria-expanded", "false"], ["aria-controls", panel.id]]) {
    field.setAttribute(name, value);
  }

  const options = () => [...panel.querySelectorAll("[role=option]")];

  function choose(index) {
    chosen = index;
    for (const [at, option] of options().entries()) {
      option.setAttribute("aria-selected", String(at === index));
      if (at === index) option.scrollIntoView({ block: "nearest" });
    }
    if (index < 0) field.removeAttribute("aria-activedescendant");
    else field.setAttribute("aria-activedescendant", options()[index].id);
  }

  function show(open) {
    panel.hidden = !open;
    field.setAttribute("aria-expanded", String(open && options().length > 0));
    choose(-1);
  }

  async function found(words) {
    const answer = await fetch(address + encodeURIComponent(words)).catch(() => null);
    return answer?.ok ? new DOMParser().parseFromString(await answer.text(), "text/html").body : null;
  }

  async function ask() {
    const words = field.value.trim();
    if (words.length < 2) { asked = ""; show(false); return; }
    if (words === asked) { show(true); return; }
    asked = words;
    const page = await found(words);
    if (!page || words !== asked) return;
    panel.replaceChildren(...page.children);
    for (const [at, option] of options().entries()) option.id = `${panel.id}-${at}`;
    show(true);
  }

  function takeOption(option) { show(false); take(option); }

  field.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(ask, 120); });
  field.addEventListener("focus", () => { if (field.value.trim() === asked && asked) show(true); });
  field.addEventListener("keydown", (event) => {
    const count = options().length;
    if (event.key === "Escape" && !panel.hidden) { event.preventDefault(); show(false); }
    else if (panel.hidden || !count) return;
    else if (event.key === "ArrowDown") { event.preventDefault(); choose((chosen + 1) % count); }
    else if (event.key === "ArrowUp") { event.preventDefault(); choose((chosen <= 0 ? count : chosen) - 1); }
    else if (event.key === "Enter" && chosen >= 0) { event.preventDefault(); takeOption(options()[chosen]); }
  });
  panel.addEventListener("pointerdown", (event) => event.preventDefault());
  panel.addEventListener("click", (event) => {
    const option = event.target.closest("[role=option]");
    if (option) takeOption(option);
  });
  field.parentElement.addEventListener("focusout", (event) => {
    if (!field.parentElement.contains(event.relatedTarget)) { clearTimeout(timer); show(false); }
  });
  return found;
}

for (const form of document.querySelectorAll("form[data-search]")) {
  const address = new URL("../players/suggestions?q=", script).href;
  suggest(form.querySelector("input"), form.querySelector(".suggestions"), address, (option) => location.assign(option.dataset.address));
}

for (const field of document.querySelectorAll("input[data-pick]")) {
  const around = document.createElement("span"), panel = document.createElement("div");
  around.className = "picks";
  panel.className = "suggestions";
  panel.hidden = true;
  field.before(around);
  around.append(field, panel);
  const address = new URL(`../desk/choices/${field.dataset.pick}?q=`, script).href;
  const write = (option) => {
    field.value = option.dataset.text;
    field.dispatchEvent(new Event("change"));
  };
  const found = suggest(field, panel, address, write);
  // a number gets its name
  const name = async () => {
    const words = field.value.trim();
    const page = /^[0-9]{1,9}$/.test(words) ? await found(words) : null;
    const own = [...page?.querySelectorAll("[data-text]") ?? []].find((it) => it.dataset.text.startsWith(`${words} `));
    if (own && field.value.trim() === words) field.value = own.dataset.text;
  };
  field.addEventListener("blur", name);
  name();
}
