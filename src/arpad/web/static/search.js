// Suggests players while somebody types: arrow keys choose, Enter opens, Escape closes.
// Without this script the form sends the text and the page of results shows the same players.
"use strict";

// The site may be below a path of its host: addresses are relative to this script.
const suggestions = new URL("../players/suggestions?q=", document.currentScript.src).href;

for (const form of document.querySelectorAll("form[data-search]")) {
  const field = form.querySelector("input"), panel = form.querySelector(".suggestions");
  let asked = "", timer = 0, chosen = -1;
  panel.id = "suggestions";
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

  async function ask() {
    const words = field.value.trim();
    if (words.length < 2) { asked = ""; show(false); return; }
    if (words === asked) { show(true); return; }
    asked = words;
    const answer = await fetch(suggestions + encodeURIComponent(words)).catch(() => null);
    if (!answer || !answer.ok || words !== asked) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (words !== asked) return;
    panel.replaceChildren(...page.body.children);
    show(true);
  }

  field.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(ask, 120); });
  field.addEventListener("focus", () => { if (field.value.trim() === asked && asked) show(true); });
  field.addEventListener("keydown", (event) => {
    const count = options().length;
    if (event.key === "Escape" && !panel.hidden) { event.preventDefault(); show(false); }
    else if (panel.hidden || !count) return;
    else if (event.key === "ArrowDown") { event.preventDefault(); choose((chosen + 1) % count); }
    else if (event.key === "ArrowUp") { event.preventDefault(); choose((chosen <= 0 ? count : chosen) - 1); }
    else if (event.key === "Enter" && chosen >= 0) { event.preventDefault(); location.assign(options()[chosen].dataset.address); }
  });
  panel.addEventListener("pointerdown", (event) => event.preventDefault());
  panel.addEventListener("click", (event) => {
    const option = event.target.closest("[role=option]");
    if (option) location.assign(option.dataset.address);
  });
  form.addEventListener("focusout", (event) => { if (!form.contains(event.relatedTarget)) show(false); });
}
