// What a person sees: files are chosen or dropped, and each gets a verdict with the list of its checks.

const TITLES = {
  format: "Format",
  chain: "Hash chain",
  signature: "Signature",
  commitment: "Commitment",
  shuffles: "Shuffles",
  moves: "Moves (in part)",
  coins: "Coins",
  end: "End",
  ranking: "Ranking",
};
const MARKS = { true: ["✓", "right"], false: ["✗", "wrong"], null: ["–", "left open"] };
const LONGEST_NAME = 80;

// The keys that this page came with, and those that were dropped on it: each with the name of its file.
const known = { keys: [] };
const dropped = new Map();
const shown = [];

const byId = (id) => document.getElementById(id);

function element(tag, text = "", attributes = {}) {
  const made = document.createElement(tag);
  made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

// Without signs that are not seen, or that turn the text around them.
const called = (file) => file.name.replaceAll(/\p{C}/gu, "").slice(0, LONGEST_NAME);

// Only what was taken last may show its verdicts, however long those before it take.
let newest = 0;
let sorting = Promise.resolve();

async function take(files) {
  if (files.length === 0) return;
  newest += 1;
  const turn = newest;
  busy(`Checking ${files.map(called).join(", ")} …`);
  sorting = sorting.then(() => sort(files));
  await sorting;
  const logs = [...shown];
  const verdicts = [];
  for (const file of logs) {
    if (turn !== newest) return;
    busy(`Checking ${called(file)} …`);
    verdicts.push(verdictOf(file, await examined(file)));
  }
  if (turn !== newest) return;
  byId("verdicts").replaceChildren(...verdicts);
  byId("verdicts").setAttribute("aria-busy", "false");
  byId("progress").textContent = verdicts.length === 0 ? "Choose the file of a game now." : "";
}

function busy(sentence) {
  byId("progress").textContent = sentence;
  byId("verdicts").replaceChildren();
  byId("verdicts").setAttribute("aria-busy", "true");
}

// A JWKS in a file of its own adds keys; everything else is taken for a log. Keys alone leave the logs as they are.
async function sort(files) {
  const logs = [];
  for (const file of files) {
    if (!(await addKeys(file))) logs.push(file);
  }
  if (logs.length > 0) shown.splice(0, shown.length, ...logs);
}

async function addKeys(file) {
  if (!file.name.endsWith(".json") || file.size > 100_000) return false;
  const ids = await file.text().then((text) => keyIds(JSON.parse(text)), () => []).catch(() => []);
  if (ids.length === 0) return false;
  for (const x of ids) if (!keyIds(known).includes(x) && !dropped.has(x)) dropped.set(x, called(file));
  showKeys();
  return true;
}

async function examined(file) {
  const large = tooLarge(file.size);
  let bytes = new Uint8Array();
  let unread = large;
  try {
    if (large === null) bytes = new Uint8Array(await file.arrayBuffer());
  } catch {
    unread = "The browser cannot read this file.";
  }
  if (unread === null) return verify(bytes, known, dropped);
  const findings = new Findings();
  findings.blame(misread(unread));
  return findings.result("Not reached: the file was not read.");
}

function verdictOf(file, { ok, checks, about }) {
  const verdict = ok ? "right" : checks.some((check) => check.ok === false) ? "wrong" : "open";
  const { seal, told, reason } = VERDICTS[verdict];
  const article = element("article", "", { "data-verdict": verdict, "data-file": called(file) });
  const head = element("header");
  const words = element("div");
  words.append(element("h2", told), element("p", reason(checks)));
  head.append(element("span", seal, { class: "seal", "aria-hidden": "true" }), words);
  article.append(head, factsOf(file, about), listOf(checks));
  return article;
}

const VERDICTS = {
  right: {
    seal: "✓",
    told: "Everything that this page can check is right.",
    reason: () => "Whether the rules allowed every move is checked by bohnanza verify only.",
  },
  wrong: { seal: "✗", told: "This file is wrong.", reason: (checks) => firstWrong(checks) },
  open: {
    seal: "?",
    told: "Nothing wrong was found, but not everything could be checked.",
    reason: (checks) => checks.find((check) => check.ok === null).detail,
  },
};

// Of several things the first version, for what follows may be wrong because of it.
function firstWrong(checks) {
  const wrong = checks.filter((check) => check.ok === false);
  const versions = wrong.map((check) => check.version).filter((version) => version !== null);
  const first = wrong.find((check) => check.version === Math.min(...versions)) ?? wrong[0];
  return first.detail;
}

function factsOf(file, about) {
  const facts = element("dl");
  const seats = about.seats === undefined ? "" : `, ${about.seats} players`;
  const rows = [
    ["File", called(file)],
    ["Game", about.game],
    ["Edition", about.ruleset && `${about.ruleset}${seats}, rules version ${about.rules_version}`],
    ["Played", about.began && `${moment(about.began)} to ${moment(about.ended)} (UTC)`],
    ["Head", about.head],
    ["Key", about.key],
  ];
  for (const [name, value] of rows) {
    if (value) facts.append(element("dt", name), element("dd", value));
  }
  return facts;
}

const moment = (at) => at.slice(0, 19).replace("T", " ");

function listOf(checks) {
  const list = element("ol");
  for (const { name, ok, detail } of checks) {
    const [mark, meaning] = MARKS[ok];
    const item = element("li", "", { "data-check": name, "data-ok": ok });
    item.append(
      element("span", mark, { class: "mark", role: "img", "aria-label": meaning }),
      element("strong", TITLES[name]),
      element("span", detail, { class: "detail" }),
    );
    list.append(item);
  }
  return list;
}

function showKeys() {
  const ids = keyIds(known);
  byId("known").replaceChildren(...ids.map((id) => element("li", id)));
  byId("own").hidden = ids.length === 0;
  byId("unknown").hidden = ids.length > 0;
  const rows = Array.from(dropped, ([id, name]) => {
    const item = element("li", id);
    item.append(element("span", ` from ${name}`));
    return item;
  });
  byId("dropped").replaceChildren(...rows);
  byId("strange").hidden = dropped.size === 0;
}

function start() {
  try {
    known.keys = keyIds(JSON.parse(byId("keys").textContent)).map((x) => ({ kty: "OKP", crv: "Ed25519", x }));
  } catch {
    known.keys = [];
  }
  showKeys();
  byId("insecure").hidden = globalThis.crypto?.subtle !== undefined;
  byId("save").hidden = location.protocol === "file:";
  const files = byId("files");
  files.disabled = !byId("insecure").hidden;
  files.addEventListener("change", () => {
    const chosen = [...files.files];
    // So that the same file, written anew, can be chosen again.
    files.value = "";
    take(chosen);
  });
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    document.body.classList.add("over");
  });
  for (const leaving of ["dragleave", "drop"]) {
    document.addEventListener(leaving, () => document.body.classList.remove("over"));
  }
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    if (!files.disabled) take([...event.dataTransfer.files]);
  });
}

start();
