// Whether the screen stands on end, and how much taller than 16:9 it is; both tell of a change.

const PAGE_REM = { width: 192, height: 108 };

export const portrait = matchMedia("(orientation: portrait)");

/** Rem of a lying screen's height beyond the design's, `--more` of the style; 0 where it stands or is no taller. */
export function more() {
  return portrait.matches ? 0 : Math.max(0, (PAGE_REM.width * innerHeight) / innerWidth - PAGE_REM.height);
}

/** Calls back when the screen is turned, or shown at another size. */
export function onTurn(turned) {
  addEventListener("resize", turned);
  portrait.addEventListener("change", turned);
}
