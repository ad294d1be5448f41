"use strict";
// What the lines of an export look like: every object with its fields in the order in which they are written, and what
// may stand in each. Held against the events of the server by a test.

const BEANS = [
  "coffee", "wax", "blue", "chili", "stink", "green", "soy", "black_eyed", "red", "garden", "cocoa", "field_bean",
];

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const whole = (value) => Number.isSafeInteger(value) && value >= 0;
const flag = (value) => typeof value === "boolean";
const upTo = (most) => (value) => whole(value) && value <= most;
const text = (value) => typeof value === "string" && /^[ -~]*$/.test(value);
const nonce = (value) => text(value) && value.length <= 64;
const gameId = (value) => typeof value === "string" && /^[!-~]{1,64}$/.test(value);
const base64url = (value) => typeof value === "string" && /^[A-Za-z0-9_-]{1,128}$/.test(value);
const hex256 = (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
const nothing = (value) => value === null;
const bean = (value) => BEANS.includes(value);
const time = (value) =>
  typeof value === "string" &&
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(value) &&
  isMoment(`${value.slice(0, 23)}Z`);
const orNull = (shape) => (value) => value === null || shape(value);
const oneOf = (...words) => (value) => words.includes(value);
const want = (value) =>
  isObject(value) && Object.entries(value).every(([kind, count]) => bean(kind) && whole(count) && count > 0);
// An option that was not chosen is left out.
const options = (value) =>
  isObject(value) &&
  ["start_when_full", "start_when_full,duel_fields"].includes(Object.keys(value).join()) &&
  flag(value.start_when_full) &&
  [undefined, 2, 3].includes(value.duel_fields);

const CARD = { card: whole, bean };
const RANK = { seat: whole, coins: whole, hand_size: whole, rank: whole };

const HEADER = { format: text, format_version: whole, game: gameId, ruleset: text, rules_version: whole };
const TRAILER = { head: hex256, key: base64url, signature: base64url };
// Of a line; its event stands in `event`.
const LINE = { version: upTo(2 ** 31 - 1), at: time, seat: orNull(upTo(2 ** 15 - 1)) };

const EVENTS = {
  game_created: {
    ruleset: text,
    options,
    rules_version: whole,
    seats: whole,
    visibility: oneOf("public", "private"),
    clock: nothing,
    host: text,
    commitment: hex256,
  },
  player_joined: { seat: whole, player: text, nonce },
  bot_joined: { seat: whole, policy: text },
  player_left: { seat: whole },
  game_started: { start_seat: whole, seats: whole },
  deck_shuffled: { shuffle: whole, size: whole, beans: [bean] },
  cards_dealt: { seat: whole, cards: [CARD] },
  turn_started: { turn: whole, seat: whole },
  bean_planted: {
    seat: whole,
    field: whole,
    card: whole,
    bean,
    source: oneOf("hand", "pending", "gift", "face_up"),
  },
  cards_revealed: { seat: whole, cards: [CARD] },
  cards_swept: { seat: whole, cards: [CARD] },
  trade_offered: {
    offer: whole,
    from: whole,
    to: orNull(whole),
    give: [CARD],
    want,
    want_cards: [whole],
    answers: orNull(whole),
  },
  offer_withdrawn: { offer: whole },
  offer_rejected: { offer: whole, seat: whole },
  offer_voided: { offer: whole, reason: oneOf("card_moved", "rejected_by_all") },
  trade_completed: { offer: whole, from: whole, to: whole, given: [CARD], taken: [CARD] },
  trading_ended: { seat: whole, kept: [CARD] },
  field_harvested: { seat: whole, field: whole, bean, count: whole, coins: whole, discarded: whole, final: flag },
  field_bought: { seat: whole, price: whole, paid: [CARD] },
  card_discarded: { seat: whole, card: whole, bean },
  gifts_left: { seat: whole, cards: [CARD] },
  cards_drawn: { seat: whole, cards: [CARD] },
  deck_exhausted: { exhaustion: whole, final: flag },
  clock_expired: { seat: whole },
  seat_handed_over: { seat: whole, policy: text, reason: text },
  seat_reclaimed: { seat: whole },
  game_ended: { reason: oneOf("deck_exhausted"), ranking: [RANK], winners: [whole], seed: hex256 },
  game_abandoned: { reason: oneOf("host_left"), seed: hex256 },
};

// The way to the first place where a value is not of that shape, or null where it is.
function misfit(value, shape, path) {
  if (typeof shape === "function") return shape(value) ? null : path;
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return path;
    return value.map((item, place) => misfit(item, shape[0], `${path}[${place}]`)).find(Boolean) ?? null;
  }
  if (!isObject(value)) return path;
  const there = Object.keys(value);
  const wanted = Object.keys(shape);
  for (let place = 0; place < Math.max(there.length, wanted.length); place += 1) {
    if (there[place] !== wanted[place]) return `${path}.${(there[place] ?? wanted[place]).slice(0, 40)}`;
    const found = misfit(value[wanted[place]], shape[wanted[place]], `${path}.${wanted[place]}`);
    if (found !== null) return found;
  }
  return null;
}

// No 30 February and no 25 o'clock.
function isMoment(milliseconds) {
  const moment = new Date(milliseconds);
  return !Number.isNaN(moment.getTime()) && moment.toISOString() === milliseconds;
}
