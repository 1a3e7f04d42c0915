// The scene as a table screen may show it: nothing that is not confirmed, no result before its reveal.

import { language } from "../texts.js";

export const DRAWS = ["carta_magica", "jugador_afortunado"];

export const timeText = (ms, seconds = false) =>
  new Intl.DateTimeFormat(language === "en" ? "en-GB" : "es-AR", {
    hour: "2-digit",
    minute: "2-digit",
    second: seconds ? "2-digit" : undefined,
    hourCycle: "h23",
    timeZone: document.documentElement.dataset.timeZone,
  }).format(ms);

/** What stands here before the first scene, and nothing else: no amount was ever confirmed. */
export const unknown = (label) => ({
  label, game: "", stage: { kind: "stale", since_ms: null }, seats: [],
  currency: { code: "", symbol: "$", decimals: 2 }, hand_number: null, phase: null, minimum: null, maximum: null,
  meter: { amount: null, digits: 9, freshness: "stale", carousel: null, linked_tables: [], fall: null, limit: null, as_of_ms: 0 },
  prizes: [], draw_prizes: [], draw_every: "hand", draw_every_hands: 1, prize_notes: [], carta_magica: null,
  jugador_afortunado: null, board: [], board_slots: 0, circle: null, notices: [], other_prizes: [], standing: [], seats_descending: false, draw_check: null,
});

/** The list with what each share is today, where that is known, and the rows that were just won marked. */
export function knownPrizes(scene) {
  const known = scene.meter === null || scene.meter.freshness === "fresh";
  const served = scene.stage.kind !== "out_of_service" || scene.stage.with_amount;
  const won = new Map((scene.stage.wins ?? []).map((win) => [win.category, win.state]));
  return scene.prizes.map((row) => ({
    ...row,
    today: known && served ? row.today : null,
    mark: row.mark ?? won.get(row.category) ?? null,
  }));
}

/** Whether the table is out of service by a fault that leaves its amount true. */
export const isFault = ({ stage, meter }) =>
  stage.kind === "out_of_service" && stage.reason === "device_fault" && meter !== null && meter.freshness === "fresh";

/** Out of service every seat is closed, unconfirmed every seat is unknown, whatever it held. */
export function knownSeats(scene) {
  const state = { out_of_service: "closed", stale: "unknown" }[scene.stage.kind];
  if (!state) return scene.seats;
  const nothing = { state, credits: 0, bought_card: false, deciding: false, lucky: false, win: null };
  return scene.seats.map((seat) => ({ ...seat, ...nothing }));
}

/** What is shown of a scene that nobody has confirmed since `sinceMs`: the list, the seats as unknown, no amount. */
export function unconfirmed(scene, sinceMs) {
  const stage = scene.stage.kind === "out_of_service" ? scene.stage : { kind: "stale", since_ms: sinceMs };
  return {
    ...scene,
    stage,
    sinceText: timeText(sinceMs, true),
    meter: scene.meter && { ...scene.meter, amount: null, freshness: "stale" },
    prizes: scene.prizes.map((row) => ({ ...row, today: null, mark: null })),
    draw_prizes: scene.draw_prizes.map((row) => ({ ...row, drawn: false })),
    seats: knownSeats({ ...scene, stage }),
    hand_number: null, phase: null, carta_magica: null, jugador_afortunado: null, circle: null, board: [], notices: [], other_prizes: [], standing: [],
    draw_check: null,
  };
}

/** The stage on which a draw of the scene is revealed. */
export function revealStageOf(scene, name) {
  const prize = scene.draw_prizes.find((row) => row.draw === name)?.amount ?? "0";
  if (name === "carta_magica") return { kind: name, ...scene.carta_magica, prize };
  const mark = scene.jugador_afortunado;
  const positions = mark.positions?.length ? mark.positions : scene.seats.map((seat) => seat.number);
  return { kind: name, positions, chosen: mark.chosen, winner: mark.winner, prize: mark.amount };
}
