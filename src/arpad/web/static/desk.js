// Names the player or the report behind a number that is typed into a form of the desk, and loads a page again while
// the work that it waits for is under way.
"use strict";

// The site may be below a path of its host: addresses are relative to this script.
const names = new URL("../desk/names", document.currentScript.src).href;

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
    const answer = await fetch(`${names}/${field.dataset.named}/${number}`);
    if (!answer.ok || number !== asked) return;
    name.textContent = (await answer.text()) || "?";
  }
  field.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(ask, 150); });
  ask();
}

if (document.querySelector("[data-reload]")) setTimeout(() => location.reload(), 5000);
