// An amount on ivory drums: turns upwards, goes back only for a recorded fall, closes its shutters when unconfirmed.

import { h } from "./dom.js";
import { grouped, marks, parted, written } from "./money.js";
import { text } from "./texts.js";
import { reducedMotion, tween } from "./tween.js";

const TURN_MS = 900;
const FALL_MS = 2400;
const CUT_MS = 400;
const REACH = 99n;
const DRUM_EM = 1.46 / 1.2;
const WIDTH_EM = { drum: 0.885, small: 0.57, mark: 0.3, symbol: 0.78 };
const DIGITS = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "0"];

/** Where each drum stands (0 to 10) when `base + extra` units are shown, lowest first; a drum moves as the lower passes nine. */
export function positions(base, extra, count) {
  const moved = Math.floor(extra);
  let units = base + BigInt(moved);
  let fraction = extra - moved;
  const places = [];
  for (let place = 0; place < count; place += 1) {
    const digit = Number(units % 10n);
    places.push(digit + fraction);
    if (digit !== 9) fraction = 0;
    units /= 10n;
  }
  return places;
}

export class Odometer {
  #options;
  #shown = null;
  #target = null;
  #waiting = null;
  #turn = null;
  #cut = null;
  #fall = undefined;
  #strips = [];
  #layout = "";

  /** `size` is the largest digit in rem, `room` the width in rem it may fill. */
  constructor({ size, room, language, fraction = true }) {
    this.#options = { size, room, language, fraction };
    this.element = h("div", { class: "odometer", role: "img" });
  }

  resize(size, room) {
    if (size === this.#options.size && room === this.#options.room) return;
    this.settle();
    Object.assign(this.#options, { size, room });
    this.#layout = "";
    if (this.#shown === null) this.#close(this.element.dataset.digits ?? 1);
    else this.#draw(this.#shown, 0, this.#shown);
  }

  /** Show a meter of a scene. `cut`: a lower amount is put in place without going back (the paper tells why). */
  show(meter, currency, { cut = false } = {}) {
    this.currency = currency;
    const fall = meter.fall?.entry ?? null;
    const fell = this.#fall !== undefined && fall !== null && fall !== this.#fall;
    this.#fall = fall;
    if (meter.amount === null) {
      this.#forget();
      this.#close(meter.digits);
      return;
    }
    this.#to({ units: this.#units(meter.amount), asOf: meter.as_of_ms, fell: fell && !cut, cut });
  }

  /** The running turn to its last frame. */
  settle() {
    this.#cut?.finish();
    while (this.#turn) this.#turn.finish();
  }

  #units(minor) {
    return BigInt(this.#options.fraction ? minor : parted(minor, this.currency.decimals).whole);
  }

  #forget() {
    this.#turn?.cancel();
    this.#cut?.cancel();
    this.#turn = this.#cut = this.#waiting = this.#target = this.#shown = null;
  }

  #to(next) {
    if (this.#shown === null && this.#cut === null) this.#place(next);
    else if (next.units < (this.#target ?? 0n)) this.#lower(next);
    else if (this.#turn || this.#cut) this.#waiting = next;
    else if (next.units > this.#shown) this.#rotate(next, TURN_MS);
    else this.#place(next);
  }

  #lower(next) {
    this.#waiting = null;
    this.settle();
    if (next.fell) this.#rotate(next, FALL_MS);
    else if (next.cut || reducedMotion()) this.#place(next);
    else {
      this.#close(String(next.units).length + (this.#options.fraction ? 0 : this.currency.decimals));
      this.#shown = null;
      this.#target = next.units;
      this.#cut = tween(CUT_MS, {
        frame: () => {},
        done: () => {
          this.#cut = null;
          this.#place(next);
          this.#follow();
        },
      });
    }
  }

  #place(next) {
    this.#target = this.#shown = next.units;
    this.#draw(next.units, 0, next.units);
    this.#settled(next);
  }

  #rotate(next, ms) {
    if (reducedMotion()) {
      this.#place(next);
      return;
    }
    const up = next.units > this.#shown;
    const near = up ? next.units - REACH : next.units + REACH;
    const from = up ? (near > this.#shown ? near : this.#shown) : near < this.#shown ? near : this.#shown;
    const span = Number(next.units - from);
    const widest = from > next.units ? from : next.units;
    this.#target = next.units;
    if (up) this.element.dataset.asOf = next.asOf;
    this.#turn = tween(ms, {
      frame: (t) => {
        const moved = span * t;
        const whole = Math.floor(moved);
        this.#shown = from + BigInt(whole);
        this.#draw(from + BigInt(whole), moved - whole, widest);
      },
      done: () => {
        this.#turn = null;
        this.#place(next);
        this.#follow();
      },
    });
  }

  #follow() {
    const next = this.#waiting;
    this.#waiting = null;
    if (next) this.#to(next);
  }

