// verify(bytes, keys, dropped) looks at everything that can be looked at without asking anybody, and never throws.
// `keys`: a JWKS with the keys that the page came with. `dropped`: a Map from the keys that somebody put on it to the
// names of their files; they may come from whoever made the game's file, so that they settle nothing. It gives
// {ok, checks: [{name, ok, detail, version}], about}; `ok` of a check is null where it could not be made, and `version`
// is the first one that is wrong, where that can be told.

const CHECKS = ["format", "chain", "signature", "commitment", "shuffles", "moves", "coins", "end", "ranking"];

const NO_CRYPTOGRAPHY =
  "This browser computes hashes and signatures only on pages that came over https, from this machine itself, " +
  "or from a file.";

// Nothing is wrong with that, and it should be known.
const CHOSEN_ALONE =
  "But no player but the host gave a nonce: the server chose the decks alone, before it knew who would join.";

class Findings {
  constructor() {
    this.found = new Map();
    this.about = {};
  }

  // The first word on a check stays.
  say(name, ok, detail, version = null) {
    if (!this.found.has(name)) this.found.set(name, { name, ok, detail, version });
  }

  blame(wrong) {
    if (wrong !== null) this.say(wrong.check, false, wrong.message, wrong.version);
  }

  // `reason`: why nothing was said of the rest.
  result(reason) {
    for (const name of CHECKS) this.say(name, null, reason);
    const checks = CHECKS.map((name) => this.found.get(name));
    return { ok: checks.every((check) => check.ok === true), checks, about: this.about };
  }
}

async function verify(bytes, keys, dropped = new Map()) {
  const findings = new Findings();
  if (globalThis.crypto?.subtle === undefined) return findings.result(NO_CRYPTOGRAPHY);
  try {
    return findings.result(await look(bytes, keyIds(keys), dropped, findings));
  } catch (error) {
    const nonsense = new Wrong("format", null, "The file makes no sense.");
    findings.blame(error instanceof Wrong ? error : nonsense);
    return findings.result("Not reached: the file is not in the format.");
  }
}

// Gives the reason why there are checks of which nothing was said.
async function look(bytes, known, dropped, findings) {
  const [headerLine, ...lines] = split(bytes);
  const header = readHeader(headerLine);
  if (lines.length < 2) throw misread("The file has a header and no events: it was cut off.");
  const trailer = readTrailer(lines.pop());
  Object.assign(findings.about, header, trailer);
  await lookAtChain(headerLine, lines, trailer, findings);
  await lookAtSignature(trailer, known, dropped, findings);
  const records = readEvents(lines, header);
  const created = records[0].event;
  const last = records.at(-1);
  Object.assign(findings.about, { seats: created.seats, began: records[0].at, ended: last.at });
  const spelt = `${lines.length} events in the order of time, each line spelt as the program writes it.`;
  findings.say("format", true, spelt);
  const seed = await lookAtCommitment(created, last.event, findings);
  if (header.rules_version > RULES_VERSION) {
    return `Version ${header.rules_version} of the rules is newer than this page.`;
  }
  const { table, wrong } = played(records);
  const first = (seed === null ? null : await wrongShuffle(table, seed, header.game)) ?? wrong;
  if (first !== null) {
    // Whatever else is wrong may be so because of this.
    findings.blame(first);
    return `Not reached: version ${first.version} is wrong.`;
  }
  sayAllRight(table, seed, findings);
  return "";
}

function played(records) {
  const created = records[0].event;
  const edition = created.rules_version === RULES_VERSION ? editionOf(created) : null;
  if (edition !== null) return follow(records, edition);
  const game = `${created.ruleset} for ${created.seats} players`;
  const sentence = `there is no ${game} with these options in version ${created.rules_version} of the rules.`;
  return { table: null, wrong: new Wrong("moves", 1, sentence) };
}

async function lookAtChain(headerLine, lines, trailer, findings) {
  const whole = (await headOf(headerLine, lines)) === trailer.head;
  const right = `The hashes of the header and ${lines.length} events lead to the head.`;
  const broken = "The hashes of the lines do not lead to the head: a line was changed, added, moved or taken away.";
  findings.say("chain", whole, whole ? right : broken);
}

