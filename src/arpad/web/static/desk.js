// Names the player or the report behind a number that is typed into a form of the desk.
"use strict";

for (const field of document.querySelectorAll("input[data-named]")) {
  const name = document.createElement("output");
  name.className = "typed";
  name.setAttribute("aria-live", "polite");
  field.after(name);
  let asked = "", timer = 0;
  async function ask() {
    const number = field.value.trim();
    if (number === asked) return;
    asked = number;
    name.textContent = "";
    if (!/^[1-9][0-9]{0,8}$/.test(number)) return;
    const answer = await fetch(`/desk/names/${field.dataset.named}/${number}`);
    if (!answer.ok || number !== asked) return;
    name.textContent = (await answer.text()) || "?";
  }
  field.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(ask, 150); });
  ask();
}
