// The page on which a player checks a draw: everything is made again here, and said in words beside each number.

import { suit } from "./cards.js";
import { h } from "./dom.js";
import { checkDraws } from "./draw_rule.js";
import { glyph } from "./glyphs.js";
import { counter } from "./money.js";
import { cardName, counted, language, seatName, text } from "./texts.js";

const draws = JSON.parse(document.getElementById("draws").textContent);
const newest = draws.records[0];
const oneHand = document.querySelector(".outcomes") !== null;
const CARD = "carta_magica";

const resultName = (kind, result) => (result === "" ? text("draw_page.nobody") : kind === CARD ? cardName(result) : seatName(result));

function say(place, holds, words) {
  place.classList.add(holds ? "holds" : "fails");
  place.replaceChildren(glyph(holds ? "check" : "cross"), h("span", {}, words));
}

const said = (name, holds, places = {}) => text(`draw_page.${name}.${holds ? "holds" : "fails"}`, places);

/** Each try of a draw and what it gave, behind the fields of its message, which the page came with. */
function addSum(place, outcome) {
  const tried = outcome.tries.map(({ number, digest }, counter) => {
    const last = counter === outcome.tries.length - 1;
    const words = text(last ? "draw_page.try.taken" : "draw_page.try.thrown", { counter, number, size: outcome.size });
    return h("li", {}, h("code", {}, digest.match(/.{1,8}/g).join(" ")), h("span", {}, words));
  });
  place.querySelector("details").append(h("ol", { class: "tries", start: 0 }, tried));
  place.append(h("p", { class: "gives" }, text("draw_page.sum.gives", { result: resultName(outcome.kind, outcome.result) })));
}

function showHand(record, checked) {
  say(document.querySelector('[data-check="list"]'), checked.list, said("list", checked.list));
  say(document.querySelector('[data-check="commitment"]'), checked.commitment, said("seed", checked.commitment));
  const chain = document.querySelector('[data-check="chain"]');
  if (checked.chain !== null) say(chain, checked.chain, said("chain", checked.chain, { hand: counter(record.committed_hand, language) }));
  for (const outcome of checked.outcomes) {
    const places = { result: resultName(outcome.kind, outcome.result) };
    for (const place of document.querySelectorAll(`[data-check="${outcome.kind}"]`)) say(place, outcome.holds, said("outcome", outcome.holds, places));
    for (const place of document.querySelectorAll(`[data-sum="${outcome.kind}"]`)) addSum(place, outcome);
  }
}

function show() {
  const checked = checkDraws(draws);
  for (const place of document.querySelectorAll("[data-suit]")) place.replaceChildren(suit(place.dataset.suit));
  checked.forEach((one) => {
    const place = document.querySelector(`[data-hand="${one.hand}"] [data-check="hand"]`);
    if (place) say(place, one.holds, said("short", one.holds));
  });
  if (oneHand) showHand(newest, checked[0]);
  const verdict = document.getElementById("verdict");
  const judged = oneHand ? checked.slice(0, 1) : checked;
  const wrong = judged.filter((one) => !one.holds).length;
  if (judged.length === 0) {
    verdict.remove();
    return;
  }
  const key = oneHand ? "verdict" : "verdicts";
  say(verdict, wrong === 0, oneHand ? said(key, wrong === 0) : counted(`draw_page.${key}.${wrong === 0 ? "holds" : "fails"}`, wrong === 0 ? judged.length : wrong));
  document.documentElement.dataset.checked = wrong === 0 ? "holds" : "fails";
}

show();
