// A carousel's sign: one number to be read from afar, its tables, the last prizes; a pending prize above all.

import { h, Region } from "./dom.js";
import { ScreenFeed } from "./feed.js";
import { glyph } from "./glyphs.js";
import { felt, rosette } from "./guilloche.js";
import { written } from "./money.js";
import { Odometer } from "./odometer.js";
import { onTurn, portrait } from "./orientation.js";
import { categoryName, counted, dayText, gameName, language, text } from "./texts.js";
import { paidChip, pendingChip, verifiedChip } from "./stages/paper.js";

const page = document.documentElement.dataset;
const LAST_PRIZES = 3;
const VERDICTS = { paid: paidChip, verified: verifiedChip, pending: pendingChip };

const whole = (minor, currency) => written(minor, currency, language, { fraction: false });

/** Days since the epoch in the site's time zone. */
function day(ms) {
  const parts = new Intl.DateTimeFormat("en-CA", { timeZone: page.timeZone }).format(ms).split("-").map(Number);
  return Date.UTC(parts[0], parts[1] - 1, parts[2]) / 86_400_000;
}

function when(ms, nowMs) {
  const days = day(nowMs) - day(ms);
  if (days === 0) return text("when.today");
  if (days === 1) return text("when.yesterday");
  return new Intl.DateTimeFormat(language === "en" ? "en-GB" : "es-AR", { day: "numeric", month: "long", timeZone: page.timeZone }).format(ms);
}

const UNKNOWN = {
  name: "", state: "stale", tables: [], last_prizes: [], pending: [], just_paid: null,
  currency: { code: "", symbol: "$", decimals: 2 },
  meter: { amount: null, digits: 10, freshness: "stale", fall: null, limit: null, as_of_ms: 0 },
};

class SignageScreen {
  #scene = null;

  constructor() {
    this.top = new Region(h("main", { class: "top" }));
    this.bottom = new Region(h("section", { class: "bottom", "aria-label": text("title.signage") }));
    this.odometer = new Odometer({ size: 20.3, room: 176, language, fraction: false });
    this.root = h("div", { class: "screen" }, h("div", { class: "ground", "aria-hidden": "true" }, felt()), this.top.element, this.bottom.element);
    document.body.replaceChildren(this.root);
    this.feed = new ScreenFeed(page.screen, {
      staleAfterMs: Number(page.staleAfterMs),
      onScene: (scene, message) => {
        this.#scene = scene;
        page.version = message.version;
        this.#changed();
      },
      onState: () => this.#changed(),
    });
    onTurn(() => this.#changed());
    this.#changed();
  }

  #view() {
    const scene = this.#scene ?? UNKNOWN;
    if (scene.state === "fresh" && scene.meter.freshness === "fresh" && !this.feed?.stale && this.#scene !== null) return scene;
    const state = scene.state === "out_of_service" ? scene.state : "closed";
    return {
      ...scene, state, pending: [], just_paid: null, last_prizes: [],
      meter: { ...scene.meter, amount: null, digits: scene.meter.amount?.length ?? scene.meter.digits },
      tables: scene.tables.map((table) => ({ ...table, amount: null })),
    };
  }

  #changed() {
    const scene = this.#view();
    const prize = scene.pending[0] ?? scene.just_paid;
    const upright = portrait.matches;
    const known = scene.state === "fresh";
    this.root.className = `screen ${upright ? "portrait" : "landscape"} state-${scene.state}${prize ? " has-prize" : ""}`;
    this.top.draw([scene.name, scene.meter.limit, scene.ends, scene.ended, prize, scene.pending.length, scene.currency, upright, known && Boolean(prize)], () => (prize ? this.#prizeTop(scene, prize) : this.#amountTop(scene)));
    const nowMs = this.feed ? this.feed.nowMs() : Date.now();
    const dates = scene.last_prizes.slice(0, LAST_PRIZES).map((one) => when(one.at_ms, nowMs));
    this.bottom.draw([scene.state, Boolean(prize), scene.tables, scene.last_prizes, dates, scene.currency, upright], () => this.#bottom(scene, prize, upright, dates));
    const slot = this.root.querySelector(".drums");
    if (this.odometer.element.parentElement !== slot) {
      this.odometer.settle();
      slot.append(this.odometer.element);
    }
    this.odometer.show(scene.meter, scene.currency, { cut: Boolean(prize) });
    const [size, room] = prize ? (upright ? [11.3, 97] : [14.4, 122]) : upright ? [11.3, 97] : [20.3, 176];
    this.odometer.resize(size, room);
  }

  #amountTop(scene) {
    return [
      h("div", { class: "heading" }, h("h1", {}, text("meter.title")), h("p", { class: "carousel" }, scene.name, ends(scene) || limit(scene))),
      h("div", { class: "drums" }),
    ];
  }

  #prizeTop(scene, prize) {
    const more = scene.pending.length - 1;
    return [
      rosette({ inner: 400, outer: 490, waves: 9, curves: 26, className: "rosette seal" }),
      h("div", { class: "heading" }, h("h1", {}, categoryName(prize.category)), badge(prize.table)),
      prizeFigure(prize.amount, scene.currency),
      h("div", { class: "verdict" }, VERDICTS[prize.state](), more > 0 && h("span", { class: "more" }, counted("signage.more_pending", more))),
    ];
  }

  #bottom(scene, prize, upright, dates) {
    if (scene.state !== "fresh") {
      const title = scene.state === "out_of_service" ? "signage.out" : "signage.unavailable";
      return h(
        "div",
        { class: "closed-words", role: "status" },
        h("h2", {}, glyph(scene.state === "out_of_service" ? "octagon" : "triangle"), text(title)),
        h("p", {}, text("signage.ask")),
      );
    }
    const inPlay = prize && h("div", { class: "in-play" }, h("p", { class: "label" }, text("signage.in_play")), h("div", { class: "drums" }));
    if (prize && !upright) return inPlay;
    return [inPlay, this.#tables(scene, upright), this.#last(scene, upright && prize ? 1 : LAST_PRIZES, dates)];
  }

  #tables(scene, upright) {
    const crowd = scene.tables.length > 9 ? "crowd" : scene.tables.length > (upright ? 6 : 4) ? "many" : "few";
    return h(
      "div",
      { class: `tables ${crowd}` },
      h("h2", { class: "label" }, text("signage.tables")),
      h(
        "ul",
        {},
        scene.tables.map((table) =>
          h(
            "li",
            { class: table.linked ? null : "unlinked", "data-table": table.label },
            numeral(table.label),
            h("span", { class: "game" }, gameName(table.game)),
            h("span", { class: "own" }, table.linked && table.amount !== null ? whole(table.amount, scene.currency) : table.linked ? "" : text("signage.unlinked")),
          ),
        ),
      ),
    );
  }

