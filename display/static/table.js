// A table screen: stage on the left, prize list on the right, seats at the bottom; scenes change the stage only.

import { circleStage } from "./circle.js";
import { tickCircle } from "./circle_facts.js";
import { h, Region } from "./dom.js";
import { ScreenFeed } from "./feed.js";
import { felt } from "./guilloche.js";
import { Odometer } from "./odometer.js";
import { more, onTurn, portrait } from "./orientation.js";
import { CARD, placeWheel, RevealQueue, revealStage, WHEEL } from "./reveal.js";
import { seatsKey, seatStrip } from "./seats.js";
import { drawStage } from "./stages.js";
import { enter } from "./table/entrances.js";
import { head, headKey } from "./table/head.js";
import { notices } from "./table/notices.js";
import { side, sideKey } from "./table/side.js";
import { DRAWS, isFault, knownPrizes, knownSeats, revealStageOf, timeText, unconfirmed, unknown } from "./table/view.js";
import { language, text } from "./texts.js";
import { finishAll } from "./tween.js";

const page = document.documentElement.dataset;
const FALL_NOTICE_MS = 20_000;
const TICK_MS = 200;
const PAPER = ["prize_pending", "prize_paid", "royal"];
const RING_STAGES = ["idle", "bets", "hand", "seat_draw"];
const REVEALED_OVER = ["idle", "bets", "hand"];
const FAULT_TURN_MS = 6_000;

const UNKNOWN = unknown(page.screen.replace(/^table-/, ""));

/** Largest digit and width of the drums in a slot, both in rem; the style of a layout may set others. */
function roomOf(slot) {
  const style = getComputedStyle(slot);
  const of = (name) => Number(style.getPropertyValue(`--${name}`) || slot.dataset[name]);
  return [of("size"), of("room")];
}

class TableScreen {
  #scene = null;
  #message = null;
  #staleSince = null;
  #reveals = new RevealQueue();
  #revealing = null;
  #stageKey = "";
  #stageKind = null;
  #fallSeen = undefined;
  #fallNotice = null;
  #faultSince = null;
  #faultTurn = false;

