// From bytes to a log. Every line has exactly one spelling: what is read is written again and must give the same bytes.

const FORMAT = "bohnanza-log";
const FORMAT_VERSION = 1;
const MOST_BYTES = 32 * 1024 * 1024;
const MOST_LINES = 200_000;
// Of bytes. No event comes near it: the longest holds a whole deck.
const LONGEST_LINE = 65_536;
const LINE_END = 10;

// Something is wrong, and which check says so. `version`: the line of the log, null where it is none.
class Wrong extends Error {
  constructor(check, version, sentence) {
    super(version === null ? sentence : `Version ${version}: ${sentence}`);
    this.check = check;
    this.version = version;
  }
}

const misread = (sentence, version = null) => new Wrong("format", version, sentence);

// A limit that is said in a sentence is better than a tab that dies.
function tooLarge(size) {
  if (size <= MOST_BYTES) return null;
  return `The file has ${size.toLocaleString("en")} bytes. This page reads up to 32 MiB; use bohnanza verify.`;
}

// The lines as bytes, without their ends. Wrong where the file as a whole cannot be a log.
function split(bytes) {
  const large = tooLarge(bytes.length);
  if (large !== null) throw misread(large);
  if (bytes.length === 0) throw misread("The file is empty.");
  if (bytes[bytes.length - 1] !== LINE_END) {
    throw misread("The file does not end with a line end: it was cut off, or something was added.");
  }
  const lines = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(LINE_END, start);
    if (lines.length === MOST_LINES) throw misread("The file has more than 200,000 lines: use bohnanza verify.");
    if (end - start > LONGEST_LINE) throw misread(`Line ${lines.length + 1} is longer than any line of an export.`);
    lines.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return lines;
}

// The first line. Wrong says whether it is something else altogether, or written by a newer program.
function readHeader(line) {
  const header = parsed(line, "Line 1");
  if (!isObject(header) || header.format !== FORMAT) {
    throw misread(`This is no log of a game: line 1 does not begin with "format":"${FORMAT}".`);
  }
  if (header.format_version !== FORMAT_VERSION) {
    const isNewer = whole(header.format_version) && header.format_version > FORMAT_VERSION;
    if (!isNewer) throw misread("Line 1: there is no such format version.");
    const newer = `The file is of format version ${header.format_version}, and this page reads ${FORMAT_VERSION}`;
    throw misread(`${newer}: a newer program wrote it. Get a newer copy of this page.`);
  }
  return inOneSpelling(line, header, HEADER, "Line 1");
}

// The last line.
function readTrailer(line) {
  const trailer = parsed(line, "The last line");
  if (isObject(trailer) && Object.hasOwn(trailer, "version")) {
    throw misread("The last line is an event and no trailer with head, key and signature: the file was cut off.");
  }
  inOneSpelling(line, trailer, TRAILER, "The last line");
  if (fromBase64url(trailer.key, KEY_BYTES) === null) throw misread("The last line: the key is no Ed25519 key.");
  if (fromBase64url(trailer.signature, SIGNATURE_BYTES) === null) {
    throw misread("The last line: the signature is none in base64url.");
  }
  return trailer;
}

// The lines between: versions 1, 2, 3, … in the order of time, and in each an event that is known.
function readEvents(lines, header) {
  const records = [];
  let earlier = "";
  for (const [place, line] of lines.entries()) {
    const version = place + 1;
    const where = `line ${version + 1}`;
    const record = parsed(line, where, version);
    if (!isObject(record) || !isObject(record.event)) throw misread(`${where} is no event.`, version);
    const type = record.event.type;
    if (typeof type !== "string" || !Object.hasOwn(EVENTS, type)) {
      const named = String(typeof type === "string" ? type : "").slice(0, 40);
      throw misread(`this page knows no event "${named}" (${where}). A newer program may have written it.`, version);
    }
    const event = { type: oneOf(type), ...EVENTS[type] };
    inOneSpelling(line, record, { ...LINE, event }, where, version);
    if (record.version !== version) throw misread(`${where} says version ${record.version}.`, version);
    // All times are equally long, so the order of the texts is the order of the times.
    if (record.at < earlier) throw misread(`it is earlier than the version before (${where}).`, version);
    earlier = record.at;
    records.push(record);
  }
  readBeginning(records[0], header);
  return records;
}

function readBeginning(first, header) {
  if (first?.event.type !== "game_created") throw misread("a game begins with game_created.", 1);
  for (const name of ["ruleset", "rules_version"]) {
    if (first.event[name] !== header[name]) throw misread(`${name} is not that of the header.`, 1);
  }
}

function parsed(line, where, version = null) {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(line));
  } catch (error) {
    const kind = error instanceof SyntaxError ? "JSON" : error instanceof TypeError ? "UTF-8" : "readable text";
    throw misread(`${where} is no ${kind}.`, version);
  }
}

function inOneSpelling(line, value, shape, where, version = null) {
  const found = misfit(value, shape, "");
  if (found !== null) throw misread(`${where} has something wrong at ${found.slice(1) || "its beginning"}.`, version);
  const rewritten = new TextEncoder().encode(JSON.stringify(value));
  if (!same(rewritten, line)) throw misread(`${where} is not spelt as the program writes it.`, version);
  return value;
}

function same(one, other) {
  return one.length === other.length && one.every((byte, place) => byte === other[place]);
}
