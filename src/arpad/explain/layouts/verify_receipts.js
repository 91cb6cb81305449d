"use strict";
// Checks a receipt or the proof of a line as proofs/receipts.py and proofs/lines.py do, in the browser alone.
const about = JSON.parse(document.getElementById("words").textContent);
if (location.protocol === "file:") document.querySelector(".crumbs").hidden = true; // a saved page has no site around it
const utf8 = text => new TextEncoder().encode(text);
const same = (one, other) => one.length === other.length && one.every((byte, place) => byte === other[place]);
const joined = (...parts) => {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let place = 0;
  for (const part of parts) { whole.set(part, place); place += part.length; }
  return whole;
};
const sha256 = async data => new Uint8Array(await crypto.subtle.digest("SHA-256", data));
const leafHash = data => sha256(joined([0], data));
const nodeHash = (left, right) => sha256(joined([1], left, right));
const hex = bytes => Array.from(bytes, byte => byte.toString(16).padStart(2, "0")).join("");
const unhex = text => Uint8Array.from(text.match(/../g) || [], pair => parseInt(pair, 16));
const unbase64 = text => Uint8Array.from(atob(text), letter => letter.charCodeAt(0));

async function rootFromInclusion(index, size, leaf, path) {
  if (!(index >= 0 && index < size)) return null;
  let place = index, last = size - 1, root = leaf;
  for (const node of path) {
    if (last === 0) return null;
    if (place % 2 || place === last) {
      root = await nodeHash(node, root);
      while (place % 2 === 0 && place) { place = Math.floor(place / 2); last = Math.floor(last / 2); }
    } else root = await nodeHash(root, node);
    place = Math.floor(place / 2); last = Math.floor(last / 2);
  }
  return last === 0 ? root : null;
}

function parseNote(written) {
  const cut = written.lastIndexOf("\n\n");
  const text = written.slice(0, cut + 1);
  const [origin, size, root] = text.split("\n");
  const signatures = written.slice(cut + 2).split("\n").filter(Boolean).map(line => {
    const [dash, name, data] = line.split(" ");
    if (dash !== "—") throw new Error("note");
    const bytes = unbase64(data);
    return { name, number: hex(bytes.slice(0, 4)), data: bytes.slice(4) };
  });
  if (cut < 0 || !signatures.length || !/^(0|[1-9][0-9]{0,15})$/.test(size)) throw new Error("note");
  return { text, origin, size: Number(size), root: unbase64(root), signatures };
}

async function parseKey(line) {
  const [name, number, encoded] = line.trim().split(/\+(.*?)\+(.*)/s);
  const data = unbase64(encoded);
  const digest = await sha256(joined(utf8(name + "\n"), data));
  if (data.length !== 33 || data[0] !== 1 || hex(digest.slice(0, 4)) !== number) throw new Error("key");
  return { name, number, data: data.slice(1) };
}

// true, false, null without a key, undefined if the browser cannot check such signatures
async function signed(note, keys) {
  if (!keys.length) return null;
  for (const key of keys) {
    for (const it of note.signatures) {
      if (key.name !== note.origin || it.name !== key.name || it.number !== key.number) continue;
      let known;
      try { known = await crypto.subtle.importKey("raw", key.data, { name: "Ed25519" }, false, ["verify"]); }
      catch { return undefined; }
      if (await crypto.subtle.verify({ name: "Ed25519" }, known, it.data, utf8(note.text))) return true;
    }
  }
  return false;
}

async function actIncluded(document, note) {
  const texts = ["details", "reason"];  // they are in the seal as digests
  const values = about.act.map(async name => texts.includes(name) ? hex(await sha256(utf8(document.act[name]))) : document.act[name]);
  const seal = await sha256(utf8(JSON.stringify(await Promise.all(values))));
  const root = await rootFromInclusion(document.act.seq - 1, document.size, await leafHash(seal), document.path.map(unbase64));
  return note.size === document.size && root !== null && same(root, note.root);
}

function publishedList(document) {
  const facts = JSON.parse(document.act.details);
  const entries = (facts.revisions || [{}]).map(entry => ({ ...facts, ...entry }));
  return entries.find(entry => entry.publication === document.publication) || {};
}

async function lineIncluded(document, published) {
  const seal = published.lines;
  if (!seal || !(document.index >= 0 && document.index < seal.count)) return false;
  const number = Math.floor(document.index / about.group), place = document.index % about.group;
  const group = document.group.map(unbase64);
  if (group.length !== Math.min(about.group, seal.count - number * about.group)) return false;
  if (!same(group[place], await sha256(utf8(document.line)))) return false;
  const leaf = await leafHash(joined(...group));
  const root = await rootFromInclusion(number, Math.ceil(seal.count / about.group), leaf, document.line_path.map(unbase64));
  return root !== null && same(root, unhex(seal.root));
}

function sentence(key, facts) {
  return about.sentences[key].replace(/\{(\w+)\}/g, (whole, name) => name in facts ? String(facts[name]) : whole);
}

async function check(text, keyLines, report) {
  const document = JSON.parse(text);
  if (!about.schemas.includes(document.schema)) throw new Error("schema");
  const note = parseNote(document.checkpoint);
  const facts = { origin: note.origin, act: document.act.seq, at: document.act.at, size: document.size };
  const lines = [];
  const tell = (answer, key, more = {}) => {
    const state = answer === null || answer === undefined ? "open" : answer ? "yes" : "no";
    const ending = answer === undefined ? "browser" : state;
    lines.push([state, sentence(`${key}-${ending}`, { ...facts, ...more })]);
  };
  const isLine = document.schema === about.schemas[1];
  if (isLine) {
    const published = publishedList(document);
    tell(await lineIncluded(document, published), "line", {
      line: document.line.split(/\s+/).join(" ").trim(), list: published.list, day: published.day, revision: published.revision,
      number: document.index + 1, digest: published.digest,
    });
  }
  const included = await actIncluded(document, note);
  tell(included, "included");
  const keys = [];
  for (const line of keyLines) keys.push(await parseKey(line));
  tell(await signed(note, keys), "signed");
  if (!isLine) {
    const digest = report ? hex(await sha256(report)) : null;
    tell(digest === null ? null : JSON.parse(document.act.details).sha256 === digest, "file");
  }
  if (lines.every(([state]) => state !== "no")) lines.push(["open", sentence(isLine ? "line-after" : "still-there", facts)]);
  return lines;
}

const field = name => document.getElementById(name);
field("form").addEventListener("submit", async event => {
  event.preventDefault();
  let lines;
  try {
    const receipt = field("receipt").files[0], report = field("report").files[0];
    if (!crypto.subtle) lines = [["no", sentence("no-crypto", {})]];
    else if (!receipt) lines = [["no", sentence("choose", {})]];
    else {
      const keyLines = field("key").value.split("\n").filter(line => line.trim());
      const bytes = report ? new Uint8Array(await report.arrayBuffer()) : null;
      lines = await check(await receipt.text(), keyLines, bytes);
    }
  } catch (error) {
    lines = [["no", sentence(error.message === "key" ? "bad-key" : "bad", {})]];
  }
  field("result").replaceChildren(...lines.map(([state, text]) => {
    const item = document.createElement("li");
    item.className = state;
    item.textContent = text;
    return item;
  }));
});
