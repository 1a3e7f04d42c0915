// Banknote rosettes: families of curves between two radii.

import { svg } from "./dom.js";

function curve(centre, inner, outer, waves, phase, steps) {
  const middle = (inner + outer) / 2;
  const swing = (outer - inner) / 2;
  const points = [];
  for (let step = 0; step <= steps; step += 1) {
    const angle = (step / steps) * 2 * Math.PI;
    const radius = middle + swing * Math.sin(waves * angle + phase);
    const x = (centre + radius * Math.cos(angle)).toFixed(1);
    const y = (centre + radius * Math.sin(angle)).toFixed(1);
    points.push(`${x} ${y}`);
  }
  return `M${points.join("L")}Z`;
}

/** A ring from `inner` to `outer` (of 500) woven by `curves` waves. */
export function rosette({ inner, outer, waves, curves, className = "rosette" }) {
  const paths = Array.from({ length: curves }, (_, index) =>
    curve(500, inner, outer, waves, (index / curves) * 2 * Math.PI, waves * 28),
  );
  return svg(
    "svg",
    { class: className, viewBox: "0 0 1000 1000", "aria-hidden": "true", focusable: "false" },
    svg("path", { d: paths.join("") }),
  );
}

/** A woven band, as on a cheque. */
export function band(className = "band") {
  const paths = Array.from({ length: 10 }, (_, index) => {
    const points = Array.from({ length: 121 }, (_unused, step) => {
      const x = step * 10;
      const swing = 9 + 5 * Math.sin((step / 120) * 8 * Math.PI);
      return `${x} ${(16 + swing * Math.sin((step / 120) * 6 * Math.PI + (index / 10) * Math.PI)).toFixed(1)}`;
    });
    return `M${points.join("L")}`;
  });
  return svg(
    "svg",
    { class: className, viewBox: "0 0 1200 32", preserveAspectRatio: "none", "aria-hidden": "true", focusable: "false" },
    svg("path", { d: paths.join("") }),
  );
}

export const felt = () => [
  rosette({ inner: 330, outer: 490, waves: 9, curves: 14, className: "felt-rosette one" }),
  rosette({ inner: 360, outer: 495, waves: 7, curves: 12, className: "felt-rosette two" }),
];
