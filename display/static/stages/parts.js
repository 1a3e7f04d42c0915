// What several stages are made of: lines, heroes, the place of the drums, amounts as words.

import { h } from "../dom.js";
import { written } from "../money.js";
import { language } from "../texts.js";

export const round = (minor, currency) => written(minor, currency, language, { dropZeros: true });
export const exact = (minor, currency) => written(minor, currency, language);

/** The place of the drums: `size` the largest digit, `room` the width, both in rem. */
export const drums = (size, room) => h("div", { class: "drums", "data-size": size, "data-room": room });

export const line = (className, ...content) => h("p", { class: className }, ...content);
export const hero = (content, className = "hero") => h("h1", { class: className }, content);

export const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);
