// The progressive on a stage: where it comes from, its title and drums; with a fixed jackpot, its best prize in print.

import { h } from "../dom.js";
import { glyph } from "../glyphs.js";
import { categoryName, spelled, text } from "../texts.js";
import { drums, hero, line, round } from "./parts.js";

function unconfirmed(scene) {
  const since = scene.sinceText ? text("stale.since", { time: scene.sinceText }) : text("stale.waiting");
  return line("kicker warning", glyph("triangle"), since);
}

function source(scene) {
  const { meter } = scene;
  if (scene.stage.not_open) return line("kicker", meter.carousel ?? text("meter.own"));
  if (meter.freshness === "lost") return line("kicker warning", glyph("unlink"), text("link.lost"));
  if (meter.freshness === "stale") return unconfirmed(scene);
  if (meter.carousel === null) return line("kicker", text("meter.own"));
  const linked = meter.linked_tables.length;
  const words = linked > 1 ? text("meter.linked", { name: meter.carousel, count: spelled(linked) }) : meter.carousel;
  return line("kicker", glyph("link"), words);
}

/** The largest digit, in rem, that leaves room for what stands under it. */
const sizeOf = (scene) => (scene.standing.length > 0 ? 9.2 : 12.2);

/** Title and drums of the progressive; with a fixed jackpot, its best prize in print. */
export function amountBlock(scene, size = sizeOf(scene)) {
  if (scene.meter !== null) return [source(scene), hero(text("meter.title"), "title"), drums(size, 122)];
  if (scene.stage.kind === "stale") return [unconfirmed(scene)];
  const best = scene.prizes.find((row) => row.fixed !== null);
  if (!best) return [hero(text("game.open"), "title")];
  return [
    line("kicker", text("jackpot.fixed")),
    hero(categoryName(best.category), "title"),
    h("p", { class: "print-amount" }, round(best.fixed, scene.currency)),
  ];
}

export const smallAmount = (scene) =>
  scene.meter && h("div", { class: "small-amount" }, h("span", { class: "label" }, text("meter.title")), drums(4.6, 52));
