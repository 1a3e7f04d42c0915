// The prize list of a table: always there, never covered (article 53).

import { h } from "./dom.js";
import { percent, written } from "./money.js";
import { categoryName, language, strong, text } from "./texts.js";

const round = (minor, currency) => written(minor, currency, language, { dropZeros: true });
const exact = (minor, currency) => written(minor, currency, language);

function value(row, currency) {
  if (row.percent_bp !== null) return strong(percent(row.percent_bp, language));
  const each = row.per_credit ? h("small", {}, ` ${text("prizes.per_credit")}`) : null;
  return [strong(round(row.fixed, currency)), each];
}

function note(row, currency) {
  if (row.percent_bp === null) return null;
  if (row.percent_bp === 10_000) {
    if (row.mark === "pending" || row.mark === "verified") return text(`prizes.${row.mark}`);
    if (row.mark === "paid") return text("prizes.paid");
    return row.today === null ? text("amount.unavailable") : text("prizes.whole");
  }
  return row.today === null ? text("amount.unavailable") : text("prizes.today", { amount: exact(row.today, currency) });
}

function prizeRow(row, currency) {
  const words = note(row, currency);
  return h(
    "li",
    { class: row.mark ? `row marked ${row.mark}` : "row", "data-category": row.category },
    h("span", { class: "name" }, categoryName(row.category)),
    h("span", { class: "value" }, value(row, currency)),
    words && h("span", { class: "note" }, words),
  );
}

const drawRow = (row, currency) =>
  h(
    "li",
    { class: row.drawn ? "row marked" : "row", "data-category": row.draw },
    h("span", { class: "name" }, categoryName(row.draw)),
    h("span", { class: "value" }, strong(round(row.amount, currency))),
  );

function drawTitle(scene) {
  if (scene.draw_every === "some_hands") return text("prizes.draws.some_hands", { hands: scene.draw_every_hands });
  return text(`prizes.draws.${scene.draw_every}`);
}

/** What `prizeList` depends on, for Region. */
export const prizeKey = (scene) => [
  scene.prizes, scene.draw_prizes, scene.draw_every, scene.draw_every_hands, scene.prize_notes, scene.currency,
  scene.stage.kind === "out_of_service", scene.meter === null, scene.meter?.limit,
];

/** The most that the progressive can reach, where it has a ceiling. */
const limit = ({ meter, currency }) => meter?.limit && text("prize_note.limit", { amount: round(meter.limit, currency) });

export function prizeList(scene) {
  const { currency } = scene;
  const title = scene.meter === null ? "prizes.title.fixed" : "prizes.title";
  const notes =
    scene.stage.kind === "out_of_service"
      ? text("prizes.out_of_service")
      : [limit(scene), ...scene.prize_notes.map((code) => text(`prize_note.${code}`))].filter(Boolean).join(" ");
  return [
    scene.prizes.length > 0 && h("h2", {}, text(title)),
    scene.prizes.length > 0 && h("ul", { class: "rows" }, scene.prizes.map((row) => prizeRow(row, currency))),
    scene.draw_prizes.length > 0 && h("h2", {}, drawTitle(scene)),
    scene.draw_prizes.length > 0 && h("ul", { class: "rows" }, scene.draw_prizes.map((row) => drawRow(row, currency))),
    notes && h("p", { class: "rules" }, notes),
  ];
}
