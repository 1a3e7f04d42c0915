// SHA-256 (FIPS 180-4) and HMAC (RFC 2104) over bytes; the browser's own need a secure page, which a phone at a table has not.

const BLOCK = 64;

/** The first 32 bits of the fractional parts of a root of the first primes. */
function fractions(count, root) {
  const found = [];
  for (let number = 2n; found.length < count; number += 1n) {
    if (found.every(({ prime }) => number % prime !== 0n)) found.push({ prime: number, bits: fraction(number, root) });
  }
  return found.map(({ bits }) => bits);
}

/** floor(root-th root of (number × 2^(32·root))) modulo 2^32, by halving: integers only. */
function fraction(number, root) {
  const scaled = number << (32n * root);
  let low = 0n;
  let high = number << 32n;
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** root <= scaled) low = middle;
    else high = middle;
  }
  return Number(low & 0xffffffffn);
}

const START = fractions(8, 2n);
const ROUND = fractions(64, 3n);

const turned = (word, by) => (word >>> by) | (word << (32 - by));

function padded(bytes) {
  const length = Math.ceil((bytes.length + 9) / BLOCK) * BLOCK;
  const message = new Uint8Array(length);
  message.set(bytes);
  message[bytes.length] = 0x80;
  new DataView(message.buffer).setBigUint64(length - 8, BigInt(bytes.length) * 8n);
  return message;
}

function schedule(view, offset) {
  const words = new Uint32Array(BLOCK);
  for (let at = 0; at < 16; at += 1) words[at] = view.getUint32(offset + 4 * at);
  for (let at = 16; at < BLOCK; at += 1) {
    const early = words[at - 15];
    const late = words[at - 2];
    const small = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const large = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    words[at] = words[at - 16] + small + words[at - 7] + large;
  }
  return words;
}

function compress(state, words) {
  let [a, b, c, d, e, f, g, h] = state;
  for (let at = 0; at < BLOCK; at += 1) {
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const first = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + choice + ROUND[at] + words[at]) | 0;
    const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + majority) | 0;
    [a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g];
  }
  return [a, b, c, d, e, f, g, h].map((word, at) => (state[at] + word) | 0);
}

/** The 32 bytes of SHA-256 over a Uint8Array. */
export function sha256(bytes) {
  const message = padded(bytes);
  const view = new DataView(message.buffer);
  let state = START.map((word) => word | 0);
  for (let offset = 0; offset < message.length; offset += BLOCK) state = compress(state, schedule(view, offset));
  const digest = new Uint8Array(32);
  const out = new DataView(digest.buffer);
  state.forEach((word, at) => out.setInt32(4 * at, word));
  return digest;
}

export function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** The 32 bytes of HMAC-SHA256 under a key. */
export function hmacSha256(key, message) {
  const block = new Uint8Array(BLOCK);
  block.set(key.length > BLOCK ? sha256(key) : key);
  const inner = sha256(joined(block.map((byte) => byte ^ 0x36), message));
  return sha256(joined(block.map((byte) => byte ^ 0x5c), inner));
}

export const utf8 = (text) => new TextEncoder().encode(text);
export const toHex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Bytes of lower-case hexadecimal; null when it is none. */
export function fromHex(text) {
  if (!/^([0-9a-f]{2})*$/.test(text)) return null;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
