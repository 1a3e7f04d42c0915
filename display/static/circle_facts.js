// Beside the circle: whose turn and how long, the game's time, blinds and rake; the draw of seats as a list.

import { h, svg } from "./dom.js";
import { percent, written } from "./money.js";
import { language, seatName, strong, text } from "./texts.js";

const RING_LENGTH = 2 * Math.PI * 44;

const round = (minor, currency) => written(minor, currency, language, { dropZeros: true });

function clockBox(scene) {
  const { clock } = scene.circle;
  if (clock === null) return null;
  const last = clock.phase === "last_seconds";
  const ring = (className) => svg("circle", { class: className, cx: 50, cy: 50, r: 44 });
  const words = last
    ? h("p", {}, text("clock.last_seconds"))
    : h("p", {}, text("clock.decides"), clock.to_call !== null && clock.to_call !== "0" && [h("br"), text("clock.calls"), h("br"), strong(round(clock.to_call, scene.currency))]);
  return h(
    "div",
    { class: last ? "clock last" : "clock", role: "timer" },
    h("span", { class: "dial" }, svg("svg", { viewBox: "0 0 100 100", "aria-hidden": "true", focusable: "false" }, ring("track"), ring("hand")), h("b", { class: "seconds" }, "")),
    h("div", {}, h("h2", {}, seatName(clock.seat)), words),
  );
}

const fact = (label, value, className = "") => h("li", { class: `fact ${className}` }, h("span", {}, text(label)), h("b", {}, value));

/** The facts above the prize list: whose turn, the game's time, blinds and what the house keeps. */
export function circleFacts(scene) {
  const { circle, currency } = scene;
  if (scene.stage.kind === "seat_draw") return seatDrawList(scene);
  const blinds = `${round(circle.small_blind_amount, currency)} / ${round(circle.big_blind_amount, currency)}`;
  return [
    clockBox(scene),
    h(
      "ul",
      { class: "facts" },
      circle.game_remaining_ms !== null && fact(circle.last_hand ? "circle.last_hand" : "circle.remaining", "", "remaining"),
      fact("circle.blinds", blinds),
      circle.rake_bp > 0 && fact("circle.rake", percent(circle.rake_bp, language)),
    ),
  ];
}

function seatDrawList(scene) {
  const { stage } = scene;
  return [
    h("h2", {}, text("seat_draw.order")),
    h(
      "ol",
      { class: stage.rows.length > 8 ? "arrivals dense" : "arrivals" },
      stage.rows.map((row) =>
        h(
          "li",
          { class: row.arrival === stage.current ? "current" : null },
          h("span", {}, text("seat_draw.player", { arrival: row.arrival })),
          row.seat === null ? h("span", { class: "open" }, text("seat_draw.open")) : h("b", {}, row.seat),
        ),
      ),
    ),
    h("p", { class: "rules" }, text("seat_draw.fair")),
  ];
}

const two = (number) => String(number).padStart(2, "0");

/** The moving parts: the ring of the clock and the game's remaining time. */
export function tickCircle(root, scene, sinceShownMs) {
  const { clock } = scene.circle;
  const dial = root.querySelector(".clock");
  if (clock !== null && dial !== null) {
    const left = Math.max(0, Math.min(clock.total_ms, clock.remaining_ms - sinceShownMs));
    dial.querySelector(".seconds").textContent = String(Math.ceil(left / 1000));
    const share = clock.total_ms > 0 ? left / clock.total_ms : 0;
    dial.querySelector(".hand").setAttribute("stroke-dasharray", `${(share * RING_LENGTH).toFixed(2)} ${RING_LENGTH.toFixed(2)}`);
  }
  const remaining = root.querySelector(".fact.remaining b");
  if (remaining !== null) {
    const seconds = Math.ceil(Math.max(0, scene.circle.game_remaining_ms - sinceShownMs) / 1000);
    remaining.textContent = `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  }
}