  #settled(next) {
    const { decimals } = this.currency;
    const minor = this.#options.fraction ? String(next.units) : String(next.units) + "0".repeat(decimals);
    this.element.dataset.asOf = next.asOf;
    this.element.setAttribute(
      "aria-label",
      written(minor, this.currency, this.#options.language, { fraction: this.#options.fraction }),
    );
  }

  #draw(units, extra, widest) {
    const decimals = this.#options.fraction ? this.currency.decimals : 0;
    const count = Math.max(String(widest).length, decimals + 1);
    this.#build(`drums ${count} ${decimals}`, count, decimals, false);
    const places = positions(units, extra, count);
    this.#strips.forEach((strip, index) => {
      strip.style.transform = `translateY(${-(places[count - 1 - index] * DRUM_EM).toFixed(4)}em)`;
    });
    this.element.dataset.shown = String(units);
  }

  /** Closed shutters for an amount of `digits` minor digits: no digit is in the page. */
  #close(digits) {
    const decimals = this.#options.fraction ? this.currency.decimals : 0;
    const dropped = this.currency.decimals - decimals;
    const count = Math.max(Number(digits) - dropped, decimals + 1);
    this.#build(`shutters ${count} ${decimals}`, count, decimals, true);
    this.element.dataset.digits = digits;
    delete this.element.dataset.shown;
    delete this.element.dataset.asOf;
    this.element.setAttribute("aria-label", text("amount.unavailable"));
  }

  #build(layout, count, decimals, closed) {
    if (layout === this.#layout) return;
    this.#layout = layout;
    const { group, point } = marks(this.#options.language);
    const drum = (small) => {
      const strip = closed ? null : h("span", { class: "strip" }, DIGITS.map((digit) => h("span", {}, digit)));
      const face = h("span", { class: `drum${small ? " small" : ""}${closed ? " closed" : ""}` }, strip);
      return { strip, face };
    };
    const sizes = grouped("0".repeat(count - decimals)).map((part) => part.length);
    const whole = sizes.map((size) => Array.from({ length: size }, () => drum(false)));
    const minor = Array.from({ length: decimals }, () => drum(true));
    this.#strips = closed ? [] : [...whole.flat(), ...minor].map(({ strip }) => strip);
    const mark = (sign) => h("span", { class: "mark" }, sign);
    const faces = whole.flatMap((part, index) => [index > 0 && mark(group), ...part.map(({ face }) => face)]);
    const tail = decimals > 0 ? [mark(point), ...minor.map(({ face }) => face)] : [];
    const symbol = h("span", { class: "symbol" }, this.currency.symbol);
    this.element.replaceChildren(
      h("span", { class: "reel", "aria-hidden": "true" }, symbol, faces, tail),
    );
    this.element.classList.toggle("closed", closed);
    const signs = sizes.length - 1 + (decimals > 0 ? 1 : 0);
    const width =
      (count - decimals) * WIDTH_EM.drum + decimals * WIDTH_EM.small + signs * WIDTH_EM.mark +
      WIDTH_EM.symbol * Math.max(1, this.currency.symbol.length * 0.8);
    const size = Math.min(this.#options.size, this.#options.room / width);
    this.element.style.fontSize = `${size.toFixed(3)}rem`;
  }
}
