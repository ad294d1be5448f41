// How a game ends: the deck is used up, the last fields are harvested, the result follows from coins and hands.

// `due`: the deck has just given its last card. Otherwise a card was wanted and both piles were empty, which ends the
// game.
function exhaust(table, { exhaustion, final }) {
  const { ending } = table.edition;
  inEnd(!table.final, "the deck was used up for the last time before.");
  inEnd(table.deck.length === 0, `the deck still has ${table.deck.length} cards.`);
  inEnd(table.due || table.discard.length === 0, "the discard pile could still be shuffled.");
  const right = table.due ? table.exhaustions + 1 : ending;
  inEnd(exhaustion === right, `this is exhaustion ${right}, not ${exhaustion}.`);
  inEnd(final === (right >= ending), `the game ends with exhaustion ${ending}.`);
  Object.assign(table, { exhaustions: right, due: false, final });
}

// After the last exhaustion the game ends at once with one of these; so it is never the harvest or the purchase of a
// player that the final harvests come behind.
const finishesPlay = ({ type, source }) =>
  ["deck_exhausted", "trading_ended", "gifts_left"].includes(type) || (type === "bean_planted" && source === "pending");

// The first of the final harvests, or the end where no field has beans.
function close(table) {
  if (table.straggler !== null) {
    throw new Wrong("end", table.straggler, "this comes between the end of play and the final harvests.");
  }
  const aside = [table.faceUp, ...table.places.map((place) => place.pending)];
  inEnd(aside.every((cards) => cards.size === 0), "the game ends before all cards that lie aside are planted.");
}

// Seats clockwise from the starting one, the fields of each in their order.
function lastHarvest(table, seat, field) {
  inEnd(table.final, "the final harvest comes before the end.");
  const players = table.places.length;
  const turn = ((seat - table.started.seat + players) % players) * MOST_FIELDS + field;
  inEnd(turn > table.lastHarvest, `the final harvest of seat ${seat}, field ${field}, is out of its order.`);
  table.lastHarvest = turn;
}

function end(table, event) {
  inEnd(table.final, "the game ends before the deck is used up.");
  const left = table.places.findIndex((place) => place.fields.some((field) => field.bean !== null));
  inEnd(left === -1, `the fields of seat ${left} are not harvested.`);
  const right = ranking(table);
  const wrong = right.findIndex((row, place) => JSON.stringify(row) !== JSON.stringify(event.ranking[place]));
  const inRanking = amiss("ranking");
  const said = wrong === -1 ? `it has ${right.length} rows.` : `${row(right[wrong])} should stand there.`;
  inRanking(wrong === -1 && event.ranking.length === right.length, said);
  const winners = right.filter(({ rank }) => rank === 1).map(({ seat }) => seat).sort((one, other) => one - other);
  inRanking(event.winners.join() === winners.join(), `the winners are seats ${winners.join(", ")}.`);
  table.over = "ended";
}

const row = ({ seat, coins, hand_size, rank }) => `seat ${seat}, coins ${coins}, hand ${hand_size}, rank ${rank}`;

// One row a seat, the best first; what the tie-break does not tell apart shares a rank, in the order of the seats.
function ranking(table) {
  const players = table.places.length;
  const ties = {
    hand: (seat) => table.places[seat].hand.size,
    clockwise: (seat) => (seat - table.started.seat + players) % players,
    none: () => 0,
  };
  const tie = ties[table.edition.tieBreak];
  const coins = (seat) => table.places[seat].coins.length;
  const beats = (one, other) => coins(one) > coins(other) || (coins(one) === coins(other) && tie(one) > tie(other));
  const seats = [...table.places.keys()];
  const rows = seats.map((seat) => ({
    seat,
    coins: coins(seat),
    hand_size: table.places[seat].hand.size,
    rank: 1 + seats.filter((other) => beats(other, seat)).length,
  }));
  return rows.sort((one, other) => one.rank - other.rank || one.seat - other.seat);
}
