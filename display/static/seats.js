// The seats: what a seat says in words, its token and pips; the strip at the bottom of a table screen.

import { h } from "./dom.js";
import { glyph } from "./glyphs.js";
import { percent, written } from "./money.js";
import { categoryName, counted, language, seatName, text } from "./texts.js";

const DRAWS = ["carta_magica", "jugador_afortunado"];
const round = (minor, currency) => written(minor, currency, language, { dropZeros: true });

function winWords(seat, currency) {
  const { win } = seat;
  const partial = win.percent_bp !== null && win.percent_bp < 10_000;
  const name = win.category === "jugador_afortunado" ? text("seat.lucky") : categoryName(win.category);
  const title = partial ? text("seat.wins_percent", { percent: percent(win.percent_bp, language) }) : name;
  const amount = DRAWS.includes(win.category) && win.amount !== null ? round(win.amount, currency) : null;
  return [title, amount ?? text(`seat.win.${win.state}`)];
}

function creditWords(seat, stage, jackpot) {
  if (seat.credits > 0) return counted("seat.credits", seat.credits);
  if (stage === "idle") return text("seat.no_bet");
  return text(jackpot && stage !== "link_lost" && stage !== "jackpot_stopped" ? "seat.no_jackpot" : "seat.in_play");
}

/** { title, second, label, look }: the two lines of a seat, whether the first is an ivory label, and its token's look. */
export function seatWords(seat, scene) {
  const stage = scene.stage.kind;
  const plain = (key, look) => ({ title: text(key), second: "", label: false, look });
  if (seat.state === "unknown") return plain("seat.unknown", "free");
  if (seat.state === "closed") return plain("seat.closed", "free");
  if (seat.state === "free") return plain("seat.free", "free");
  if (seat.win !== null) {
    const [title, second] = winWords(seat, scene.currency);
    return { title, second, label: false, look: "winner" };
  }
  const lucky = seat.lucky ? text("seat.lucky") : "";
  if (seat.lucky && stage === "jugador_afortunado") {
    const won = scene.stage.winner === seat.number ? round(scene.stage.prize, scene.currency) : text("seat.no_prize");
    return { title: lucky, second: won, label: false, look: "winner" };
  }
  if (seat.bought_card) return { title: text("seat.bought"), second: lucky || text("seat.bought_out"), label: true, look: "bought" };
  if (seat.state === "folded") return { title: text("seat.folded"), second: lucky, label: false, look: "plain" };
  if (seat.state === "playing") {
    const title = creditWords(seat, stage, scene.prizes.length > 0);
    const second = seat.deciding ? text("seat.deciding") : lucky;
    return { title, second, label: false, look: seat.credits > 0 ? "jackpot" : "plain" };
  }
  return plain(`seat.${seat.state}`, "plain faint");
}

export const token = (seat, look) =>
  h(
    "span",
    { class: `token ${look}${seat.deciding ? " deciding" : ""}` },
    h("span", { class: "hidden-words" }, seatName("")),
    h("span", { class: "number" }, seat.number),
    look === "bought" && h("span", { class: "crossed" }, glyph("cross")),
  );

const pips = (seat, most) =>
  h(
    "span",
    { class: "pips", "aria-hidden": "true" },
    Array.from({ length: most }, (_, index) => h("i", { class: !seat.bought_card && index < seat.credits ? "on" : "off" })),
  );

function stripSeat(seat, scene) {
  const words = seatWords(seat, scene);
  const hasJackpot = scene.prizes.length > 0 || scene.draw_prizes.length > 0;
  return h(
    "li",
    { class: `seat ${words.look} ${seat.state}`, "data-seat": seat.number },
    token(seat, words.look),
    hasJackpot && pips(seat, scene.max_credits),
    h("span", { class: "words" }, h("b", { class: words.label ? "label" : null }, words.title), h("span", {}, words.second)),
  );
}

export const seatsKey = (scene) => [
  scene.seats, scene.seats_descending, scene.stage.kind, scene.stage.winner, scene.stage.prize, scene.currency,
  scene.prizes.length, scene.draw_prizes.length, scene.max_credits,
];

/** The strip. Descending order puts the person on the left of the screen at the left. */
export function seatStrip(scene) {
  const seats = [...scene.seats].sort((a, b) => (scene.seats_descending ? b.number - a.number : a.number - b.number));
  return h(
    "ol",
    { class: seats.length > 7 ? "strip-seats dense" : "strip-seats", "aria-label": text("seats.title") },
    seats.map((seat) => stripSeat(seat, scene)),
  );
}
