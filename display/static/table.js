// A table screen: stage on the left, prize list on the right, seats at the bottom; scenes change the stage only.

import { circleFacts, circleStage, tickCircle } from "./circle.js";
import { h, Region } from "./dom.js";
import { ScreenFeed } from "./feed.js";
import { glyph } from "./glyphs.js";
import { felt } from "./guilloche.js";
import { counter, written } from "./money.js";
import { Odometer } from "./odometer.js";
import { prizeKey, prizeList } from "./prizes.js";
import { CARD, placeWheel, RevealQueue, revealStage, WHEEL } from "./reveal.js";
import { seatsKey, seatStrip } from "./seats.js";
import { drawStage } from "./stages.js";
import { categoryName, gameName, language, listed, rich, strong, tableName, text } from "./texts.js";
import { ease, finishAll, tween } from "./tween.js";

const page = document.documentElement.dataset;
const FALL_NOTICE_MS = 20_000;
const TICK_MS = 200;
const PAPER = ["prize_pending", "prize_paid", "royal"];
const DRAWS = ["carta_magica", "jugador_afortunado"];
const RING_STAGES = ["idle", "bets", "hand", "seat_draw"];
const REVEALED_OVER = ["idle", "bets", "hand"];

const CHIPS = {
  idle: ["check", ""],
  bets: ["plus", "filled"],
  carta_magica: ["lock", "filled"],
  jugador_afortunado: ["lock", "filled"],
  hand: ["lock", ""],
  prize_pending: ["trophy", ""],
  prize_paid: ["trophy", ""],
  royal: ["trophy", "filled"],
  seat_draw: ["person", "filled"],
  hand_voided: ["void", "dashed"],
  game_ended: ["flag", ""],
  jackpot_stopped: ["pause", "dashed"],
  link_lost: ["octagon", "dashed"],
  stale: ["triangle", "dashed"],
  out_of_service: ["octagon", "dashed"],
};

const timeText = (ms, seconds = false) =>
  new Intl.DateTimeFormat(language === "en" ? "en-GB" : "es-AR", {
    hour: "2-digit",
    minute: "2-digit",
    second: seconds ? "2-digit" : undefined,
    hourCycle: "h23",
    timeZone: page.timeZone,
  }).format(ms);

const round = (minor, currency) => written(minor, currency, language, { dropZeros: true });

