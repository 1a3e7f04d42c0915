// Revealing a stored result: the card that turns, the wheel that slows onto the drawn seat, and which draw is on stage.

import { ease, tween } from "./tween.js";

export const CARD = { back: 600, turn: 900, hold: 5500 };
export const WHEEL = { spin: 3200, hold: 4800 };
const TURNS = 3;

function results(root, shown) {
  root.classList.toggle("concealed", !shown);
}

function turnCard(root, done) {
  const turning = root.querySelector(".turning");
  results(root, false);
  return tween(CARD.turn, {
    delay: CARD.back,
    frame: (t) => {
      turning.style.transform = `rotateY(${(180 * (1 - t)).toFixed(2)}deg)`;
    },
    done: () => {
      turning.style.transform = "";
      results(root, true);
      done();
    },
  });
}

/** Put the stops of a wheel so that the one at `top` (a fractional index) is uppermost. */
export function placeWheel(root, top) {
  const stops = [...root.querySelectorAll(".stop")];
  stops.forEach((stop, index) => {
    const angle = ((index - top) / stops.length) * 2 * Math.PI;
    stop.style.left = `${(50 + 42 * Math.sin(angle)).toFixed(3)}%`;
    stop.style.top = `${(50 - 42 * Math.cos(angle)).toFixed(3)}%`;
  });
}

function spinWheel(root, chosen, done) {
  const stops = [...root.querySelectorAll(".stop")];
  const index = stops.findIndex((stop) => stop.dataset.seat === String(chosen));
  results(root, false);
  return tween(WHEEL.spin, {
    curve: ease.out,
    frame: (t) => placeWheel(root, index - TURNS * stops.length * (1 - t)),
    done: () => {
      stops[index].classList.add("chosen");
      results(root, true);
      done();
    },
  });
}

/** Show a drawn stage: moving when it is news, at its last frame otherwise. */
export function revealStage(root, stage, { news, done = () => {} }) {
  const handle = stage.kind === "carta_magica" ? turnCard(root, done) : spinWheel(root, stage.chosen, done);
  if (!news) handle.finish();
  return handle;
}

const names = ["carta_magica", "jugador_afortunado"];

/**
 * Which draws of a hand still have to be revealed on this screen. A draw is news when the scene before it, of the same
 * hand, did not have it; a screen that was off, or comes late, shows results without ceremony.
 */
export class RevealQueue {
  #seen = null;
  #queue = [];

  /** Take a scene in; returns whether a reveal is now due. */
  take(scene) {
    const present = names.filter((name) => scene[name] !== null || scene.stage.kind === name);
    if (this.#seen !== null && this.#seen.hand === scene.hand_number) {
      const fresh = present.filter((name) => !this.#seen.names.includes(name));
      this.#queue.push(...fresh.filter((name) => scene.stage.kind !== name));
    } else {
      this.#queue = [];
    }
    const onStage = names.includes(scene.stage.kind) ? scene.stage.kind : null;
    this.#queue = this.#queue.filter((name) => name !== onStage && present.includes(name));
    const before = this.#seen?.hand === scene.hand_number ? this.#seen.names : [];
    this.#seen = { hand: scene.hand_number, names: [...new Set([...before, ...present])] };
  }

  clear() {
    this.#queue = [];
  }

  get next() {
    return this.#queue[0] ?? null;
  }

  get waiting() {
    return this.#queue;
  }

  shift() {
    this.#queue.shift();
  }
}
