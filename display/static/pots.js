// The pots of the circle game: who can win them while a hand is played, and who won them until the next one begins.

import { h } from "./dom.js";
import { written } from "./money.js";
import { categoryName, language, listed, text } from "./texts.js";

const MANY = 3;

const amount = (minor, currency) => h("b", {}, written(minor, currency, language, { dropZeros: true }));
const name = (index) => h("span", {}, index === 0 ? text("pot.main") : text("pot.side", { index }));

function open(one, currency) {
  const seats = h("span", { class: "eligible" }, h("span", { class: "hidden-words" }, `${text("pot.eligible")} `), one.eligible.join(" · "));
  return h("li", { class: "pot" }, name(one.index), amount(one.amount, currency), seats);
}

function paid(one, currency) {
  const words = one.winners.length === 1 ? text("pot.won", { seat: one.winners[0] }) : text("pot.shared", { seats: listed(one.winners) });
  const category = one.category !== null && h("span", { class: "category" }, categoryName(one.category));
  return h("li", { class: "pot paid" }, name(one.index), amount(one.amount, currency), h("span", { class: "winners" }, words), category);
}

function list(items, label, className) {
  if (items.length === 0) return null;
  return h("ul", { class: `pots${items.length > MANY ? " many" : ""}${className}`, "aria-label": text(label) }, items);
}

/** Both lists; at most one of them is filled. */
export function potLists({ circle, currency }) {
  return [
    list(circle.pots.map((one) => open(one, currency)), "pot.title", ""),
    list(circle.results.map((one) => paid(one, currency)), "pot.paid", " results"),
  ];
}

/** Whether a seat took part of a pot of the hand just played. */
export const hasWon = (seat, circle) => circle !== null && circle.results.some((one) => one.winners.includes(seat));