/** What stands here before the first scene, and nothing else: no amount was ever confirmed. */
const UNKNOWN = {
  label: page.screen.replace(/^table-/, ""), game: "", stage: { kind: "stale", since_ms: null }, seats: [],
  currency: { code: "", symbol: "$", decimals: 2 }, hand_number: null, phase: null, minimum: null, maximum: null,
  meter: { amount: null, digits: 9, freshness: "stale", carousel: null, linked_tables: [], fall: null, as_of_ms: 0 },
  prizes: [], draw_prizes: [], draw_every: "hand", draw_every_hands: 1, prize_notes: [], carta_magica: null,
  jugador_afortunado: null, board: [], board_slots: 0, circle: null, notices: [], other_prizes: [], seats_descending: false, draw_check: null,
};

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
    if (this.feed.stale) return this.#unconfirmed(scene);
    const view = { ...scene, prizes: this.#knownPrizes(scene), seats: this.#knownSeats(scene) };
    if (scene.stage.kind === "stale") view.sinceText = timeText(scene.stage.since_ms, true);
    else if (scene.meter?.freshness === "stale") view.sinceText = timeText(scene.meter.as_of_ms, true);
    if (scene.stage.paid_at_ms) view.paidText = timeText(scene.stage.paid_at_ms);
    return this.#revealed(view);
  }

  /** The list with what each share is today, where that is known, and the rows that were just won marked. */
  #knownPrizes(scene) {
    const known = scene.meter === null || scene.meter.freshness === "fresh";
    const served = scene.stage.kind !== "out_of_service";
    const won = new Map((scene.stage.wins ?? []).map((win) => [win.category, win.state]));
    return scene.prizes.map((row) => ({
      ...row,
      today: known && served ? row.today : null,
      mark: row.mark ?? won.get(row.category) ?? null,
    }));
  }

  /** Out of service every seat is closed, unconfirmed every seat is unknown, whatever it held. */
  #knownSeats(scene) {
    const state = { out_of_service: "closed", stale: "unknown" }[scene.stage.kind];
    if (!state) return scene.seats;
    const nothing = { state, credits: 0, bought_card: false, deciding: false, lucky: false, win: null };
    return scene.seats.map((seat) => ({ ...seat, ...nothing }));
  }

  #unconfirmed(scene) {
    this.#staleSince ??= this.feed.confirmedMs;
    const stage = scene.stage.kind === "out_of_service" ? scene.stage : { kind: "stale", since_ms: this.#staleSince };
    return {
      ...scene,
      stage,
      sinceText: timeText(this.#staleSince, true),
      meter: scene.meter && { ...scene.meter, amount: null, freshness: "stale" },
      prizes: scene.prizes.map((row) => ({ ...row, today: null, mark: null })),
      draw_prizes: scene.draw_prizes.map((row) => ({ ...row, drawn: false })),
      seats: this.#knownSeats({ ...scene, stage }),
      hand_number: null, phase: null, carta_magica: null, jugador_afortunado: null, circle: null, board: [], notices: [], other_prizes: [],
      draw_check: null,
    };
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
    view.stage = this.#drawStage(scene, name);
    view.draw_prizes = scene.draw_prizes.map((row) => ({ ...row, drawn: row.draw === name }));
    return view;
  }

  #drawStage(scene, name) {
    const prize = scene.draw_prizes.find((row) => row.draw === name)?.amount ?? "0";
    if (name === "carta_magica") return { kind: name, ...scene.carta_magica, prize };
    const mark = scene.jugador_afortunado;
    const positions = mark.positions?.length ? mark.positions : scene.seats.map((seat) => seat.number);
    return { kind: name, positions, chosen: mark.chosen, winner: mark.winner, prize: mark.amount };
  }

  #changed() {
    if (!this.feed?.stale) this.#staleSince = null;
    if (this.feed?.stale && this.#revealing) this.#endReveal();
    let scene = this.feed ? this.#view() : UNKNOWN;
    const ring = scene.circle !== null && RING_STAGES.includes(scene.stage.kind);
    this.root.className = `screen stage-${scene.stage.kind}${ring ? " ring-layout" : ""}`;
    this.#drawStageRegion(scene, ring);
    if (this.#revealing && !this.#revealing.shown) scene = this.#view(); // nothing beside the stage tells the result first
    this.view = scene;
    this.header.draw(this.#headKey(scene), () => this.#head(scene));
    this.side.draw(this.#sideKey(scene, ring), () => this.#side(scene, ring));
    this.seats.draw(ring ? null : seatsKey(scene), () => (ring ? [] : seatStrip(scene)));
    this.notices.draw([scene.notices, scene.other_prizes, this.#fallNotice, scene.currency, scene.label], () => this.#notices(scene));
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
    else if (news && before !== scene.stage.kind) this.#enter(scene.stage.kind, before);
  }

  #keyOfStage(scene, ring) {
    const { stage, meter, seats, currency, label } = scene;
    const known = meter && [meter.freshness, meter.carousel, meter.linked_tables];
    if (DRAWS.includes(stage.kind)) {
      return [stage.kind, stage.card, stage.winners, stage.positions, stage.chosen, stage.winner, stage.prize, scene.hand_number, currency];
    }
    const playing = stage.kind === "bets" ? seats.filter((seat) => seat.credits > 0).length : 0;
    const marks = [scene.carta_magica, scene.jugador_afortunado, scene.board, scene.board_slots, scene.draw_check];
    const circle = ring && [seats, { ...scene.circle, clock: null, game_remaining_ms: null }];
    const fixed = meter === null && scene.prizes;
    return [stage, known, currency, label, scene.phase, playing, marks, circle, fixed, scene.sinceText, scene.paidText];
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

  /** The few entrances that move: paper, stamp. */
  #enter(kind, before) {
    const stage = this.stage.element;
    if (kind === "royal" && before !== "royal") {
      const paper = this.root.querySelector(".paper");
      tween(1200, {
        frame: (t) => { paper.style.clipPath = t < 1 ? `circle(${(t * 120).toFixed(1)}% at 50% 45%)` : ""; },
      });
    } else if (kind === "prize_pending") {
      const cheque = stage.querySelector(".cheque");
      tween(500, { frame: (t) => { cheque.style.clipPath = t < 1 ? `inset(0 ${(100 - 100 * t).toFixed(1)}% 0 0)` : ""; } });
    } else if (kind === "prize_paid") {
      const stamp = stage.querySelector(".stamp");
      tween(450, {
        curve: ease.out,
        frame: (t) => { stamp.style.transform = t < 1 ? `rotate(-9deg) scale(${(2.2 - 1.2 * t).toFixed(3)})` : ""; },
      });
    }
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
    this.odometer.resize(Number(slot.dataset.size), Number(slot.dataset.room));
  }

  #chip(scene) {
    const { kind } = scene.stage;
    const [name, look] = CHIPS[kind];
    if (kind === "hand" && scene.phase) {
      if (scene.phase.current === "no_more_bets") return ["lock", "filled", text("phase.no_more_bets")];
      if (scene.circle !== null) return ["bowl", "", text(`phase.${scene.phase.current}`)];
    }
    return [name, look, text(`chip.${kind}`)];
  }

  #headKey(scene) {
    return [scene.label, scene.game, scene.currency, scene.minimum, scene.maximum, scene.hand_number, this.#chip(scene), scene.circle?.game_number, scene.stage.kind];
  }

  #head(scene) {
    const [name, look, words] = this.#chip(scene);
    const amount = (minor) => strong(round(minor, scene.currency));
    const limits =
      scene.minimum === null || scene.stage.kind === "out_of_service"
        ? null
        : scene.maximum === null
          ? rich("limits.minimum", { minimum: amount(scene.minimum) })
          : rich("limits.both", { minimum: amount(scene.minimum), maximum: amount(scene.maximum) });
    return [
      h("span", { class: "table-name" }, tableName(scene.label)),
      h("span", { class: "game-name" }, gameName(scene.game)),
      h("span", { class: `chip state ${look}`, role: "status" }, glyph(name), words),
      h("div", { class: "facts-line" }, limits && h("p", {}, limits), h("p", {}, h("span", { class: "hand-number" }, this.#handText(scene)), h("span", { class: "time" }))),
    ];
  }

  #handText(scene) {
    if (scene.stage.kind === "stale") return `${text("hand.unknown")} · `;
    if (scene.stage.kind === "seat_draw" && scene.circle?.game_number) return `${text("game.number", { game: counter(scene.circle.game_number, language) })} · `;
    return scene.hand_number === null || scene.stage.kind === "out_of_service" ? "" : `${text("hand.number", { hand: counter(scene.hand_number, language) })} · `;
  }

  #sideKey(scene, ring) {
    const circle = ring && { ...scene.circle, clock: scene.circle.clock && { ...scene.circle.clock, remaining_ms: 0 }, game_remaining_ms: scene.circle.game_remaining_ms !== null };
    return [prizeKey(scene), ring, circle, ring && scene.meter && [scene.meter.freshness, scene.meter.carousel], ring && scene.stage.kind === "seat_draw" && scene.stage];
  }

  #side(scene, ring) {
    if (!ring) return prizeList(scene);
    if (scene.stage.kind === "seat_draw") return [circleFacts(scene), h("div", { class: "compact" }, prizeList(scene))];
    const { meter } = scene;
    const title = meter && (meter.carousel === null ? text("meter.title") : `${text("meter.title")} · ${meter.carousel}`);
    return [
      circleFacts(scene),
      meter && h("div", { class: "side-meter" }, h("h2", {}, title), h("div", { class: "drums", "data-size": 4, "data-room": 46 })),
      h("div", { class: "compact" }, prizeList(scene)),
    ];
  }

  #notices(scene) {
    const seatList = (notice) => listed(notice.seats);
    const lines = scene.notices.map((notice) => [
      "info",
      rich(`notice.${notice.code}`, {
        seats: strong(seatList(notice)),
        amount: notice.amount === null ? "" : strong(round(notice.amount, scene.currency)),
        reason: notice.fall === null ? "" : text(`fall.${notice.fall}`),
      }),
    ]);
    if (this.#fallNotice) {
      const entry = counter(this.#fallNotice.entry, language);
      lines.push(["info", text("notice.fell", { reason: text(`fall.${this.#fallNotice.reason}`), entry })]);
    }
    for (const prize of scene.other_prizes) {
      const places = { table: strong(tableName(prize.table)), category: categoryName(prize.category), amount: strong(written(prize.amount, scene.currency, language)) };
      lines.push([prize.state === "paid" ? "check" : "hourglass", rich(`other.${prize.state}`, places)]);
    }
    return lines.slice(0, 2).map(([name, words]) => h("p", { class: "notice" }, glyph(name), h("span", {}, words)));
  }

  #tick() {
    if (!this.view) return;
    const time = this.header.element.querySelector(".time");
    const now = timeText(this.feed ? this.feed.nowMs() : Date.now(), this.view.stage.kind === "stale");
    if (time && time.textContent !== now) time.textContent = now;
    if (this.view.circle !== null && this.feed) tickCircle(this.root, this.view, this.feed.sinceShownMs());
    if (this.#fallNotice && performance.now() > this.#fallNotice.until) {
      this.#fallNotice = null;
      this.#changed();
    }
  }
}

new TableScreen();
