// Shows the contents of a report on its page.
"use strict";

// Links to the parts of a page become folds. The page is fetched when a fold is opened or a link leads into the page.
const parts = [...document.querySelectorAll("a[data-unfold]")];
if (parts.length) {
  const { href, pathname } = parts[0], folds = new Map();
  let fetching = null;

  async function fetchParts() {
    const answer = await fetch(href).catch(() => null);
    const page = new DOMParser().parseFromString(answer?.ok ? await answer.text() : "", "text/html");
    for (const [name, fold] of folds) {
      const part = page.getElementById(name);
      if (!part) { location.assign(href); return; }  // the page itself says why, for instance that the session ended
      part.querySelector("h2").remove();
      fold.append(...part.childNodes);
    }
  }

  for (const link of parts) {
    const fold = document.createElement("details"), summary = document.createElement("summary");
    const heading = document.createElement("h3");
    heading.textContent = link.textContent;
    summary.append(heading);
    fold.append(summary);
    folds.set(link.hash.slice(1), fold);
    fold.addEventListener("toggle", async () => {
      if (!fold.open) return;
      await (fetching ??= fetchParts());
      nameTables(fold.querySelectorAll("table"));
    });
    link.replaceWith(fold);
    fold.open = "open" in link.dataset;
  }

  document.addEventListener("click", async (event) => {
    const link = event.target.closest("a[href]");
    if (link?.pathname !== pathname || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    await (fetching ??= fetchParts());
    const fold = document.getElementById(link.hash.slice(1))?.closest("details");
    if (!fold) { location.assign(link.href); return; }
    fold.open = true;
    location.hash = link.hash;
  });
}
