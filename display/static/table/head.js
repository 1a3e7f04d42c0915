// The head of a table screen: the table's number, what is going on, limits, hand and time.

import { h } from "../dom.js";
import { glyph } from "../glyphs.js";
import { counter, written } from "../money.js";
import { gameName, language, rich, strong, tableName, text } from "../texts.js";

const CHIPS = {
  idle: ["check", ""],
  bets: ["plus", "filled"],
  carta_magica: ["lock", "filled"],
  jugador_afortunado: ["lock", "filled"],
  hand: ["lock", ""],
  prize_pending: ["trophy", ""],
  prize_paid: ["trophy", ""],
  royal: ["trophy", "filled"],
  seat_draw: ["person", "filled"],
  hand_voided: ["void", "dashed"],
  game_ended: ["flag", ""],
  jackpot_stopped: ["pause", "dashed"],
  link_lost: ["octagon", "dashed"],
  stale: ["triangle", "dashed"],
  out_of_service: ["octagon", "dashed"],
};

const round = (minor, currency) => written(minor, currency, language, { dropZeros: true });

function chip(scene) {
  const { kind } = scene.stage;
  const [name, look] = CHIPS[kind];
  if (kind === "hand" && scene.phase) {
    if (scene.phase.current === "no_more_bets") return ["lock", "filled", text("phase.no_more_bets")];
    if (scene.circle !== null) return ["bowl", "", text(`phase.${scene.phase.current}`)];
  }
  return [name, look, text(`chip.${kind}`)];
}

/** What `head` depends on, for Region. */
export function headKey(scene) {
  return [scene.label, scene.game, scene.currency, scene.minimum, scene.maximum, scene.hand_number, chip(scene), scene.circle?.game_number, scene.stage.kind];
}

export function head(scene) {
  const [name, look, words] = chip(scene);
  const amount = (minor) => strong(round(minor, scene.currency));
  const limits =
    scene.minimum === null || scene.stage.kind === "out_of_service"
      ? null
      : scene.maximum === null
        ? rich("limits.minimum", { minimum: amount(scene.minimum) })
        : rich("limits.both", { minimum: amount(scene.minimum), maximum: amount(scene.maximum) });
  return [
    h("span", { class: "table-name" }, tableName(scene.label)),
    h("span", { class: "game-name" }, gameName(scene.game)),
    h("span", { class: `chip state ${look}`, role: "status" }, glyph(name), words),
    h("div", { class: "facts-line" }, limits && h("p", {}, limits), h("p", {}, h("span", { class: "hand-number" }, handText(scene)), h("span", { class: "time" }))),
  ];
}

function handText(scene) {
  if (scene.stage.kind === "stale") return `${text("hand.unknown")} · `;
  if (scene.stage.kind === "seat_draw" && scene.circle?.game_number) return `${text("game.number", { game: counter(scene.circle.game_number, language) })} · `;
  return scene.hand_number === null || scene.stage.kind === "out_of_service" ? "" : `${text("hand.number", { hand: counter(scene.hand_number, language) })} · `;
}
