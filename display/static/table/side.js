// The right side of a table screen: the prize list, and above it what only the circle game has.

import { circleFacts } from "../circle_facts.js";
import { h } from "../dom.js";
import { prizeKey, prizeList } from "../prizes.js";
import { written } from "../money.js";
import { language, text } from "../texts.js";

const round = (minor, currency) => written(minor, currency, language, { dropZeros: true });

/** What `side` depends on, for Region. */
export function sideKey(scene, ring) {
  const circle = ring && { ...scene.circle, clock: scene.circle.clock && { ...scene.circle.clock, remaining_ms: 0 }, game_remaining_ms: scene.circle.game_remaining_ms !== null };
  return [prizeKey(scene), ring, circle, ring && scene.meter && [scene.meter.freshness, scene.meter.carousel, scene.meter.limit], ring && scene.stage.kind === "seat_draw" && scene.stage];
}

export function side(scene, ring) {
  if (!ring) return prizeList(scene);
  if (scene.stage.kind === "seat_draw") return [circleFacts(scene), h("div", { class: "compact" }, prizeList(scene))];
  const { meter } = scene;
  const title = meter && (meter.carousel === null ? text("meter.title") : `${text("meter.title")} · ${meter.carousel}`);
  return [
    circleFacts(scene),
    meter && h("div", { class: "side-meter" }, h("h2", {}, title), h("div", { class: "drums", "data-size": 4, "data-room": 46 }), meter.limit && h("p", {}, text("meter.limit", { amount: round(meter.limit, scene.currency) }))),
    h("div", { class: "compact" }, prizeList(scene)),
  ];
}
