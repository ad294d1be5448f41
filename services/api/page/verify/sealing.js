// The hash chain over the lines, and the signature under its head.

const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

const hexadecimal = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const fromHexadecimal = (digits) => Uint8Array.from(digits.match(/../g), (pair) => parseInt(pair, 16));
const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));

function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let place = 0;
  for (const part of parts) {
    whole.set(part, place);
    place += part.length;
  }
  return whole;
}

// hash_0 is SHA-256 of the header, hash_n that of hash_{n-1} and line n. The last one is the head.
async function headOf(header, lines) {
  let hash = await sha256(header);
  for (const line of lines) hash = await sha256(joined(hash, line));
  return hexadecimal(hash);
}

// So many bytes from base64url without padding, null where it is not their one spelling.
function fromBase64url(text, size) {
  if (text.length !== Math.ceil((size * 4) / 3) || !/^[A-Za-z0-9_-]*$/.test(text)) return null;
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
  const again = btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return again === text ? bytes : null;
}

// The ids of the Ed25519 keys in a JWKS; everything else in it is left aside.
function keyIds(jwks) {
  const keys = isObject(jwks) && Array.isArray(jwks.keys) ? jwks.keys : [];
  const known = keys.filter((key) => isObject(key) && key.kty === "OKP" && key.crv === "Ed25519");
  return known.map((key) => key.x).filter((x) => typeof x === "string" && fromBase64url(x, KEY_BYTES) !== null);
}

// Whether the key signed that head; null where this browser knows no Ed25519.
async function isSigned(trailer) {
  let key;
  try {
    key = await crypto.subtle.importKey("raw", fromBase64url(trailer.key, KEY_BYTES), "Ed25519", false, ["verify"]);
  } catch (error) {
    if (error.name === "NotSupportedError") return null;
    return false;
  }
  const signature = fromBase64url(trailer.signature, SIGNATURE_BYTES);
  return crypto.subtle.verify("Ed25519", key, signature, fromHexadecimal(trailer.head));
}
