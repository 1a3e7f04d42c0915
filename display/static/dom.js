// Making elements, and regions that are drawn again only when what they show has changed.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

export const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);

export const svg = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

/** A place of the page: `draw(key, make)` puts what `make()` returns there when `key` differs from the last one. */
export class Region {
  #drawn = null;

  constructor(element) {
    this.element = element;
  }

  draw(key, make) {
    const text = JSON.stringify(key);
    if (text === this.#drawn) return false;
    this.#drawn = text;
    this.element.replaceChildren(...[make()].flat(Infinity).filter(Boolean));
    return true;
  }
}
