// The printed tables (docs/rules.md, sections 2 and 3), for version 1 of the rules.

const RULES_VERSION = 1;
const MOST_FIELDS = 3;

const CARDS = {
  coffee: 24, wax: 22, blue: 20, chili: 18, stink: 16, green: 14, soy: 12, black_eyed: 10, red: 8, garden: 6, cocoa: 4,
  field_bean: 3,
};

// Coins by the number of beans: one digit for each from 0 on, the last one for every larger field.
const BEANOMETERS = {
  coffee: "0000111222334",
  wax: "000011122334",
  blue: "00001122334",
  chili: "0001112234",
  stink: "000112234",
  green: "00011234",
  soy: "00112234",
  black_eyed: "0011234",
  red: "001234",
  garden: "0023",
  cocoa: "00234",
  field_bean: "0003",
};

const BASE_KINDS = ["blue", "chili", "stink", "green", "soy", "black_eyed", "red", "garden"];
const LARGE_GAME = ["coffee", "wax", ...BASE_KINDS, "cocoa"];
const without = (...kinds) => LARGE_GAME.filter((bean) => !kinds.includes(bean));
const largeGame = (players) =>
  players === 3 ? without("cocoa") : players < 6 ? without("coffee") : without("garden", "cocoa");
const fives = (players) => Array(players).fill(5);

// By preset: for how many players, and the row for each number of them. `ending` is the exhaustion that ends the game.
const EDITIONS = {
  classic: {
    players: [2, 7],
    row: (players, duelFields) =>
      players === 2
        ? {
            kinds: without("garden", "cocoa"),
            hands: fives(2),
            fields: duelFields,
            price: duelFields === 2 ? 3 : null,
            ending: 1,
            tieBreak: "hand",
            duel: true,
          }
        : {
            kinds: largeGame(players),
            hands: players < 6 ? fives(players) : [3, 4, 5, 6, 6, 6, 6].slice(0, players),
            fields: players === 3 ? 3 : 2,
            price: { 3: null, 4: 3, 5: 3, 6: 2, 7: 2 }[players],
            ending: players === 3 ? 2 : 3,
            tieBreak: "hand",
          },
  },
  boonanza: {
    players: [3, 5],
    row: (players) => ({ kinds: BASE_KINDS, hands: fives(players), fields: 2, price: 3, ending: 3, tieBreak: "none" }),
  },
  amigo_classic: {
    players: [3, 5],
    row: (players) => ({ kinds: BASE_KINDS, hands: fives(players), fields: 2, price: 3, ending: 3, tieBreak: "none" }),
  },
  amigo_2023: {
    players: [3, 5],
    row: (players) => ({
      kinds: BASE_KINDS,
      hands: fives(players),
      fields: players === 3 ? 3 : 2,
      price: null,
      ending: 3,
      tieBreak: "clockwise",
    }),
  },
  new_beans: {
    players: [3, 7],
    row: (players) => ({
      kinds: largeGame(players),
      hands: fives(players),
      fields: players === 3 ? 3 : 2,
      price: null,
      ending: players === 3 ? 2 : 3,
      tieBreak: "clockwise",
    }),
  },
  field_beans: {
    players: [4, 5],
    row: (players) => ({
      kinds: ["wax", ...BASE_KINDS, "field_bean"],
      hands: fives(players),
      fields: 2,
      price: null,
      ending: 3,
      tieBreak: "clockwise",
    }),
  },
};

// What that game is played by, null where there is no such edition.
function editionOf(created) {
  if (!Object.hasOwn(EDITIONS, created.ruleset)) return null;
  const { players, row } = EDITIONS[created.ruleset];
  const duelFields = created.options.duel_fields;
  const isDuel = created.ruleset === "classic" && created.seats === 2;
  if (created.seats < players[0] || created.seats > players[1] || (duelFields !== undefined && !isDuel)) return null;
  return { duel: false, ...row(created.seats, duelFields ?? 2) };
}

function pays(bean, count) {
  const column = BEANOMETERS[bean];
  return Number(column[Math.min(count, column.length - 1)]);
}

// Two field beans give a field, to whom has room for one.
const givesField = (bean, count, fields) => bean === "field_bean" && count === 2 && fields < MOST_FIELDS;
