// Line glyphs: every state has a word, a glyph and a shape.

import { svg } from "./dom.js";

const STROKES = {
  check: ["M4 12.5l5 5L20 6.5"],
  plus: ["M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18z", "M12 8v8M8 12h8"],
  lock: ["M5 11h14v9.5H5z", "M8 11V7.5a4 4 0 0 1 8 0V11"],
  trophy: ["M7 4h10v6a5 5 0 0 1-10 0z", "M7 6H4c0 3.5 1.4 5 3.6 5.2M17 6h3c0 3.5-1.4 5-3.6 5.2", "M12 15v4M8 20h8"],
  triangle: ["M12 3.5L22 20.5H2z", "M12 10v5M12 17.6v.4"],
  octagon: ["M8 2.5h8L21.5 8v8L16 21.5H8L2.5 16V8z", "M7.5 12h9"],
  link: [
    "M10 14a4.6 4.6 0 0 0 6.6 0l3-3a4.6 4.6 0 0 0-6.5-6.6l-1 1",
    "M14 10a4.6 4.6 0 0 0-6.6 0l-3 3a4.6 4.6 0 0 0 6.5 6.6l1-1",
  ],
  unlink: ["M13 4.5l.5-.5a4.6 4.6 0 0 1 6.5 6.5l-2.4 2.4", "M11 19.5l-.5.5A4.6 4.6 0 0 1 4 13.5l2.4-2.4", "M3 3l18 18"],
  hourglass: ["M6 2.5h12M6 21.5h12", "M7.5 2.5c0 5 4.5 5.5 4.5 9.5s-4.5 4.5-4.5 9.5", "M16.5 2.5c0 5-4.5 5.5-4.5 9.5s4.5 4.5 4.5 9.5"],
  person: ["M12 3.5a4 4 0 1 0 0 8a4 4 0 1 0 0-8z", "M4.5 21c.6-4.3 3.6-6.3 7.5-6.3s6.9 2 7.5 6.3"],
  bowl: ["M3 10h18c0 4.5-3 7-6 7.6V20H9v-2.4C6 17 3 14.5 3 10z"],
  cross: ["M5 5l14 14M19 5L5 19"],
  info: ["M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18z", "M12 11v6M12 7.4v.4"],
  void: ["M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18z", "M5.8 5.8l12.4 12.4"],
  pause: ["M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18z", "M10 8.5v7M14 8.5v7"],
  flag: ["M5 21.5V3.5", "M5 4.5h13l-3 4.5 3 4.5H5"],
};

export const glyph = (name, className = "glyph") =>
  svg(
    "svg",
    { class: className, viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" },
    STROKES[name].map((path) => svg("path", { d: path })),
  );
