// What the left part of a table screen shows, one function per stage; each returns its elements.

import { bigCard, cardFace, cardRow } from "./cards.js";
import { h, svg } from "./dom.js";
import { glyph } from "./glyphs.js";
import { band, rosette } from "./guilloche.js";
import { counter, percent, written } from "./money.js";
import {
  cardName, categoryName, counted, language, listed, rich, richCounted, seatName, spelled, strong, tableName, text,
} from "./texts.js";

const round = (minor, currency) => written(minor, currency, language, { dropZeros: true });
const exact = (minor, currency) => written(minor, currency, language);

/** The place of the drums: `size` the largest digit, `room` the width, both in rem. */
const drums = (size, room) => h("div", { class: "drums", "data-size": size, "data-room": room });

const line = (className, ...content) => h("p", { class: className }, ...content);
const hero = (content, className = "hero") => h("h1", { class: className }, content);

export const pendingChip = () => h("span", { class: "chip hatch" }, glyph("hourglass"), h("span", {}, rich("prize.pending_chip", { word: strong(text("prize.pending_word")) })));
export const paidChip = () => h("span", { class: "chip paid" }, glyph("check"), text("prize.paid_word"));
export const stateChip = (state) => (state === "paid" ? paidChip() : pendingChip());

function unconfirmed(scene) {
  const since = scene.sinceText ? text("stale.since", { time: scene.sinceText }) : text("stale.waiting");
  return line("kicker warning", glyph("triangle"), since);
}

function source(scene) {
  const { meter } = scene;
  if (meter.freshness === "lost") return line("kicker warning", glyph("unlink"), text("link.lost"));
  if (meter.freshness === "stale") return unconfirmed(scene);
  if (meter.carousel === null) return line("kicker", text("meter.own"));
  const linked = meter.linked_tables.length;
  const words = linked > 1 ? text("meter.linked", { name: meter.carousel, count: spelled(linked) }) : meter.carousel;
  return line("kicker", glyph("link"), words);
}

/** Title and drums of the progressive; with a fixed jackpot, its best prize in print. */
function amountBlock(scene, size = 12.2) {
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

function idle(scene) {
  const { stage, meter, currency } = scene;
  const linked = meter?.linked_tables ?? [];
  const players =
    linked.length > 1 &&
    h(
      "div",
      { class: "linked" },
      h("span", {}, text("meter.played_by")),
      linked.map((label) => h("span", { class: label === scene.label ? "tag own" : "tag" }, tableName(label))),
    );
  const places = { credits: strong(counted("idle.credits", stage.max_credits)), amount: strong(round(stage.credit, currency)) };
  return [amountBlock(scene), beside(scene.draw_check, [players, line("invitation", ...rich("idle.invitation", places))])];
}

function bets(scene) {
  const { stage, currency } = scene;
  const playing = scene.seats.filter((seat) => seat.credits > 0).length;
  const amount = strong(round(stage.credit, currency));
  const words = playing === 0 ? rich("bets.none", { amount }) : richCounted("bets.playing", playing, { spelled: capital(spelled(playing)), amount });
  return [amountBlock(scene), beside(scene.draw_check, [h("h2", { class: "call" }, text("bets.call")), line("invitation", ...words)])];
}

const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);

const smallAmount = (scene) =>
  scene.meter && h("div", { class: "small-amount" }, h("span", { class: "label" }, text("meter.title")), drums(4.6, 52));

function cartaMagica(scene) {
  const { stage, currency } = scene;
  const amount = strong(round(stage.prize, currency));
  const winners = stage.winners;
  const result =
    winners.length > 0
      ? richCounted("carta.winners", winners.length, { seats: strong(listed(winners)), amount })
      : rich("carta.rule", { amount });
  return h(
    "div",
    { class: "draw carta" },
    bigCard(stage.card),
    h(
      "div",
      { class: "told" },
      smallAmount(scene),
      line("kicker", text("draw.of_hand", { hand: scene.hand_number === null ? "" : counter(scene.hand_number, language) })),
      hero(categoryName("carta_magica")),
      h("p", { class: "result second-title" }, cardName(stage.card)),
      h("p", { class: "result words" }, result),
    ),
  );
}

function wheel(stage) {
  const seats = [...stage.positions];
  return h(
    "div",
    { class: "wheel", "data-count": seats.length },
    rosette({ inner: 355, outer: 485, waves: 11, curves: 26 }),
    seats.map((seat) => h("span", { class: "stop", "data-seat": seat }, seat)),
    h(
      "span",
      { class: "centre result" },
      h("span", {}, text("seat.word")),
      h("b", {}, stage.chosen),
    ),
  );
}

