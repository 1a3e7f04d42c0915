// The circle game: dealer on top, seats clockwise, pots with who can win them, the clocks.

import { h, svg } from "./dom.js";
import { rosette } from "./guilloche.js";
import { percent, written } from "./money.js";
import { board, drawMarks } from "./stages.js";
import { counted, language, rich, seatName, strong, text } from "./texts.js";
import { seatWords, token } from "./seats.js";

const CENTRE = { x: 68.2, y: 56.5 };
const RING = { x: 52, y: 36.5 };
const MARKER_REACH = 0.79;
const RING_LENGTH = 2 * Math.PI * 44;

const round = (minor, currency) => written(minor, currency, language, { dropZeros: true });

function spot(number, seats, reach = 1) {
  const angle = (number / (seats + 1)) * 2 * Math.PI;
  return { x: CENTRE.x + RING.x * reach * Math.sin(angle), y: CENTRE.y - RING.y * reach * Math.cos(angle), angle };
}

function at(element, { x, y }) {
  element.style.left = `${x.toFixed(2)}rem`;
  element.style.top = `${y.toFixed(2)}rem`;
  return element;
}

/** Where a seat's plate goes, so that it never covers a neighbour: beside the token near the dealer, else under it. */
function side(angle) {
  const degrees = (angle * 180) / Math.PI;
  if (degrees < 50) return "right";
  return degrees > 310 ? "left" : "under";
}

function plateWords(seat, scene) {
  const { currency } = scene;
  const words = seatWords(seat, scene);
  if (seat.state === "playing" && seat.win === null) {
    const stack = seat.stack === null ? "" : text("circle.stack", { amount: round(seat.stack, currency) });
    if (seat.deciding) return { title: text("circle.decides"), second: stack };
    if (seat.action !== null) {
      const bet = seat.bet !== null && seat.bet !== "0" ? ` ${round(seat.bet, currency)}` : "";
      return { title: text(`action.${seat.action}`) + bet, second: seat.action === "all_in" ? "" : stack };
    }
    return { title: stack === "" ? words.title : stack, second: "" };
  }
  if (seat.state === "folded") return { title: text("action.fold"), second: "" };
  return words;
}

function ringLook(seat, words) {
  if (seat.deciding) return "winner";
  if (seat.action === "all_in") return "all-in";
  if (seat.state === "folded") return "plain faint";
  return words.look;
}

const credits = (seat) =>
  seat.credits > 0 &&
  h("span", { class: "credits" }, h("span", { class: "hidden-words" }, counted("seat.credits", seat.credits)), h("span", { "aria-hidden": "true" }, "●".repeat(seat.credits)));

function ringSeat(seat, scene) {
  const place = spot(seat.number, scene.seats.length);
  const words = plateWords(seat, scene);
  return at(
    h(
      "li",
      { class: `ring-seat ${seat.state} ${side(place.angle)}${seat.deciding ? " deciding" : ""}`, "data-seat": seat.number },
      token(seat, ringLook(seat, seatWords(seat, scene))),
      h("span", { class: "plate" }, h("b", {}, words.title), credits(seat), words.second && h("span", {}, words.second)),
    ),
    place,
  );
}

function marker(seat, seats, kind, turn) {
  if (seat === null) return null;
  const angle = seat + turn;
  return at(h("span", { class: `marker ${kind}` }, h("span", { class: "hidden-words" }, text(`circle.${kind}`)), h("span", { "aria-hidden": "true" }, text(`circle.${kind}.short`))), spot(angle, seats, MARKER_REACH));
}

/** Button and blinds; two of them at one seat stand side by side. */
function markers(scene) {
  const { circle } = scene;
  const seats = scene.seats.length;
  const shared = circle.button !== null && circle.button === circle.small_blind ? 0.28 : 0;
  return [
    marker(circle.button, seats, "button", -shared),
    marker(circle.small_blind, seats, "small_blind", shared),
    marker(circle.big_blind, seats, "big_blind", 0),
  ];
}

const pot = (one, currency) =>
  h(
    "li",
    { class: "pot" },
    h("span", {}, one.index === 0 ? text("pot.main") : text("pot.side", { index: one.index })),
    h("b", {}, round(one.amount, currency)),
    h("span", { class: "eligible" }, h("span", { class: "hidden-words" }, `${text("pot.eligible")} `), one.eligible.join(" · ")),
  );

/** Between hands the cloth says what may be done now. */
function invitation(scene) {
  const { stage, currency } = scene;
  if (stage.kind !== "bets" && stage.kind !== "idle") return null;
  return h(
    "div",
    { class: "cloth-words" },
    h("h1", { class: "call" }, text(stage.kind === "bets" ? "bets.call" : "chip.idle")),
    h("p", {}, rich("bets.none", { amount: strong(round(stage.credit, currency)) })),
  );
}

function middle(scene) {
  const { circle, currency } = scene;
  if (scene.stage.kind === "seat_draw") return seatDrum(scene.stage);
  return h(
    "div",
    { class: "table-middle" },
    invitation(scene),
    board(scene),
    circle.pots.length > 0 && h("ul", { class: circle.pots.length > 3 ? "pots many" : "pots", "aria-label": text("pot.title") }, circle.pots.map((one) => pot(one, currency))),
    drawMarks(scene),
  );
}

function seatDrum(stage) {
  const row = stage.rows.find((one) => one.arrival === stage.current) ?? null;
  return h(
    "div",
    { class: "table-middle seat-drawn" },
    row
      ? [h("span", { class: "label" }, text("seat_draw.player", { arrival: row.arrival })), h("h1", {}, text("seat_draw.seat")), h("span", { class: "drawn-number" }, row.seat)]
      : h("h1", {}, text("seat_draw.title")),
  );
}

function drawnSeats(scene) {
  const bySeat = new Map(scene.stage.rows.filter((row) => row.seat !== null).map((row) => [row.seat, row]));
  return scene.seats.map((seat) => {
    const row = bySeat.get(seat.number);
    const look = !row ? "free" : row.arrival === scene.stage.current ? "winner" : "jackpot";
    const place = spot(seat.number, scene.seats.length);
    const plate = row && h("span", { class: "plate" }, h("b", {}, text("seat_draw.player", { arrival: row.arrival })));
    return at(h("li", { class: `ring-seat ${side(place.angle)}`, "data-seat": seat.number }, token(seat, look), plate), place);
  });
}

function oval() {
  const shape = (grow) => ({ cx: CENTRE.x * 10, cy: CENTRE.y * 10, rx: RING.x * 10 + grow, ry: RING.y * 10 + grow });
  return svg(
    "svg",
    { class: "oval", viewBox: "0 0 1364 1080", "aria-hidden": "true", focusable: "false" },
    svg("ellipse", { class: "rail", ...shape(0) }),
    svg("ellipse", { class: "edge", ...shape(11) }),
    svg("ellipse", { class: "edge inner", ...shape(-11) }),
  );
}

/** The table seen from above; used by the stages that belong to the game and not to a prize. */
export function circleStage(scene) {
  const seats = scene.stage.kind === "seat_draw" ? drawnSeats(scene) : scene.seats.map((seat) => ringSeat(seat, scene));
  return h(
    "div",
    { class: "circle" },
    oval(),
    rosette({ inner: 270, outer: 480, waves: 18, curves: 14, className: "rosette cloth" }),
    at(h("span", { class: "dealer" }, text("circle.dealer")), spot(0, scene.seats.length)),
    h("ol", { class: "ring", "aria-label": text("seats.title") }, seats),
    scene.stage.kind === "hand" && markers(scene),
    middle(scene),
  );
}

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