  constructor() {
    const place = (tag, className, label) => new Region(h(tag, { class: className, "aria-label": label }));
    this.header = place("header", "head");
    this.stage = place("main", "stage");
    this.notices = new Region(h("div", { class: "notices", role: "status" }));
    this.side = place("aside", "prizes", text("prizes.title.any"));
    this.seats = place("section", "seats", text("seats.title"));
    this.odometer = new Odometer({ size: 12.2, room: 122, language });
    this.root = h(
      "div",
      { class: "screen" },
      h("div", { class: "ground", "aria-hidden": "true" }, felt()),
      h("div", { class: "paper", "aria-hidden": "true" }, felt()),
      [this.header, this.stage, this.notices, this.side, this.seats].map((region) => region.element),
    );
    document.body.replaceChildren(this.root);
    this.feed = new ScreenFeed(page.screen, {
      staleAfterMs: Number(page.staleAfterMs),
      onScene: (scene, message) => this.#take(scene, message),
      onState: () => this.#changed(),
    });
    onTurn(() => this.#changed());
    setInterval(() => this.#tick(), TICK_MS);
    this.#changed();
  }

  #take(scene, message) {
    const restarted = this.#message !== null && this.#message.epoch !== message.epoch;
    if (restarted) this.#fallSeen = undefined;
    this.#noteFall(scene.meter);
    this.#scene = scene;
    this.#message = message;
    page.version = message.version;
    this.#reveals.take(scene);
    if (!REVEALED_OVER.includes(scene.stage.kind) && !DRAWS.includes(scene.stage.kind)) this.#reveals.clear();
    if (this.#revealing?.name === scene.stage.kind) this.#handOver();
    else if (this.#revealing && !this.#reveals.waiting.includes(this.#revealing.name)) this.#endReveal();
    this.#changed();
  }

  #noteFall(meter) {
    const entry = meter?.fall?.entry ?? null;
    if (this.#fallSeen !== undefined && entry !== null && entry !== this.#fallSeen) {
      this.#fallNotice = { ...meter.fall, until: performance.now() + FALL_NOTICE_MS };
    }
    this.#fallSeen = entry;
  }

  /** The scene as this screen may show it now: closed when unconfirmed, a result hidden until its reveal. */
  #view() {
    const scene = this.#scene ?? UNKNOWN;
    if (this.#scene === null) return scene;
    if (this.feed.stale) {
      this.#staleSince ??= this.feed.confirmedMs;
      return unconfirmed(scene, this.#staleSince);
    }
    const shown = this.#faultTurn ? { ...scene, stage: { ...scene.stage, with_amount: true } } : scene;
    const view = { ...shown, prizes: knownPrizes(shown), seats: knownSeats(shown) };
    if (scene.stage.kind === "stale") view.sinceText = timeText(scene.stage.since_ms, true);
    else if (scene.meter?.freshness === "stale") view.sinceText = timeText(scene.meter.as_of_ms, true);
    if (scene.stage.paid_at_ms) view.paidText = timeText(scene.stage.paid_at_ms);
    return this.#revealed(view);
  }

  /** The next draw to reveal takes the stage of the phases; what is still to be revealed is nowhere on the screen. */
  #revealed(scene) {
    const name = this.#reveals.next;
    const spinning = this.#revealing !== null && !this.#revealing.shown;
    const hidden = this.#reveals.waiting.filter((waiting) => waiting !== this.#revealing?.name || spinning || this.#revealing === null);
    const conceal = (draw) => hidden.includes(draw) || (DRAWS.includes(scene.stage.kind) && scene.stage.kind === draw && spinning);
    const view = { ...scene };
    if (this.#reveals.waiting.length > 0) view.draw_check = null;
    if (conceal("carta_magica")) view.carta_magica = null;
    if (conceal("jugador_afortunado")) {
      view.jugador_afortunado = null;
      view.seats = scene.seats.map((seat) => ({ ...seat, lucky: false, win: seat.win?.category === "jugador_afortunado" ? null : seat.win }));
    }
    if (name === null || !REVEALED_OVER.includes(scene.stage.kind)) return view;
    view.stage = revealStageOf(scene, name);
    view.draw_prizes = scene.draw_prizes.map((row) => ({ ...row, drawn: row.draw === name }));
    return view;
  }

  #changed() {
    if (!this.feed?.stale) this.#staleSince = null;
    if (this.feed?.stale && this.#revealing) this.#endReveal();
    this.#faultTurn = this.#turnOfAmount();
    let scene = this.feed ? this.#view() : UNKNOWN;
    const ring = scene.circle !== null && RING_STAGES.includes(scene.stage.kind);
    this.root.className = `screen stage-${scene.stage.kind}${ring ? " ring-layout" : ""}`;
    this.#drawStageRegion(scene, ring);
    if (this.#revealing && !this.#revealing.shown) scene = this.#view(); // nothing beside the stage tells the result first
    this.view = scene;
    this.header.draw(headKey(scene), () => head(scene));
    this.side.draw(sideKey(scene, ring), () => side(scene, ring));
    this.seats.draw(ring ? null : seatsKey(scene), () => (ring ? [] : seatStrip(scene)));
    this.notices.draw([scene.stage.kind, scene.notices, scene.other_prizes, scene.standing, this.#fallNotice, scene.currency, scene.label], () => notices(scene, this.#fallNotice));
    this.#placeDrums(scene);
    this.#tick();
  }

  #drawStageRegion(scene, ring) {
    const first = this.#stageKind === null;
    const key = this.#keyOfStage(scene, ring);
    if (JSON.stringify(key) === this.#stageKey) return;
    this.#stageKey = JSON.stringify(key);
    const before = this.#stageKind;
    finishAll();
    this.stage.draw(key, () => (ring ? circleStage(scene) : drawStage(scene)));
    this.#stageKind = scene.stage.kind;
    const news = !first && !this.feed.stale && this.#scene !== null && before !== "stale";
    if (DRAWS.includes(scene.stage.kind)) this.#startReveal(scene.stage, news && before !== scene.stage.kind);
    else if (news && before !== scene.stage.kind) enter(this.root, scene.stage.kind);
  }

  #keyOfStage(scene, ring) {
    const { stage, meter, seats, currency, label } = scene;
    const known = meter && [meter.freshness, meter.carousel, meter.linked_tables];
    if (DRAWS.includes(stage.kind)) {
      return [stage.kind, stage.card, stage.winners, stage.positions, stage.chosen, stage.winner, stage.prize, scene.hand_number, currency];
    }
    const playing = stage.kind === "bets" ? seats.filter((seat) => seat.credits > 0).length : 0;
    const marks = [scene.carta_magica, scene.jugador_afortunado, scene.board, scene.board_slots, scene.draw_check];
    const circle = ring && [portrait.matches, more(), seats, { ...scene.circle, clock: null, game_remaining_ms: null }];
    const fixed = meter === null && scene.prizes;
    return [stage, known, currency, label, scene.phase, playing, marks, circle, fixed, scene.sinceText, scene.paidText, scene.standing.length > 0];
  }

  #startReveal(stage, news) {
    this.#endReveal();
    const queued = this.#reveals.next === stage.kind && this.#scene.stage.kind !== stage.kind;
    if (stage.kind === "jugador_afortunado") placeWheel(this.stage.element, stage.positions.indexOf(stage.chosen));
    const reveal = { name: stage.kind, shown: false, timer: null, queued };
    this.#revealing = reveal;
    const root = this.stage.element.firstElementChild;
    revealStage(root, stage, {
      news,
      done: () => {
        reveal.shown = true;
        if (reveal.queued) reveal.timer = setTimeout(() => this.#next(reveal), stage.kind === "carta_magica" ? CARD.hold : WHEEL.hold);
        queueMicrotask(() => this.#changed());
      },
    });
  }

  #next(reveal) {
    if (this.#revealing !== reveal) return;
    this.#reveals.shift();
    this.#revealing = null;
    this.#changed();
  }

  /** The scene itself now has on stage what is being revealed: how long it stays is the scene's to say. */
  #handOver() {
    clearTimeout(this.#revealing.timer);
    this.#revealing.queued = false;
  }

  #endReveal() {
    clearTimeout(this.#revealing?.timer);
    this.#revealing = null;
  }

  #placeDrums(scene) {
    const slot = this.root.querySelector(".drums");
    if (slot === null || scene.meter === null) {
      this.odometer.settle();
      this.odometer.element.remove();
      if (scene.meter !== null) this.odometer.show(scene.meter, scene.currency, { cut: true });
      return;
    }
    const moved = this.odometer.element.parentElement !== slot;
    if (moved) {
      this.odometer.settle();
      slot.append(this.odometer.element);
    }
    this.odometer.show(scene.meter, scene.currency, { cut: PAPER.includes(scene.stage.kind) });
    this.odometer.resize(...roomOf(slot));
  }

  #tick() {
    if (!this.view) return;
    const time = this.header.element.querySelector(".time");
    const now = timeText(this.feed ? this.feed.nowMs() : Date.now(), this.view.stage.kind === "stale");
    if (time && time.textContent !== now) time.textContent = now;
    if (this.view.circle !== null && this.feed) tickCircle(this.root, this.view, this.feed.sinceShownMs());
    if (this.#turnOfAmount() !== this.#faultTurn) this.#changed();
    if (this.#fallNotice && performance.now() > this.#fallNotice.until) {
      this.#fallNotice = null;
      this.#changed();
    }
  }

  /** On a fault the message takes turns with the amount, as long as the amount is known to be true. */
  #turnOfAmount() {
    const fault = Boolean(this.feed) && !this.feed.stale && this.#scene !== null && isFault(this.#scene);
    this.#faultSince = fault ? (this.#faultSince ?? performance.now()) : null;
    return fault && Math.floor((performance.now() - this.#faultSince) / FAULT_TURN_MS) % 2 === 1;
  }
}

new TableScreen();
