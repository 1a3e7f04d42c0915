// Both draws: the card, the wheel, and the small marks that stay through the hand.

import { bigCard, cardFace } from "../cards.js";
import { h } from "../dom.js";
import { rosette } from "../guilloche.js";
import { counter } from "../money.js";
import { cardName, categoryName, counted, language, listed, rich, richCounted, spelled, strong, text } from "../texts.js";
import { smallAmount } from "./amount.js";
import { hero, line, round } from "./parts.js";

export function cartaMagica(scene) {
  const { stage, currency } = scene;
  const amount = strong(round(stage.prize, currency));
  const winners = stage.winners;
  const result =
    winners.length > 0
      ? richCounted("carta.winners", winners.length, { seats: strong(listed(winners)), amount })
      : rich("carta.rule", { amount });
  return h(
    "div",
    { class: "draw carta" },
    bigCard(stage.card),
    h(
      "div",
      { class: "told" },
      smallAmount(scene),
      line("kicker", text("draw.of_hand", { hand: scene.hand_number === null ? "" : counter(scene.hand_number, language) })),
      hero(categoryName("carta_magica")),
      h("p", { class: "result second-title" }, cardName(stage.card)),
      h("p", { class: "result words" }, result),
    ),
  );
}

function wheel(stage) {
  const seats = [...stage.positions];
  return h(
    "div",
    { class: "wheel", "data-count": seats.length },
    rosette({ inner: 355, outer: 485, waves: 11, curves: 26 }),
    seats.map((seat) => h("span", { class: "stop", "data-seat": seat }, seat)),
    h(
      "span",
      { class: "centre result" },
      h("span", {}, text("seat.word")),
      h("b", {}, stage.chosen),
    ),
  );
}

export function jugadorAfortunado(scene) {
  const { stage, currency } = scene;
  const amount = strong(round(stage.prize, currency));
  const seat = strong(stage.chosen);
  const result = stage.winner === null ? rich("lucky.nobody", { seat }) : rich("lucky.winner", { seat, amount });
  return h(
    "div",
    { class: "draw lucky" },
    wheel(stage),
    h(
      "div",
      { class: "told" },
      smallAmount(scene),
      line("kicker", text("draw.of_hand", { hand: scene.hand_number === null ? "" : counter(scene.hand_number, language) })),
      hero(categoryName("jugador_afortunado")),
      h("p", { class: "result words" }, result),
      h("p", { class: "words faint" }, counted("lucky.positions", stage.positions.length, { spelled: spelled(stage.positions.length), seats: listed(stage.positions) })),
    ),
  );
}

export function drawMarks(scene) {
  const { carta_magica: card, jugador_afortunado: lucky, currency } = scene;
  const cardWords = (mark) =>
    mark.winners.length > 0 ? counted("carta.mark_winners", mark.winners.length, { seats: listed(mark.winners) }) : cardName(mark.card);
  const luckyWords = (mark) =>
    mark.winner === null
      ? text("lucky.mark_nobody", { seat: mark.chosen })
      : text("lucky.mark", { seat: mark.winner, amount: round(mark.amount, currency) });
  if (card === null && lucky === null) return null;
  return h(
    "div",
    { class: "marks" },
    card && h("div", { class: "mark-of carta" }, cardFace(card.card, "tiny"), h("p", {}, h("span", {}, categoryName("carta_magica")), h("b", {}, cardWords(card)))),
    lucky &&
      h(
        "div",
        { class: "mark-of lucky" },
        h("span", { class: lucky.winner === null ? "disc hollow" : "disc", "aria-hidden": "true" }, lucky.chosen),
        h("p", {}, h("span", {}, categoryName("jugador_afortunado")), h("b", {}, luckyWords(lucky))),
      ),
  );
}
