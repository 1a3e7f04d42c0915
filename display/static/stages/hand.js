// Stages of the course of a hand: the invitation, the bets, the hand itself with its board and the code of its draws.

import { cardFace } from "../cards.js";
import { h, svg } from "../dom.js";
import { counter } from "../money.js";
import { counted, language, rich, richCounted, spelled, strong, tableName, text } from "../texts.js";
import { amountBlock } from "./amount.js";
import { drawMarks } from "./draws.js";
import { capital, line, round } from "./parts.js";

/** The code that takes a player's phone to the page on which it makes the draws again. */
function drawCheck({ hand: number, code }) {
  const quiet = 4;
  const side = code.size + 2 * quiet;
  return h(
    "div",
    { class: "draw-check" },
    svg(
      "svg",
      { viewBox: `${-quiet} ${-quiet} ${side} ${side}`, role: "img", "aria-label": text("draw_page.qr"), "shape-rendering": "crispEdges" },
      svg("path", { d: code.path }),
    ),
    h("p", {}, text("draw_page.qr_words"), h("span", {}, text("hand.number", { hand: counter(number, language) }))),
  );
}

/** Content with the code of the newest draws at its right, where there is one. */
const beside = (check, content) =>
  check === null ? content : h("div", { class: "with-check" }, h("div", { class: "course" }, content), drawCheck(check));

export function idle(scene) {
  const { stage, meter, currency } = scene;
  const linked = meter?.linked_tables ?? [];
  const players =
    linked.length > 1 &&
    h(
      "div",
      { class: "linked" },
      h("span", {}, text("meter.played_by")),
      linked.map((label) => h("span", { class: label === scene.label ? "tag own" : "tag" }, tableName(label))),
    );
  const places = { credits: strong(counted("idle.credits", stage.max_credits)), amount: strong(round(stage.credit, currency)) };
  return [amountBlock(scene), beside(scene.draw_check, [players, line("invitation", ...rich("idle.invitation", places))])];
}

export function bets(scene) {
  const { stage, currency } = scene;
  const playing = scene.seats.filter((seat) => seat.credits > 0).length;
  const amount = strong(round(stage.credit, currency));
  const words = playing === 0 ? rich("bets.none", { amount }) : richCounted("bets.playing", playing, { spelled: capital(spelled(playing)), amount });
  return [amountBlock(scene), beside(scene.draw_check, [h("h2", { class: "call" }, text("bets.call")), line("invitation", ...words)])];
}

function phaseLine(phase) {
  const current = phase.steps.indexOf(phase.current);
  return h(
    "ol",
    { class: "phases", "aria-label": text("phase.title") },
    phase.steps.map((step, index) => {
      const place = index < current ? "done" : index === current ? "now" : "next";
      return h("li", { class: place, "aria-current": index === current ? "step" : null }, text(`phase.${step}`));
    }),
  );
}

export function board(scene) {
  if (scene.board_slots === 0) return null;
  const places = Array.from({ length: scene.board_slots }, (_, index) => scene.board[index] ?? null);
  return h(
    "div",
    { class: "board", role: "group", "aria-label": text("board.title") },
    places.map((card) => (card === null ? h("span", { class: "card empty middle", "aria-hidden": "true" }) : cardFace(card, "middle"))),
  );
}

export function hand(scene) {
  const crowded = scene.board_slots > 0;
  const course = [scene.phase && phaseLine(scene.phase), h("div", { class: "below" }, board(scene), drawMarks(scene))];
  return [
    h("div", { class: crowded ? "amount-block tight" : "amount-block" }, crowded ? amountBlock(scene, 9.2) : amountBlock(scene)),
    beside(scene.draw_check, course),
  ];
}
