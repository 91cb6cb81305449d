// The editor of the page of checks: line numbers, marks on the characters of the findings, and a link from each finding
// to its place. Without this script the links lead to the same lines in the list below the text.
"use strict";

for (const editor of document.querySelectorAll("[data-editor]")) {
  const area = editor.querySelector("textarea"), numbers = editor.querySelector("[data-numbers]");
  const marks = editor.querySelector("[data-marks]"), place = editor.parentElement.querySelector("[data-place]");
  const links = [...document.querySelectorAll("a[data-line]")];
  const spots = links.map((link) => ({
    line: Number(link.dataset.line), start: Number(link.dataset.start), end: Number(link.dataset.end),
    text: link.dataset.text, severity: link.dataset.severity,
  }));
  const tooLong = 3000; // lines: a longer text has no marks behind it, only the jump

  function draw() {
    const lines = area.value.split("\n");
    numbers.textContent = lines.map((_, index) => index + 1).join("\n");
    marks.replaceChildren();
    if (lines.length > tooLong) return;
    const byLine = new Map();
    for (const spot of spots) {
      const same = spot.severity && lines[spot.line - 1]?.slice(spot.start - 1, spot.end - 1) === spot.text;
      if (same) byLine.set(spot.line, [...(byLine.get(spot.line) ?? []), spot]);
    }
    for (const [index, line] of lines.entries()) {
      let end = 0;
      for (const spot of (byLine.get(index + 1) ?? []).sort((a, b) => a.start - b.start)) {
        if (spot.start - 1 < end) continue;
        const mark = document.createElement("mark");
        mark.className = spot.severity;
        mark.textContent = spot.text;
        marks.append(line.slice(end, spot.start - 1), mark);
        end = spot.end - 1;
      }
      marks.append(line.slice(end) + "\n");
    }
  }

  function follow() {
    marks.scrollTop = numbers.scrollTop = area.scrollTop;
    marks.scrollLeft = area.scrollLeft;
  }

  function say() {
    const before = area.value.slice(0, area.selectionStart).split("\n");
    place.textContent = place.dataset.sentence
      .replace("#line", before.length).replace("#column", before.at(-1).length + 1);
  }

  function jump(spot) {
    const lines = area.value.split("\n");
    const offset = lines.slice(0, spot.line - 1).reduce((sum, line) => sum + line.length + 1, 0);
    const style = getComputedStyle(area), pen = document.createElement("canvas").getContext("2d");
    pen.font = style.font;
    area.focus({ preventScroll: true });
    area.setSelectionRange(offset + spot.start - 1, offset + spot.end - 1);
    area.scrollTop = Math.max(0, (spot.line - 1) * parseFloat(style.lineHeight) - area.clientHeight / 2);
    area.scrollLeft = Math.max(0, (spot.start - 1) * pen.measureText("0").width - area.clientWidth / 2);
    follow();
    say();
    editor.scrollIntoView({ block: "center" });
  }

  area.addEventListener("scroll", follow);
  area.addEventListener("input", draw);
  for (const name of ["keyup", "click", "select"]) area.addEventListener(name, say);
  for (const [index, link] of links.entries()) {
    link.addEventListener("click", (event) => { event.preventDefault(); jump(spots[index]); });
  }
  for (const box of document.querySelectorAll("details[data-lines]")) box.open = false;
  editor.classList.add("live");
  draw();
}

for (const link of document.querySelectorAll('a[href^="#line-"]')) {
  link.addEventListener("click", (event) => {
    if (event.defaultPrevented) return;
    const box = document.querySelector(link.hash)?.closest("details");
    if (box) box.open = true;
  });
}
