// Draws a rating curve again from the values beside its picture: with a crosshair that follows the pointer, a finger or
// the arrow keys, for one year or all, and with any of its lines. Without this script the picture and the table remain.
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const SIZE = { width: 720, height: 260, left: 66, right: 96, top: 18, bottom: 34 };
const STEPS = [5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000];
const DAY = 86400000, YEAR_DAYS = 366, MINUS = "\u2212";

function shape(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function dayNumber(text) {
  return Date.parse(text + "T00:00:00Z") / DAY;
}

function written(number, words) {
  // the language's own pattern, as the rest of the page writes days
  const day = new Date(number * DAY), digits = String(day.getUTCDate()), month = day.getUTCMonth();
  const facts = { day: words.numbers[digits] || digits, month: words.months[month], month_number: month + 1, year: day.getUTCFullYear() };
  return words.day.replace(/\{(\w+)\}/g, (whole, name) => facts[name]);
}

for (const figure of document.querySelectorAll("figure[data-curve]")) {
  const data = JSON.parse(figure.dataset.curve), words = JSON.parse(figure.dataset.words);
  const lines = data.lines.map((line, place) => ({
    ...line, place, shown: place === 0 || figure.dataset.all === "yes",
    points: line.points.map(([day, rating]) => [dayNumber(day), rating]),
  })).filter((line) => line.points.some(([, rating]) => rating !== null));
  if (lines.length) enhance(figure, lines, data.marks, words);
}

function enhance(figure, lines, marks, words) {
  const old = figure.querySelector("svg"), label = old ? old.getAttribute("aria-label") : "";
  const slider = element("input", { type: "range", min: "0", step: "1", "aria-label": words.slider });
  const output = element("output", {}), link = element("a", { class: "screen" }, words.list || "");
  const name = "span-" + Math.random().toString(36).slice(2);
  let onlyYear = false, stops = [], scale = null, cross = null;

  function visible() {
    const shown = lines.filter((line) => line.shown);
    return shown.length ? shown : lines.slice(0, 1);
  }

  function lastDay() {
    return Math.max(...lines.map((line) => line.points[line.points.length - 1][0]));
  }

  function cut(line) {
    // a line of one year begins with the rating that held on its first day
    const from = onlyYear ? lastDay() - YEAR_DAYS : -Infinity;
    const inside = line.points.filter(([day]) => day >= from);
    const before = line.points.filter(([day]) => day < from).pop();
    return before && before[1] !== null ? [[from, before[1]], ...inside] : inside;
  }

  function ratingOn(line, day) {
    const known = line.points.filter((point) => point[0] <= day).pop();
    return known ? known[1] : null;
  }

  function draw() {
    const shown = visible().map((line) => ({ line, points: cut(line) }));
    const rated = shown.flatMap(({ points }) => points.filter(([, rating]) => rating !== null));
    const low = Math.min(...rated.map((point) => point[1])), high = Math.max(...rated.map((point) => point[1]));
    const step = STEPS.find((size) => (high - low) / size <= 4) ?? 2000;
    const bottom = Math.floor(low / step) * step, top = Math.max(Math.ceil(high / step) * step, bottom + step);
    const first = Math.min(...rated.map((point) => point[0])), last = Math.max(...rated.map((point) => point[0]));
    const x = (day) => SIZE.left + (SIZE.width - SIZE.left - SIZE.right) * (day - first) / Math.max(1, last - first);
    const y = (rating) => SIZE.height - SIZE.bottom - (SIZE.height - SIZE.top - SIZE.bottom) * (rating - bottom) / (top - bottom);
    scale = { x, y, first, last };
    const svg = shape("svg", { class: "chart", viewBox: `0 0 ${SIZE.width} ${SIZE.height}`, role: "img", "aria-label": label });
    for (let rating = bottom; rating <= top; rating += step) {
      svg.append(shape("line", { class: "grid", x1: SIZE.left, x2: SIZE.width - SIZE.right, y1: y(rating), y2: y(rating) }));
      svg.append(shape("text", { x: SIZE.left - 8, y: y(rating) + 4, "text-anchor": "end" }, String(rating)));
    }
    let free = -Infinity;
    for (let year = new Date(first * DAY).getUTCFullYear(); year <= new Date(last * DAY).getUTCFullYear(); year += 1) {
      const at = x(Math.max(Date.UTC(year, 0, 1) / DAY, first));
      if (at < free) continue;
      svg.append(shape("text", { x: at, y: SIZE.height - 8 }, String(year)));
      free = at + 62;
    }
    for (const { line, points } of shown) svg.append(lineShape(line, points, shown.length === 1));
    // the ratings at the ends of lines are moved apart, as on the server
    const ends = [...svg.querySelectorAll(".now")].sort((one, other) => one.getAttribute("y") - other.getAttribute("y"));
    for (const [index, text] of ends.entries()) {
      if (index) text.setAttribute("y", Math.max(text.getAttribute("y"), Number(ends[index - 1].getAttribute("y")) + 24));
    }
    if (visible()[0].place === 0) {
      for (const [day, rating, kind, text] of marks) {
        const at = dayNumber(day);
        if (at < first || at > last) continue;
        const mark = shape("path", { class: "mark " + kind, d: `M${x(at)} ${y(rating) - 18}l6 6l-6 6l-6-6Z` });
        mark.append(shape("title", {}, text));
        svg.append(mark);
      }
    }
    cross = shape("line", { class: "cross", y1: SIZE.top, y2: SIZE.height - SIZE.bottom, x1: -9, x2: -9 });
    svg.append(cross);
    for (const event of ["pointermove", "pointerdown"]) svg.addEventListener(event, follow);
    if ("leads" in figure.dataset) svg.addEventListener("click", (event) => { if (event.pointerType === "mouse") location.assign(link.href); });
    figure.querySelector("svg").replaceWith(svg);
    stops = [...new Set(shown.flatMap(({ points }) => points.map((point) => point[0])))].sort((a, b) => a - b);
    slider.max = String(stops.length - 1);
    slider.value = slider.max;
    tell();
  }

  function lineShape(line, points, alone) {
    const group = shape("g", { class: "line line-" + (alone ? 0 : line.place) });
    let path = "", end = null, open = false;
    for (const [day, rating] of points) {
      if (rating === null) { open = false; continue; }
      path += `${open ? "L" : "M"}${scale.x(day).toFixed(1)} ${scale.y(rating).toFixed(1)}`;
      open = true;
      end = [day, rating];
    }
    group.append(shape("path", { class: "curve", d: path }));
    if (end) {
      group.append(shape("circle", { class: "last", cx: scale.x(end[0]), cy: scale.y(end[1]), r: 4.5 }));
      group.append(shape("text", { class: "now", x: scale.x(end[0]) + 10, y: scale.y(end[1]) + 6 }, String(end[1])));
    }
    return group;
  }

  function tell() {
    const place = Number(slider.value), day = stops[place];
    if (day === undefined) return;
    const parts = visible().map((line) => {
      const rating = ratingOn(line, day), before = place ? ratingOn(line, stops[place - 1]) : null;
      const change = rating !== null && before !== null ? rating - before : 0;
      const gain = change ? ` (${change > 0 ? "+" : MINUS}${Math.abs(change)})` : "";
      return `${line.name} ${rating ?? "–"}${gain}`;
    });
    const happened = marks.filter((mark) => dayNumber(mark[0]) === day && visible()[0].place === 0).map((mark) => mark[3]);
    const text = [`${written(day, words)}${words.colon} ${parts.join(", ")}`, ...happened].join(". ");
    output.textContent = text;
    if ("leads" in figure.dataset) {
      const day = new Date(stops[place] * DAY).toISOString().slice(0, 10), id = visible()[0].id;
      link.href = `?list=${id}&at=${day}#opened`;
    }
    slider.setAttribute("aria-valuetext", text);
    cross.setAttribute("x1", scale.x(day));
    cross.setAttribute("x2", scale.x(day));
  }

  function follow(event) {
    const box = event.currentTarget.getBoundingClientRect();
    const at = (event.clientX - box.left) / box.width * SIZE.width;
    let nearest = 0;
    stops.forEach((day, place) => {
      if (Math.abs(scale.x(day) - at) < Math.abs(scale.x(stops[nearest]) - at)) nearest = place;
    });
    slider.value = String(nearest);
    tell();
  }

  function choice(type, text, checked, change, group) {
    const field = element("input", { type, ...(group ? { name: group } : {}) });
    field.checked = checked;
    field.addEventListener("change", () => { change(field.checked); draw(); });
    return element("label", {}, field, text);
  }

  const choices = element("div", { class: "choices screen" },
    choice("radio", words.all, true, () => { onlyYear = false; }, name),
    choice("radio", words.year, false, () => { onlyYear = true; }, name));
  if (lines.length > 1) {
    for (const line of lines) choices.append(choice("checkbox", line.name, line.shown, (on) => { line.shown = on; }));
  }
  if (!old) figure.prepend(shape("svg", {}));
  slider.classList.add("screen");
  figure.append(slider, output, ...("leads" in figure.dataset ? [link] : []), choices);
  slider.addEventListener("input", tell);
  draw();
}
