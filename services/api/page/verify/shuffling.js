// What the seed decides: the starting seat and the order of every deck (docs/fairness.md has it step by step).

const WORDS = 2 ** 32;

const bigEndian = (number, size) =>
  Uint8Array.from({ length: size }, (_, place) => Math.floor(number / 256 ** (size - 1 - place)) % 256);

// Gives the next 32-bit number of the stream, again and again.
async function stream(seed, game, nonces, shuffle) {
  const utf8 = (text) => new TextEncoder().encode(text);
  const key = await crypto.subtle.importKey("raw", seed, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const mixed = nonces.map(utf8).flatMap((bytes) => [bigEndian(bytes.length, 2), bytes]);
  const message = joined(utf8(game), ...mixed, bigEndian(shuffle, 4));
  let counter = 0;
  let words = [];
  return async () => {
    if (words.length === 0) {
      const block = await crypto.subtle.sign("HMAC", key, joined(message, bigEndian(counter, 4)));
      words = [0, 4, 8, 12, 16, 20, 24, 28].map((place) => new DataView(block).getUint32(place));
      counter += 1;
    }
    return words.shift();
  };
}

// A number below the bound, none likelier than another: words at or above its largest multiple are skipped.
async function below(next, bound) {
  const fair = WORDS - (WORDS % bound);
  let word = await next();
  while (word >= fair) word = await next();
  return word % bound;
}

async function startSeat(seed, game, nonces) {
  return below(await stream(seed, game, nonces, 0), nonces.length);
}

// From top to bottom. It starts from the kinds in the order of the table and swaps from the last place down.
async function shuffled(seed, game, nonces, shuffle, pool) {
  const deck = BEANS.flatMap((bean) => pool.filter((card) => card === bean));
  const next = await stream(seed, game, nonces, shuffle);
  for (let last = deck.length - 1; last > 0; last -= 1) {
    const other = await below(next, last + 1);
    [deck[last], deck[other]] = [deck[other], deck[last]];
  }
  return deck;
}
