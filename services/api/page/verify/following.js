// What each event does to the table, and what must hold between one event and the next.

const HAPPENINGS = {
  game_created: () => inMoves(false, "a game is created once."),
  player_joined: (table, { seat, nonce }) => takeSeat(table, seat, nonce),
  bot_joined: (table, { seat }) => takeSeat(table, seat, ""),
  player_left: (table, { seat }) => {
    inMoves(table.started === null && placeOf(table, seat).taken, `seat ${seat} cannot be left.`);
    table.places[seat] = newPlace();
  },
  game_started: (table, { start_seat, seats }) => {
    inMoves(table.started === null, "the game has started already.");
    inMoves(seats === table.places.length, `the table has ${table.places.length} seats, not ${seats}.`);
    inMoves(table.places.every((place) => place.taken), "the game starts with empty seats.");
    inShuffles(start_seat < seats, `there is no seat ${start_seat}.`);
    table.started = { version: table.version, seat: start_seat };
    for (const place of table.places) place.fields = Array.from({ length: table.edition.fields }, newField);
  },
  deck_shuffled: shuffle,
  cards_dealt: (table, { seat, cards }) => {
    const step = table.places.filter((place) => place.hand.size > 0).length;
    inMoves(table.started !== null && table.turn === 0 && step < table.places.length, "nobody is dealt a hand here.");
    const right = (table.started.seat + step) % table.places.length;
    const size = table.edition.hands[step];
    inMoves(seat === right && cards.length === size, `seat ${right} is dealt a hand of ${size} cards.`);
    takeOff(table, cards);
    put(cards, table.places[seat].hand);
  },
  turn_started: (table, { turn, seat }) => {
    const dealt = table.turn > 0 || table.places.every((place) => place.hand.size > 0);
    inMoves(table.started !== null && dealt, "a turn before the deal.");
    inEnd(!table.final, "a turn begins after the last exhaustion of the deck.");
    const right = (table.started.seat + table.turn) % table.places.length;
    inMoves(turn === table.turn + 1 && seat === right, `turn ${table.turn + 1} of seat ${right} follows.`);
    Object.assign(table, { turn, active: seat });
  },
  bean_planted: plant,
  cards_revealed: (table, { seat, cards }) => {
    inMoves(seat === table.active, `seat ${table.active} is active.`);
    takeOff(table, cards);
    put(cards, table.faceUp);
  },
  cards_swept: (table, { cards }) => sweep(table, cards),
  trade_completed: (table, { from, to, given, taken }) => {
    handOver(table, from, to, given);
    handOver(table, to, from, taken);
  },
  trading_ended: (table, { seat, kept }) => {
    inMoves(seat === table.active, `seat ${table.active} is active.`);
    put(faceUpBecome(table, kept), placeOf(table, seat).pending);
  },
  field_harvested: harvest,
  field_bought: buy,
  card_discarded: (table, { seat, card, bean }) => {
    takeFrom([table.gifts, placeOf(table, seat).hand], card, bean);
    table.discard.push(bean);
  },
  gifts_left: (table, { cards }) => {
    inMoves(table.gifts.size === 0, "gifts are still on the table.");
    put(faceUpBecome(table, cards), table.gifts);
  },
  cards_drawn: (table, { seat, cards }) => {
    takeOff(table, cards);
    put(cards, placeOf(table, seat).hand);
  },
  deck_exhausted: exhaust,
  game_ended: end,
  game_abandoned: (table) => {
    inEnd(table.started === null, "a game that has started is not abandoned.");
    table.over = "abandoned";
  },
};

// Everything else moves no card.
const SEATS = ["seat", "from", "to"];
function staySeated(table, event) {
  for (const name of SEATS) if (typeof event[name] === "number") placeOf(table, event[name]);
}

// The table at the end, and the first thing that is wrong on the way, or null.
function follow(records, edition) {
  const table = newTable(records[0].event, edition);
  for (const { version, seat, event } of records.slice(1)) {
    table.version = version;
    try {
      between(table, seat, event);
      (HAPPENINGS[event.type] ?? staySeated)(table, event);
    } catch (error) {
      return { table, wrong: located(error, version) };
    }
  }
  if (table.over === null) {
    return { table, wrong: new Wrong("end", records.length + 1, "the history stops before the end of the game.") };
  }
  return { table, wrong: null };
}

function between(table, actor, event) {
  inEnd(table.over === null, "something comes after the end of the game.");
  inMoves(actor === null || actor < table.places.length, `there is no seat ${actor} that could act.`);
  inEnd(!table.due || event.type === "deck_exhausted", "the deck gave its last card, and nothing says so.");
  const closing = event.type === "game_ended" || (event.type === "field_harvested" && event.final);
  inEnd(table.lastHarvest === -1 || closing, "something comes after the first final harvest.");
  if (table.final && closing && table.lastHarvest === -1) close(table);
  if (table.final && !closing) table.straggler = finishesPlay(event) ? null : (table.straggler ?? table.version);
}

// What makes no sense at all is wrong where it stands.
function located(error, version) {
  if (!(error instanceof Wrong)) return new Wrong("moves", version, "the event makes no sense here.");
  return error.version === null ? new Wrong(error.check, version, error.message) : error;
}
