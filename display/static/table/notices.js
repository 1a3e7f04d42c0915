// The lines that players must read: prizes that wait to be paid while the table deals on, what is closed, why the amount fell, prizes of the other tables.

import { h } from "../dom.js";
import { glyph } from "../glyphs.js";
import { counter, written } from "../money.js";
import { categoryName, counted, dayText, language, listed, rich, seatName, strong, tableName, text } from "../texts.js";

const MOST = 2;
const MOST_BESIDE_STANDING = 1;
const MOST_STANDING = 2;
/** What the stage itself says. */
const TOLD = { jackpot_stopped: ["jackpot_bets_stopped", "jackpot_closed"], link_lost: ["jackpot_bets_off", "jackpot_not_open"] };
const MARKS = { pending: "hourglass", verified: "hourglass", paid: "check" };
const round = (minor, currency) => written(minor, currency, language, { dropZeros: true });

const standingPrize = (prize, currency) =>
  h(
    "li",
    { class: prize.state, "data-seat": prize.seat },
    glyph(MARKS[prize.state]),
    h("span", { class: "standing-state" }, text(`standing.${prize.state}`)),
    h("span", { class: "standing-who" }, h("span", {}, seatName(prize.seat)), " ", h("b", {}, categoryName(prize.category))),
    h("b", { class: "standing-amount" }, prize.amount === null ? text("prize.amount_waits") : written(prize.amount, currency, language)),
  );

/** The band of the prizes that are not on the stage; what does not fit is counted, and marked at its seat. */
function standing({ standing: prizes, currency }) {
  if (prizes.length === 0) return null;
  const more = prizes.length - MOST_STANDING;
  const rows = prizes.slice(0, MOST_STANDING).map((prize) => standingPrize(prize, currency));
  const rest = more > 0 && h("li", { class: "more" }, counted("standing.more", more));
  return h("ul", { class: rows.length > 1 ? "standing two" : "standing", "aria-label": text("standing.title") }, rows, rest);
}

/** `fall`: the recorded fall of the amount that is told of now, or null. */
export function notices(scene, fall) {
  const seatList = (notice) => listed(notice.seats);
  const told = TOLD[scene.stage.kind] ?? [];
  const lines = scene.notices.filter((notice) => !told.includes(notice.code)).map((notice) => [
    "info",
    rich(`notice.${notice.code}`, {
      seats: strong(seatList(notice)),
      amount: notice.amount === null ? "" : strong(round(notice.amount, scene.currency)),
      day: notice.day ? strong(dayText(notice.day)) : "",
      reason: notice.fall === null ? "" : text(`fall.${notice.fall}`),
    }),
  ]);
  if (fall) {
    const entry = counter(fall.entry, language);
    lines.push(["info", text("notice.fell", { reason: text(`fall.${fall.reason}`), entry })]);
  }
  for (const prize of scene.other_prizes) {
    const amount = prize.amount === null ? "" : strong(written(prize.amount, scene.currency, language));
    const places = { table: strong(tableName(prize.table)), category: categoryName(prize.category), amount };
    lines.push([prize.state === "paid" ? "check" : "hourglass", rich(`other.${prize.amount === null ? "waiting" : prize.state}`, places)]);
  }
  const lower = lines.slice(0, scene.standing.length > 0 ? MOST_BESIDE_STANDING : MOST).map(([name, words]) => h("p", { class: "notice" }, glyph(name), h("span", {}, words)));
  return [standing(scene), lower];
}
