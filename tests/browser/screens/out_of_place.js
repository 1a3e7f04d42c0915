// Texts that stand outside the place they belong to, under the drums, or over a neighbour's: a list of sentences.
() => {
  const PLACES =
    ".prizes, .head, .seats, .cheque, .top, .bottom, .strip-seats .seat, .pot, .stamp, .tables, .last, .notices, .told";
  const OWN_RULES = ".drums, .stamp, .big-card, .card, .chip.state";
  const GLYPH_SHARE = 0.22; // a line's box is higher than its letters by this share, above and below
  const screen = document.querySelector(".screen");

  const counts = (element) =>
    !element.closest(".hidden-words, .drum, .back") && getComputedStyle(element).visibility !== "hidden";

  function lettersOf(node) {
    const range = document.createRange();
    range.selectNodeContents(node);
    return [...range.getClientRects()].map((line) => {
      const trim = line.height * GLYPH_SHARE;
      const box = { left: line.left, right: line.right, top: line.top + trim, bottom: line.bottom - trim };
      return { text: node.textContent.trim(), parent: node.parentElement, box };
    });
  }

  const texts = [];
  const walker = document.createTreeWalker(screen, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.textContent.trim() && counts(node.parentElement)) texts.push(...lettersOf(node));
  }

  const inside = (box, place, slack) =>
    box.left >= place.left - slack && box.right <= place.right + slack &&
    box.top >= place.top - slack && box.bottom <= place.bottom + slack;
  const meet = (one, two) =>
    Math.min(one.right, two.right) - Math.max(one.left, two.left) > 2 &&
    Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top) > 1;

  const faults = new Set();
  const places = [...document.querySelectorAll(PLACES)].map((place) => [place, place.getBoundingClientRect()]);
  for (const { text, parent, box } of texts) {
    if (!inside(box, screen.getBoundingClientRect(), 1)) faults.add(`off the screen: ${text}`);
    for (const [place, bounds] of places) {
      if (place.contains(parent) && !inside(box, bounds, 16)) faults.add(`outside ${place.className}: ${text}`);
    }
  }
  for (const reel of document.querySelectorAll(".reel")) {
    const bounds = reel.getBoundingClientRect();
    const place = reel.closest("main, aside, section").getBoundingClientRect();
    if (!inside(bounds, { ...place.toJSON(), top: -Infinity }, 1)) faults.add("drums outside their place");
    for (const code of document.querySelectorAll(".draw-check svg")) {
      if (meet(bounds, code.getBoundingClientRect())) faults.add("the code under the drums");
    }
    for (const { text, parent, box } of texts) {
      if (!reel.contains(parent) && meet(bounds, box)) faults.add(`under the drums: ${text}`);
    }
  }
  for (const medal of document.querySelectorAll(".medal")) {
    const round = medal.getBoundingClientRect();
    const belt = { left: round.left, right: round.right, top: round.top + round.height * 0.2, bottom: round.bottom - round.height * 0.2 };
    for (const { text, parent, box } of texts) {
      if (!medal.contains(parent) && meet(belt, box)) faults.add(`under the medal: ${text}`);
    }
  }
  texts.forEach((one, index) => {
    for (const two of texts.slice(index + 1)) {
      if (one.parent.contains(two.parent) || two.parent.contains(one.parent)) continue;
      if (one.parent.closest(OWN_RULES) || two.parent.closest(OWN_RULES)) continue;
      if (meet(one.box, two.box)) faults.add(`over each other: ${one.text} / ${two.text}`);
    }
  });
  return [...faults];
}
