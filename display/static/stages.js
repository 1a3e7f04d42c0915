// What the left part of a table screen shows, one function per stage; each returns its elements.

import { h } from "./dom.js";
import { glyph } from "./glyphs.js";
import { amountBlock } from "./stages/amount.js";
import { cartaMagica, jugadorAfortunado } from "./stages/draws.js";
import { bets, hand, idle } from "./stages/hand.js";
import { drums, hero, line } from "./stages/parts.js";
import { cheque, royal } from "./stages/paper.js";
import { tableName, text } from "./texts.js";

function handVoided(scene) {
  return [
    scene.meter && h("div", { class: "amount-block tight" }, amountBlock(scene, 9.2)),
    h("h2", { class: "call" }, text("voided.title")),
    line("invitation", text(`voided.${scene.stage.reason}`)),
    line("words faint", text("voided.returned")),
  ];
}

const suspended = (title, words, more) => (scene) => [
  ...amountBlock(scene),
  h("h2", { class: "call" }, text(title)),
  line("invitation", text(words)),
  more && line("words faint", text(more)),
];

const jackpotStopped = suspended("stopped.title", "stopped.words", "lost.kept");
const linkLost = suspended("lost.title", "lost.words", "lost.kept");
const jackpotNotOpen = suspended("not_open.title", "not_open.words");
const jackpotEnded = suspended("over.title", "over.words", "lost.kept");

/** Out of service by a fault, in the turn of the amount that is still true. */
const faultWithAmount = (scene) => [
  line("kicker warning", glyph("octagon"), text("service.title")),
  hero(text("meter.title"), "title"),
  drums(12.2, 122),
  line("invitation", text(`service.${scene.stage.reason}`)),
  line("words faint", text("service.ask")),
];

const outOfServiceWords = (scene) => [
  line("kicker plain", glyph("octagon"), tableName(scene.label)),
  hero(text("service.title"), "hero giant"),
  line("big-words", text(`service.${scene.stage.reason}`)),
  line("big-words", text("service.ask")),
];

const outOfService = (scene) => (scene.stage.with_amount ? faultWithAmount(scene) : outOfServiceWords(scene));

const STAGES = {
  idle,
  bets,
  hand,
  royal,
  carta_magica: cartaMagica,
  jugador_afortunado: jugadorAfortunado,
  prize_pending: cheque,
  prize_paid: cheque,
  hand_voided: handVoided,
  game_ended: suspended("ended.title", "ended.words"),
  jackpot_stopped: (scene) => (scene.stage.ended ? jackpotEnded : jackpotStopped)(scene),
  link_lost: (scene) => (scene.stage.not_open ? jackpotNotOpen : linkLost)(scene),
  stale: suspended("stale.title", "stale.words", "stale.back"),
  out_of_service: outOfService,
};

export const drawStage = (scene) => STAGES[scene.stage.kind](scene);
