// The few stages whose entrance moves: the paper of a royal spreads, the cheque unrolls, the stamp lands.

import { ease, tween } from "../tween.js";

const ROYAL_MS = 1200;
const CHEQUE_MS = 500;
const STAMP_MS = 450;

function spread(root) {
  const paper = root.querySelector(".paper");
  tween(ROYAL_MS, { frame: (t) => { paper.style.clipPath = t < 1 ? `circle(${(t * 120).toFixed(1)}% at 50% 45%)` : ""; } });
}

function unroll(root) {
  const cheque = root.querySelector(".cheque");
  tween(CHEQUE_MS, { frame: (t) => { cheque.style.clipPath = t < 1 ? `inset(0 ${(100 - 100 * t).toFixed(1)}% 0 0)` : ""; } });
}

function land(root) {
  const stamp = root.querySelector(".stamp");
  tween(STAMP_MS, {
    curve: ease.out,
    frame: (t) => { stamp.style.transform = t < 1 ? `rotate(-9deg) scale(${(2.2 - 1.2 * t).toFixed(3)})` : ""; },
  });
}

const ENTRANCES = { royal: spread, prize_pending: unroll, prize_paid: land };

/** A stage that was not there before comes in; most are simply there. */
export const enter = (root, kind) => ENTRANCES[kind]?.(root);