  #last(scene, count, dates) {
    const [first, ...rest] = scene.last_prizes.slice(0, count);
    if (!first) return h("div", { class: "last" }, h("h2", { class: "label" }, text("signage.last")), h("p", { class: "who" }, text("signage.none")));
    const named = (one) => text("signage.prize", { category: categoryName(one.category), table: one.table });
    return h(
      "div",
      { class: "last" },
      h("h2", { class: "label" }, text("signage.last_when", { when: dates[0] })),
      h("p", { class: "won" }, whole(first.amount, scene.currency)),
      h("p", { class: "who" }, named(first)),
      rest.length > 0 && h("ul", { class: "earlier" }, rest.map((one) => h("li", {}, h("b", {}, whole(one.amount, scene.currency)), h("span", {}, named(one))))),
    );
  }
}

/** A table's label where so many characters fit: a longer one takes a smaller size, and never breaks. */
function fitted(tag, label, most) {
  const element = h(tag, { class: "fitted" }, label);
  element.style.setProperty("--fit", Math.min(1, most / label.length).toFixed(3));
  return element;
}

const numeral = (label) =>
  h("span", { class: label.length > 3 ? "numeral named" : "numeral" }, h("span", { class: "hidden-words" }, `${text("table.word")} `), fitted("span", label, 2.2));

const badge = (label) => h("p", { class: "badge" }, h("span", {}, text("table.word")), " ", fitted("b", label, 3));

/** The most that the amount can reach, where it has a ceiling. */
const limit = ({ meter, currency }) => meter.limit && h("span", { class: "limit" }, text("meter.limit", { amount: whole(meter.limit, currency) }));

/** The announced end of the jackpot, which goes before its limit. */
const ends = (scene) => scene.ends && h("span", { class: "limit ends" }, text(scene.ended ? "signage.ended" : "signage.ends", { day: dayText(scene.ends) }));

/** A prize in print, or that its amount is not known yet. */
function prizeFigure(amount, currency) {
  if (amount === null) return h("p", { class: "figure waits" }, text("prize.amount_waits"));
  const [symbol, figure] = whole(amount, currency).split("\u00a0");
  return h("p", { class: prizeSize(figure) }, h("span", { class: "symbol" }, symbol), figure);
}

/** Longer figures take a smaller size; they never wrap. */
function prizeSize(figure) {
  if (figure.length > 13) return "figure long";
  if (figure.length > 11) return "figure middle-size wide";
  return figure.length > 10 ? "figure middle-size" : "figure";
}

new SignageScreen();
