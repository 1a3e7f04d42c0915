// Paper: the cheque of a prize, its stamp, and the royal that takes the whole screen.

import { cardRow } from "../cards.js";
import { h } from "../dom.js";
import { glyph } from "../glyphs.js";
import { band, rosette } from "../guilloche.js";
import { counter, percent } from "../money.js";
import { categoryName, counted, language, listed, rich, seatName, spelled, strong, tableName, text } from "../texts.js";
import { capital, drums, exact, hero, line } from "./parts.js";

const waitingChip = (key, name = "") => h("span", { class: `chip hatch ${name}` }, glyph("hourglass"), h("span", {}, rich(key, { word: strong(text("prize.pending_word")) })));
export const pendingChip = () => waitingChip("prize.pending_chip");
export const verifiedChip = () => waitingChip("prize.verified_chip", "verified");
export const paidChip = () => h("span", { class: "chip paid" }, glyph("check"), text("prize.paid_word"));
const CHIPS = { paid: paidChip, verified: verifiedChip, pending: pendingChip };
export const stateChip = (state) => CHIPS[state]();

/** An amount in print; the longest take a smaller size, they never wrap. */
const printed = (minor, currency) => {
  if (minor === null) return h("p", { class: "printed waits" }, text("prize.amount_waits"));
  const [symbol, figure] = exact(minor, currency).split("\u00a0");
  return h("p", { class: figure.length > 13 ? "printed long" : "printed" }, h("span", { class: "symbol" }, symbol), " ", figure);
};

const reckoning = (label, minor, currency) => h("p", {}, `${text(label)} `, h("b", {}, exact(minor, currency)));

function whence(stage, win) {
  if (stage.kind === "prize_paid") return "prize.by_house";
  const until = win.state === "verified" ? "verified" : "pending";
  return stage.before === null ? `prize.by_house.${until}` : `prize.held.${until}`;
}

function origin(stage, win, currency) {
  if (stage.kind === "prize_paid" && stage.before !== null) {
    return [reckoning("prize.before", stage.before, currency), reckoning("prize.after", stage.after, currency)];
  }
  const share = win.percent_bp !== null && win.of !== null;
  return [
    share && h("p", {}, rich("prize.share_of", { percent: percent(win.percent_bp, language), amount: h("b", {}, exact(win.of, currency)) })),
    !share && win.credits !== null && h("p", {}, counted("prize.credits", win.credits)),
    win.amount !== null && h("p", {}, text(whence(stage, win))),
  ];
}

const stamp = (scene, entry, time) =>
  h(
    "div",
    { class: "stamp" },
    h("span", {}, tableName(scene.label)),
    h("strong", {}, text("prize.paid_word")),
    h("span", {}, time),
    h("span", {}, text("prize.entry", { entry: counter(entry, language) })),
  );

function single(scene, win) {
  return [
    h(
      "div",
      { class: "cheque-text" },
      stateChip(win.state),
      hero(categoryName(win.category), "cheque-title"),
      printed(win.amount, scene.currency),
      h("div", { class: "cheque-foot" }, win.cards.length > 0 && cardRow(win.cards, "small"), h("div", { class: "origin" }, origin(scene.stage, win, scene.currency))),
    ),
    h("div", { class: "medal" }, rosette({ inner: 355, outer: 490, waves: 9, curves: 26 }), h("span", {}, text("seat.word")), h("b", {}, win.seat)),
  ];
}

function several(scene, wins) {
  const state = ["pending", "verified", "paid"].find((one) => wins.some((win) => win.state === one));
  return h(
    "div",
    { class: "cheque-text wide" },
    stateChip(state),
    hero(counted("prize.several", wins.length, { spelled: capital(spelled(wins.length)) }), "cheque-title"),
    h(
      "ul",
      { class: wins.length > 3 ? "wins dense" : "wins" },
      wins.map((win) =>
        h(
          "li",
          {},
          h("span", { class: "seat-number" }, h("span", { class: "hidden-words" }, seatName("")), win.seat),
          h("span", { class: "win-name" }, categoryName(win.category)),
          h("span", { class: "win-state" }, text(`seat.win.${win.state}`)),
          h("b", {}, win.amount === null ? text("prize.amount_waits") : exact(win.amount, scene.currency)),
        ),
      ),
    ),
  );
}

export function cheque(scene) {
  const { stage } = scene;
  const wins = stage.wins;
  const inPlay = stage.kind === "prize_pending" && stage.held !== null;
  return [
    h(
      "article",
      { class: `cheque ${wins.length === 1 ? "single" : "several"}` },
      wins.length === 1 ? single(scene, wins[0]) : several(scene, wins),
      band(),
      stage.kind === "prize_paid" && stamp(scene, stage.entry, scene.paidText),
    ),
    scene.meter &&
      h(
        "div",
        { class: "in-play" },
        h("span", { class: "label" }, text(inPlay ? "meter.in_play" : "meter.title")),
        drums(4.6, 52),
        inPlay && scene.meter.linked_tables.length > 1 && h("span", { class: "words" }, text("prize.others_go_on")),
      ),
  ];
}

export function royal(scene) {
  const { stage, currency } = scene;
  const wins = stage.wins;
  const seats = wins.map((win) => win.seat);
  const words = wins.length === 1 ? text("royal.one", { seat: seats[0] }) : text("royal.several", { seats: listed(seats), amount: exact(wins[0].amount, currency) });
  return [
    h("div", { class: "royal-head" }, line("kicker", words), stateChip(stage.state)),
    hero(categoryName("royal_flush"), "royal-title"),
    printed(stage.amount, currency),
    h(
      "div",
      { class: "royal-foot" },
      wins.length === 1 && wins[0].cards.length > 0 && cardRow(wins[0].cards, "large"),
      wins.length > 1 && h("div", { class: "shares" }, wins.slice(0, 3).map((win) => h("div", {}, h("span", { class: "seat-number" }, win.seat), win.cards.length > 0 && cardRow(win.cards, "small")))),
      scene.meter && h("div", { class: "restart" }, h("span", { class: "label" }, text(stage.state === "paid" ? "royal.restarted" : "royal.restart")), drums(4, 42)),
      stage.state === "paid" && stage.entry !== null && stamp(scene, stage.entry, scene.paidText),
    ),
  ];
}
