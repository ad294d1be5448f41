// Where every card is. Cards come off the top of the deck in their order and lie afterwards where they were put. Whose
// turn it is, and whether a move was allowed, is not looked at here.

const amiss = (check) => (condition, sentence) => {
  if (!condition) throw new Wrong(check, null, sentence);
};
const inShuffles = amiss("shuffles");
const inMoves = amiss("moves");
const inCoins = amiss("coins");
const inEnd = amiss("end");

const newPlace = () => ({
  taken: false,
  nonce: "",
  counts: false,
  hand: new Map(),
  pending: new Map(),
  fields: [],
  coins: [],
});
// The version that the host sits down with, at once after version 1.
const HOST_SITS_DOWN = 2;

const newField = () => ({ bean: null, cards: [] });
const put = (cards, where) => cards.forEach(({ card, bean }) => where.set(card, bean));
const list = (cards) => cards.map(({ card, bean }) => `${card} (${bean})`).join(", ") || "none";
const sameCards = (one, other) => one.map(nameOf).join() === other.map(nameOf).join();
const nameOf = ({ card, bean }) => `${card} ${bean}`;

// The top of `deck` is its first, that of `discard` and of the coins their last. `shuffles` are kept to be recomputed.
function newTable(created, edition) {
  return {
    edition,
    places: Array.from({ length: created.seats }, newPlace),
    started: null,
    deck: [],
    discard: [],
    nextCard: 1,
    shuffles: [],
    faceUp: new Map(),
    gifts: new Map(),
    turn: 0,
    active: null,
    exhaustions: 0,
    due: false,
    final: false,
    straggler: null,
    lastHarvest: -1,
    harvests: 0,
    purchases: 0,
    over: null,
  };
}

function placeOf(table, seat) {
  inMoves(seat < table.places.length, `there is no seat ${seat}.`);
  return table.places[seat];
}

// The cards that an event says come off the deck: its top, with the next numbers.
function takeOff(table, cards) {
  inEnd(!table.final, "a card is taken after the last exhaustion of the deck.");
  inMoves(cards.length <= table.deck.length, `${cards.length} cards come off a deck of ${table.deck.length}.`);
  const top = table.deck.slice(0, cards.length).map((bean, place) => ({ card: table.nextCard + place, bean }));
  inMoves(sameCards(cards, top), `the top of the deck is ${list(top)}, not ${list(cards)}.`);
  table.deck.splice(0, cards.length);
  table.nextCard += cards.length;
  table.due = table.deck.length === 0 && cards.length > 0;
}

// That card leaves one of those places; it must lie there, and be of that kind.
function takeFrom(places, card, bean) {
  const where = places.find((cards) => cards.has(card));
  inMoves(where !== undefined, `card ${card} is not there to be moved.`);
  inMoves(where.get(card) === bean, `card ${card} is ${where.get(card)}, not ${bean}.`);
  where.delete(card);
}

// A nonce counts that came after the request in which the server drew the seed; in that one the host's own came.
function takeSeat(table, seat, nonce) {
  const place = placeOf(table, seat);
  inMoves(table.started === null && !place.taken, `seat ${seat} is not free.`);
  Object.assign(place, { taken: true, nonce, counts: nonce !== "" && table.version > HOST_SITS_DOWN });
}

// Both sides' cards go aside, to be planted.
function handOver(table, from, to, cards) {
  const givers = [placeOf(table, from).hand, ...(from === table.active ? [table.faceUp] : [])];
  for (const { card, bean } of cards) takeFrom(givers, card, bean);
  put(cards, placeOf(table, to).pending);
}