function jugadorAfortunado(scene) {
  const { stage, currency } = scene;
  const amount = strong(round(stage.prize, currency));
  const seat = strong(stage.chosen);
  const result = stage.winner === null ? rich("lucky.nobody", { seat }) : rich("lucky.winner", { seat, amount });
  return h(
    "div",
    { class: "draw lucky" },
    wheel(stage),
    h(
      "div",
      { class: "told" },
      smallAmount(scene),
      line("kicker", text("draw.of_hand", { hand: scene.hand_number === null ? "" : counter(scene.hand_number, language) })),
      hero(categoryName("jugador_afortunado")),
      h("p", { class: "result words" }, result),
      h("p", { class: "words faint" }, counted("lucky.positions", stage.positions.length, { spelled: spelled(stage.positions.length), seats: listed(stage.positions) })),
    ),
  );
}

function phaseLine(phase) {
  const current = phase.steps.indexOf(phase.current);
  return h(
    "ol",
    { class: "phases", "aria-label": text("phase.title") },
    phase.steps.map((step, index) => {
      const place = index < current ? "done" : index === current ? "now" : "next";
      return h("li", { class: place, "aria-current": index === current ? "step" : null }, text(`phase.${step}`));
    }),
  );
}

export function drawMarks(scene) {
  const { carta_magica: card, jugador_afortunado: lucky, currency } = scene;
  const cardWords = (mark) =>
    mark.winners.length > 0 ? counted("carta.mark_winners", mark.winners.length, { seats: listed(mark.winners) }) : cardName(mark.card);
  const luckyWords = (mark) =>
    mark.winner === null
      ? text("lucky.mark_nobody", { seat: mark.chosen })
      : text("lucky.mark", { seat: mark.winner, amount: round(mark.amount, currency) });
  if (card === null && lucky === null) return null;
  return h(
    "div",
    { class: "marks" },
    card && h("div", { class: "mark-of carta" }, cardFace(card.card, "tiny"), h("p", {}, h("span", {}, categoryName("carta_magica")), h("b", {}, cardWords(card)))),
    lucky &&
      h(
        "div",
        { class: "mark-of lucky" },
        h("span", { class: lucky.winner === null ? "disc hollow" : "disc", "aria-hidden": "true" }, lucky.chosen),
        h("p", {}, h("span", {}, categoryName("jugador_afortunado")), h("b", {}, luckyWords(lucky))),
      ),
  );
}

export function board(scene) {
  if (scene.board_slots === 0) return null;
  const places = Array.from({ length: scene.board_slots }, (_, index) => scene.board[index] ?? null);
  return h(
    "div",
    { class: "board", role: "group", "aria-label": text("board.title") },
    places.map((card) => (card === null ? h("span", { class: "card empty middle", "aria-hidden": "true" }) : cardFace(card, "middle"))),
  );
}

/** The code that takes a player's phone to the page on which it makes the draws again. */
function drawCheck({ hand: number, code }) {
  const quiet = 4;
  const side = code.size + 2 * quiet;
  return h(
    "div",
    { class: "draw-check" },
    svg(
      "svg",
      { viewBox: `${-quiet} ${-quiet} ${side} ${side}`, role: "img", "aria-label": text("draw_page.qr"), "shape-rendering": "crispEdges" },
      svg("path", { d: code.path }),
    ),
    h("p", {}, text("draw_page.qr_words"), h("span", {}, text("hand.number", { hand: counter(number, language) }))),
  );
}

/** Content with the code of the newest draws at its right, where there is one. */
const beside = (check, content) =>
  check === null ? content : h("div", { class: "with-check" }, h("div", { class: "course" }, content), drawCheck(check));

function hand(scene) {
  const crowded = scene.board_slots > 0;
  const course = [scene.phase && phaseLine(scene.phase), h("div", { class: "below" }, board(scene), drawMarks(scene))];
  return [
    h("div", { class: crowded ? "amount-block tight" : "amount-block" }, amountBlock(scene, crowded ? 9.2 : 12.2)),
    beside(scene.draw_check, course),
  ];
}

const printed = (minor, currency) => {
  const [symbol, figure] = exact(minor, currency).split("\u00a0");
  return h("p", { class: "printed" }, h("span", { class: "symbol" }, symbol), " ", figure);
};

const reckoning = (label, minor, currency) => h("p", {}, `${text(label)} `, h("b", {}, exact(minor, currency)));

function origin(stage, win, currency) {
  if (stage.kind === "prize_paid" && stage.before !== null) {
    return [reckoning("prize.before", stage.before, currency), reckoning("prize.after", stage.after, currency)];
  }
  const share = win.percent_bp !== null && win.of !== null;
  return [
    share && h("p", {}, rich("prize.share_of", { percent: percent(win.percent_bp, language), amount: h("b", {}, exact(win.of, currency)) })),
    !share && win.credits !== null && h("p", {}, counted("prize.credits", win.credits)),
    h("p", {}, text(stage.kind === "prize_paid" ? "prize.by_house" : stage.before === null ? "prize.by_house_pending" : "prize.held")),
  ];
}

const stamp = (scene, entry, time) =>
  h(
    "div",
    { class: "stamp" },
    h("span", {}, tableName(scene.label)),
    h("strong", {}, text("prize.paid_word")),
    h("span", {}, time),
    h("span", {}, text("prize.entry", { entry: counter(entry, language) })),
  );

