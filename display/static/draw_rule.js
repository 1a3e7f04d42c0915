// The published rule of the draws, made again from a hand's record alone: a list of what holds and what does not.

import { fromHex, hmacSha256, joined, sha256, toHex, utf8 } from "./sha256.js";

const SEED_TAG = utf8("carrusel/seed/v1");
const DRAW_TAG = "carrusel/draw/v1";
const SEED_BYTES = 32;
const CARD = "carta_magica";
const DECK = [..."23456789TJQKA"].flatMap((rank) => [..."cdhs"].map((suit) => rank + suit));

/** Behind its length in four bytes, the highest first. */
function framed(text) {
  const bytes = utf8(text);
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, bytes.length);
  return joined(length, bytes);
}

export const commitmentOf = (seed) => toHex(sha256(joined(SEED_TAG, seed)));

/** The list as it was hashed: JSON with sorted keys and no blanks. */
export const listText = (boxes) => JSON.stringify(boxes.map(({ seat, ante, credits }) => ({ ante, credits, seat })));

/** The fields of a draw's message, the counter left out. */
const messageFields = (record, kind) => [
  DRAW_TAG, record.site, record.table, record.incarnation, String(record.hand), kind, record.list_hash, record.outside,
];

/** Every try until a number below `size`: { number, digest } each, the last one counts. */
export function tries(seed, record, kind, size) {
  const bits = size > 1 ? 32 - Math.clz32(size - 1) : 0;
  const fields = messageFields(record, kind).map(framed);
  const made = [];
  for (let counter = 0; ; counter += 1) {
    const digest = hmacSha256(seed, joined(...fields, framed(String(counter))));
    const head = new DataView(digest.buffer).getUint32(0);
    const number = bits === 0 ? 0 : head >>> (32 - bits);
    made.push({ number, digest: toHex(digest) });
    if (number < size) return made;
  }
}

function checkOutcome(seed, record, { kind, result, positions }) {
  const from = kind === CARD ? DECK : positions.map(String);
  const betting = record.boxes.filter((box) => box.credits > 0);
  const whole = kind === CARD || betting.every((box) => positions.includes(box.seat));
  if (from.length === 0) return { kind, size: 0, tries: [], result: "", holds: result === "" && whole };
  const made = tries(seed, record, kind, from.length);
  const recomputed = from[made.at(-1).number];
  return { kind, size: from.length, tries: made, result: recomputed, holds: recomputed === result && whole };
}

/** What one record's own numbers give. */
function checkRecord(record) {
  const seed = fromHex(record.seed);
  const known = seed !== null && seed.length === SEED_BYTES;
  const commitment = known && commitmentOf(seed) === record.commitment;
  const list = toHex(sha256(utf8(listText(record.boxes)))) === record.list_hash;
  const kinds = new Set(record.outcomes.map((one) => one.kind));
  const once = kinds.size === record.outcomes.length;
  const outcomes = record.outcomes.map((one) => (known ? checkOutcome(seed, record, one) : { kind: one.kind, size: 0, tries: [], result: "", holds: false }));
  return { hand: record.hand, commitment, list, outcomes, holds: commitment && list && once && outcomes.every((one) => one.holds) };
}

/** Whether a later record starts from the seed that the one before it revealed; null where no record is before it. */
function follows(record, before) {
  if (before === undefined || record.committed_hand !== before.hand) return null;
  return record.commitment === before.seed && record.index === before.index + 1 && record.hand > before.hand;
}

/** The checks of all records, newest first, each with its place in the chain. */
export function checkDraws({ records }) {
  return records.map((record, place) => {
    const checked = checkRecord(record);
    const chain = follows(record, records[place + 1]);
    return { ...checked, chain, holds: checked.holds && chain !== false };
  });
}
