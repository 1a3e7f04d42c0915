// The page's catalogue of texts, with places filled by strings or by elements.

import { h } from "./dom.js";

const texts = JSON.parse(document.getElementById("texts").textContent);
export const language = document.documentElement.lang;

export const has = (key) => key in texts;

/** The text of `key` with `{places}` filled. A missing key shows itself, so that a test sees it. */
export function text(key, places = {}) {
  const pattern = texts[key];
  if (pattern === undefined) return `[${key}]`;
  return pattern.replace(/\{(\w+)\}/g, (_, name) => places[name] ?? `{${name}}`);
}

/** As `text`, but places may be elements: an array of strings and nodes. */
export function rich(key, places = {}) {
  const pattern = texts[key] ?? `[${key}]`;
  return pattern.split(/(\{\w+\})/).map((part) => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    return name === undefined ? part : places[name];
  });
}

/** A day as 2026-12-31 the way the language writes it: 31/12/2026, 31 Dec 2026. */
export function dayText(day) {
  const [year, month, date] = day.split("-");
  if (language === "es") return `${date}/${month}/${year}`;
  return new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" }).format(new Date(`${day}T00:00:00Z`));
}

const plural = (count) => (count === 1 ? "one" : "other");
export const counted = (key, count, places = {}) => text(`${key}.${plural(count)}`, { count, ...places });
export const richCounted = (key, count, places = {}) => rich(`${key}.${plural(count)}`, { count, ...places });

/** "cuatro" for 4; digits past twelve. */
export const spelled = (count) => (has(`number.${count}`) ? text(`number.${count}`) : String(count));

/** "1, 2, 4 y 7" */
export function listed(items) {
  const words = items.map(String);
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} ${text("list.and")} ${words.at(-1)}`;
}

export const strong = (content) => h("strong", {}, content);
export const gameName = (game) => (has(`game.${game}`) ? text(`game.${game}`) : game);
export const categoryName = (category) => (has(`category.${category}`) ? text(`category.${category}`) : category);
export const cardName = (card) => text("card.name", { rank: text(`rank.${card[0]}`), suit: text(`suit.${card[1]}`) });
export const tableName = (label) => text("table.name", { label });
export const seatName = (number) => text("seat.name", { number });