function single(scene, win) {
  return [
    h(
      "div",
      { class: "cheque-text" },
      stateChip(win.state),
      hero(categoryName(win.category), "cheque-title"),
      printed(win.amount, scene.currency),
      h("div", { class: "cheque-foot" }, win.cards.length > 0 && cardRow(win.cards, "small"), h("div", { class: "origin" }, origin(scene.stage, win, scene.currency))),
    ),
    h("div", { class: "medal" }, rosette({ inner: 355, outer: 490, waves: 9, curves: 26 }), h("span", {}, text("seat.word")), h("b", {}, win.seat)),
  ];
}

function several(scene, wins) {
  const state = wins.every((win) => win.state === "paid") ? "paid" : "pending";
  return h(
    "div",
    { class: "cheque-text wide" },
    stateChip(state),
    hero(counted("prize.several", wins.length, { spelled: capital(spelled(wins.length)) }), "cheque-title"),
    h(
      "ul",
      { class: wins.length > 3 ? "wins dense" : "wins" },
      wins.map((win) =>
        h(
          "li",
          {},
          h("span", { class: "seat-number" }, h("span", { class: "hidden-words" }, seatName("")), win.seat),
          h("span", { class: "win-name" }, categoryName(win.category)),
          h("span", { class: "win-state" }, text(`seat.win.${win.state}`)),
          h("b", {}, exact(win.amount, scene.currency)),
        ),
      ),
    ),
  );
}

function cheque(scene) {
  const { stage } = scene;
  const wins = stage.wins;
  const inPlay = stage.kind === "prize_pending" && stage.held !== null;
  return [
    h(
      "article",
      { class: `cheque ${wins.length === 1 ? "single" : "several"}` },
      wins.length === 1 ? single(scene, wins[0]) : several(scene, wins),
      band(),
      stage.kind === "prize_paid" && stamp(scene, stage.entry, scene.paidText),
    ),
    scene.meter &&
      h(
        "div",
        { class: "in-play" },
        h("span", { class: "label" }, text(inPlay ? "meter.in_play" : "meter.title")),
        drums(4.6, 52),
        inPlay && scene.meter.linked_tables.length > 1 && h("span", { class: "words" }, text("prize.others_go_on")),
      ),
  ];
}

function royal(scene) {
  const { stage, currency } = scene;
  const wins = stage.wins;
  const seats = wins.map((win) => win.seat);
  const words = wins.length === 1 ? text("royal.one", { seat: seats[0] }) : text("royal.several", { seats: listed(seats), amount: exact(wins[0].amount, currency) });
  return [
    h("div", { class: "royal-head" }, line("kicker", words), stateChip(stage.state)),
    hero(categoryName("royal_flush"), "royal-title"),
    printed(stage.amount, currency),
    h(
      "div",
      { class: "royal-foot" },
      wins.length === 1 && wins[0].cards.length > 0 && cardRow(wins[0].cards, "large"),
      wins.length > 1 && h("div", { class: "shares" }, wins.slice(0, 3).map((win) => h("div", {}, h("span", { class: "seat-number" }, win.seat), win.cards.length > 0 && cardRow(win.cards, "small")))),
      scene.meter && h("div", { class: "restart" }, h("span", { class: "label" }, text(stage.state === "paid" ? "royal.restarted" : "royal.restart")), drums(4, 42)),
      stage.state === "paid" && stage.entry !== null && stamp(scene, stage.entry, scene.paidText),
    ),
  ];
}

function handVoided(scene) {
  return [
    scene.meter && h("div", { class: "amount-block tight" }, amountBlock(scene, 9.2)),
    h("h2", { class: "call" }, text("voided.title")),
    line("invitation", text(`voided.${scene.stage.reason}`)),
    line("words faint", text("voided.returned")),
  ];
}

const suspended = (title, words, more) => (scene) => [
  ...amountBlock(scene),
  h("h2", { class: "call" }, text(title)),
  line("invitation", text(words)),
  more && line("words faint", text(more)),
];

const outOfService = (scene) => [
  line("kicker plain", glyph("octagon"), tableName(scene.label)),
  hero(text("service.title"), "hero giant"),
  line("big-words", text(`service.${scene.stage.reason}`)),
  line("big-words", text("service.ask")),
];

const STAGES = {
  idle,
  bets,
  hand,
  royal,
  carta_magica: cartaMagica,
  jugador_afortunado: jugadorAfortunado,
  prize_pending: cheque,
  prize_paid: cheque,
  hand_voided: handVoided,
  game_ended: suspended("ended.title", "ended.words"),
  jackpot_stopped: suspended("stopped.title", "stopped.words", "lost.kept"),
  link_lost: suspended("lost.title", "lost.words", "lost.kept"),
  stale: suspended("stale.title", "stale.words", "stale.back"),
  out_of_service: outOfService,
};

export const drawStage = (scene) => STAGES[scene.stage.kind](scene);