async function lookAtSignature(trailer, known, dropped, findings) {
  const signed = await isSigned(trailer);
  if (signed === null) {
    const detail = "This browser knows no Ed25519. A newer one does, and so does bohnanza verify.";
    findings.say("signature", null, detail);
  } else if (!signed) {
    findings.say("signature", false, "The head was not signed with the key that the file names.");
  } else if (known.includes(trailer.key)) {
    findings.say("signature", true, "The head is signed with a key that this page came with.");
  } else if (dropped.has(trailer.key)) {
    const detail = `The head is signed with a key of ${dropped.get(trailer.key)}, not one that this page came with.`;
    findings.say("signature", null, detail);
  } else if (known.length > 0) {
    const detail = "The head is signed, but with none of the known keys: anybody can have made this file.";
    findings.say("signature", false, detail);
  } else if (dropped.size > 0) {
    const detail = "The head is signed with the key that the file names, and with none of those that were put on the " +
      "page: anybody can have made this file, or those. Compare its key with one that you noted before.";
    findings.say("signature", null, detail);
  } else {
    const detail = "The head is signed with the key that the file names, and no key is known here: anybody can have " +
      "made this file. Compare its key with one that you noted before.";
    findings.say("signature", null, detail);
  }
}

// The seed in bytes, null where it is not the one that was committed to.
async function lookAtCommitment(created, last, findings) {
  if (last.seed === undefined) {
    findings.say("commitment", false, "No seed is told: the history stops before the end of the game.");
    return null;
  }
  const seed = fromHexadecimal(last.seed);
  const kept = hexadecimal(await sha256(seed)) === created.commitment;
  const said = kept ? "The seed is the one" : "The seed is not the one";
  findings.say("commitment", kept, `${said} that was committed to before any player but the host joined.`);
  return kept ? seed : null;
}

// The first thing that the seed decides otherwise, or null.
async function wrongShuffle(table, seed, game) {
  if (table === null || table.started === null) return null;
  const nonces = table.places.map((place) => place.nonce);
  const chosen = await startSeat(seed, game, nonces);
  if (chosen !== table.started.seat) {
    const sentence = `seat ${table.started.seat} starts; the seed chooses ${chosen}.`;
    return new Wrong("shuffles", table.started.version, sentence);
  }
  for (const { version, number, pool, beans } of table.shuffles) {
    const deck = await shuffled(seed, game, nonces, number, pool);
    const place = deck.findIndex((bean, index) => bean !== beans[index]);
    if (place !== -1) {
      const sentence = `by the seed, card ${place + 1} of shuffle ${number} is ${deck[place]}, not ${beans[place]}.`;
      return new Wrong("shuffles", version, sentence);
    }
  }
  return null;
}

function sayAllRight(table, seed, findings) {
  const count = table.shuffles.length;
  const shuffles = count === 1 ? "the one shuffle" : `all ${count} shuffles`;
  if (seed === null) {
    findings.say("shuffles", null, "Without the seed that was committed to no shuffle can be recomputed.");
  } else if (count === 0) {
    findings.say("shuffles", true, "Nothing was shuffled.");
  } else {
    const alone = table.places.some((place) => place.counts) ? "" : ` ${CHOSEN_ALONE}`;
    findings.say("shuffles", true, `The starting seat and ${shuffles} follow from the seed and the nonces.${alone}`);
  }
  const taken = `${table.nextCard - 1} cards were taken from the piles in their order`;
  findings.say("moves", true, `${taken}, and every card that moved lay where it is said to have come from.`);
  const purchases = table.purchases === 0 ? "" : `; fields that were bought and paid for: ${table.purchases}`;
  findings.say("coins", true, `${table.harvests} harvests pay what the beanometers say${purchases}.`);
  if (table.over === "abandoned") {
    findings.say("end", true, "The game was abandoned before its start.");
    findings.say("ranking", true, "A game that was abandoned has no ranking.");
  } else {
    const exhaustion = `The deck was used up for the last time (${table.exhaustions})`;
    findings.say("end", true, `${exhaustion}, every field was harvested, and nothing comes after.`);
    findings.say("ranking", true, "Ranks and winners follow from coins and hands.");
  }
}
