// The circle game: dealer on top, seats clockwise, pots with who can win them, the clocks.

import { h, svg } from "./dom.js";
import { rosette } from "./guilloche.js";
import { written } from "./money.js";
import { more, portrait } from "./orientation.js";
import { hasWon, potLists } from "./pots.js";
import { drawMarks } from "./stages/draws.js";
import { board } from "./stages/hand.js";
import { counted, language, rich, strong, text } from "./texts.js";
import { seatWords, token } from "./seats.js";

/** Where the table lies, in rem, on a screen that lies and on one that stands. */
const LYING = { centre: { x: 68.2, y: 56.5 }, ring: { x: 52, y: 36.5 }, width: 136.4, height: 108, markers: 0.79 };
const STANDING = { centre: { x: 54, y: 66 }, ring: { x: 41.6, y: 40 }, width: 108, height: 118, markers: 0.79 };

/** A lying table takes the height that its screen has. */
function layout() {
  if (portrait.matches) return STANDING;
  const { centre, ring, height } = LYING;
  const room = more();
  return {
    ...LYING,
    centre: { x: centre.x, y: centre.y + room / 2 },
    ring: { x: ring.x, y: ring.y + room * 0.44 },
    height: height + room,
  };
}

const round = (minor, currency) => written(minor, currency, language, { dropZeros: true });

function spot(number, seats, reach = 1) {
  const { centre, ring } = layout();
  const angle = (number / (seats + 1)) * 2 * Math.PI;
  return { x: centre.x + ring.x * reach * Math.sin(angle), y: centre.y - ring.y * reach * Math.cos(angle), angle };
}

function at(element, { x, y }) {
  element.style.left = `${x.toFixed(2)}rem`;
  element.style.top = `${y.toFixed(2)}rem`;
  element.style.setProperty("--x", `${x.toFixed(2)}rem`);
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
      if (seat.action === "all_in") return { title: text("action.all_in"), second: bet.trim() };
      return { title: text(`action.${seat.action}`) + bet, second: stack };
    }
    return { title: stack === "" ? words.title : stack, second: "" };
  }
  if (seat.state === "folded") return { title: text("action.fold"), second: "" };
  return words;
}

function ringLook(seat, words, won) {
  if (seat.deciding || won) return "winner";
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
      token(seat, ringLook(seat, seatWords(seat, scene), hasWon(seat.number, scene.circle))),
      h("span", { class: "plate" }, h("b", {}, words.title), credits(seat), words.second && h("span", {}, words.second)),
    ),
    place,
  );
}

function marker(seat, seats, kind, turn) {
  if (seat === null) return null;
  const angle = seat + turn;
  return at(h("span", { class: `marker ${kind}` }, h("span", { class: "hidden-words" }, text(`circle.${kind}`)), h("span", { "aria-hidden": "true" }, text(`circle.${kind}.short`))), spot(angle, seats, layout().markers));
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
  if (scene.stage.kind === "seat_draw") return seatDrum(scene.stage);
  const words = invitation(scene);
  return h(
    "div",
    { class: "table-middle" },
    words,
    words === null && board(scene),
    potLists(scene),
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
  const { centre, ring, width, height } = layout();
  const shape = (grow) => ({ cx: centre.x * 10, cy: centre.y * 10, rx: ring.x * 10 + grow, ry: ring.y * 10 + grow });
  return svg(
    "svg",
    { class: "oval", viewBox: `0 0 ${width * 10} ${height * 10}`, "aria-hidden": "true", focusable: "false" },
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