function shuffle(table, event) {
  const number = table.shuffles.length + 1;
  const first = number === 1;
  inShuffles(table.started !== null, "a shuffle before the start.");
  inEnd(!table.final, "a shuffle comes after the last exhaustion of the deck.");
  inShuffles(event.shuffle === number, `this is shuffle ${number}, not ${event.shuffle}.`);
  inShuffles(table.deck.length === 0, `the deck is shuffled while ${table.deck.length} cards are left.`);
  const whole = table.edition.kinds.flatMap((bean) => Array(CARDS[bean]).fill(bean));
  const pool = first ? whole : table.discard;
  const inOrder = (cards) => [...cards].sort().join();
  inShuffles(
    event.size === pool.length && inOrder(event.beans) === inOrder(pool),
    `these are not the ${pool.length} cards ${first ? "of this edition" : "of the discard pile"}.`,
  );
  table.shuffles.push({ version: table.version, number, pool, beans: event.beans });
  table.deck = [...event.beans];
  table.discard = [];
}

function plant(table, { seat, field, card, bean, source }) {
  const place = placeOf(table, seat);
  const plot = place.fields[field];
  inMoves(plot !== undefined, `seat ${seat} has no field ${field}.`);
  inMoves(plot.bean === null || plot.bean === bean, `${bean} is planted on ${plot.bean}.`);
  if (source === "hand") {
    const [front] = place.hand.keys();
    inMoves(front === undefined || front === card, `card ${card} is planted; the front card is ${front}.`);
  }
  const sources = { hand: place.hand, pending: place.pending, gift: table.gifts, face_up: table.faceUp };
  takeFrom([sources[source]], card, bean);
  plot.bean = bean;
  plot.cards.push(card);
}

function harvest(table, { seat, field, bean, count, coins, discarded, final }) {
  const place = placeOf(table, seat);
  const plot = place.fields[field];
  inMoves(plot !== undefined, `seat ${seat} has no field ${field}.`);
  const there = `${plot.cards.length} ${plot.bean ?? "beans"}`;
  inCoins(there === `${count} ${bean}`, `${count} ${bean} are harvested; on the field are ${there}.`);
  const right = pays(bean, count);
  inCoins(
    coins === right && discarded === count - right,
    `${count} ${bean} pay ${right} and discard ${count - right}, not ${coins} and ${discarded}.`,
  );
  if (final) lastHarvest(table, seat, field);
  place.coins.push(...plot.cards.slice(0, coins).map((card) => ({ card, bean })));
  table.discard.push(...Array(discarded).fill(bean));
  Object.assign(plot, newField());
  if (!final && givesField(bean, count, place.fields.length)) place.fields.push(newField());
  table.harvests += 1;
}

function buy(table, { seat, price, paid }) {
  const place = placeOf(table, seat);
  const right = table.edition.price;
  inMoves(right !== null && place.fields.length > 0, "no field is for sale.");
  inMoves(place.fields.length < MOST_FIELDS, `seat ${seat} has ${place.fields.length} fields already.`);
  inCoins(price === right, `a field costs ${right}, not ${price}.`);
  inCoins(place.coins.length >= right, `a field costs ${right}; seat ${seat} has ${place.coins.length}.`);
  const topmost = place.coins.slice(-right).reverse();
  inCoins(sameCards(paid, topmost), `the topmost coins are ${list(topmost)}, not ${list(paid)}.`);
  place.coins.splice(-right);
  if (!table.edition.duel) table.discard.push(...topmost.map(({ bean }) => bean));
  place.fields.push(newField());
  table.purchases += 1;
}

// Duel: the top of the discard pile joins the face-up cards, with new numbers.
function sweep(table, cards) {
  const top = table.discard.slice(table.discard.length - cards.length).reverse();
  const swept = top.map((bean, place) => ({ card: table.nextCard + place, bean }));
  inMoves(sameCards(cards, swept), `the top of the discard pile is ${list(swept)}, not ${list(cards)}.`);
  table.discard.splice(table.discard.length - cards.length);
  table.nextCard += cards.length;
  put(cards, table.faceUp);
}

function faceUpBecome(table, cards) {
  const left = Array.from(table.faceUp, ([card, bean]) => ({ card, bean }));
  inMoves(sameCards(cards, left), `the face-up cards are ${list(left)}, not ${list(cards)}.`);
  table.faceUp = new Map();
  return left;
}
