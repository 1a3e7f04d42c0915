// Playing cards: ranks in the serif, suits drawn.

import { h, svg } from "./dom.js";
import { rosette } from "./guilloche.js";
import { cardName } from "./texts.js";

const SUITS = {
  h: "M50 92C18 66 6 50 6 32C6 17 17 8 29 8c9 0 17 5 21 14C54 13 62 8 71 8c12 0 23 9 23 24c0 18-12 34-44 60z",
  d: "M50 4L88 50L50 96L12 50z",
  s: "M50 4C58 26 92 42 92 64c0 13-9 21-20 21c-7 0-13-3-17-9c0 9 3 15 8 20H37c5-5 8-11 8-20c-4 6-10 9-17 9C17 85 8 77 8 64C8 42 42 26 50 4z",
  c: "M50 6c12 0 21 9 21 20c0 6-2 11-6 15c2-1 5-1 7-1c12 0 21 9 21 20s-9 20-21 20c-7 0-13-3-17-9c0 10 3 17 9 23H36c6-6 9-13 9-23c-4 6-10 9-17 9C16 80 7 71 7 60s9-20 21-20c2 0 5 0 7 1c-4-4-6-9-6-15C29 15 38 6 50 6z",
};

export const rankText = (card) => (card[0] === "T" ? "10" : card[0]);
export const suit = (letter, className = "suit") =>
  svg("svg", { class: className, viewBox: "0 0 100 100", "aria-hidden": "true", focusable: "false" }, svg("path", { d: SUITS[letter] }));

const tint = (card) => (card[1] === "h" || card[1] === "d" ? "red" : "black");

/** A small face: rank above suit. */
export const cardFace = (card, className = "") =>
  h(
    "span",
    { class: `card ${tint(card)} ${className}`, role: "img", "aria-label": cardName(card) },
    h("span", { class: "rank", "aria-hidden": "true" }, rankText(card)),
    suit(card[1]),
  );

export const cardRow = (cards, className) => h("div", { class: `cards ${className}` }, cards.map((card) => cardFace(card)));

/** A card of full size that can be turned: back first, then its face. */
export function bigCard(card) {
  const index = (place) => h("span", { class: `index ${place}`, "aria-hidden": "true" }, h("span", { class: "rank" }, rankText(card)), suit(card[1]));
  const face = h(
    "span",
    { class: `face ${tint(card)}` },
    index("top"),
    rosette({ inner: 310, outer: 490, waves: 9, curves: 22 }),
    suit(card[1], "suit heart"),
    index("bottom"),
  );
  const back = h("span", { class: "back" }, rosette({ inner: 120, outer: 480, waves: 7, curves: 24 }));
  return h("div", { class: "big-card", role: "img", "aria-label": cardName(card) }, h("div", { class: "turning" }, face, back));
}
