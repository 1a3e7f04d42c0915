// A page follows the house: at each commit it is asked for again, and what differs is put in place. What a person is
// filling in stays: a field that was touched keeps its value, an opened detail stays open, the focus stays where it is.

const OURS = "[data-paused], .told, [data-changes], [data-nothing], [data-clock], [data-preview]";
const GAP_MS = 250;
// A form is known by where it goes and what it is about, so that what was begun for one prize is never another's.
const aboutOf = (form) => [form.dataset.post, ...[...form.querySelectorAll('input[type="hidden"]')].map((each) => each.defaultValue)].join(" ");
const keyOf = (node) => node.nodeType !== 1 ? "" : node.id || (node.dataset.post ? aboutOf(node) : "");
const isTouched = (field) => field.type === "checkbox" || field.type === "radio" ? field.checked !== field.defaultChecked
  : field.tagName === "SELECT" ? [...field.options].some((each) => each.selected !== each.defaultSelected) && field.touched
  : field.type !== "hidden" && field.value !== field.defaultValue;
const isBegun = (form) => [...form.elements].some((field) => "value" in field && field.tagName !== "BUTTON" && isTouched(field));

function sameKind(old, fresh) {
  if (old.nodeType !== fresh.nodeType || old.nodeName !== fresh.nodeName || keyOf(old) !== keyOf(fresh)) return false;
  return old.nodeType !== 1 || ["name", "type", "for"].every((name) => old.getAttribute(name) === fresh.getAttribute(name));
}

function takeAttributes(old, fresh) {
  const kept = { DETAILS: ["open"], BUTTON: ["disabled"], BODY: ["data-fresh"] }[old.nodeName] ?? [];
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name) && !kept.includes(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (!kept.includes(name) && old.getAttribute(name) !== value) old.setAttribute(name, value);
}

// `begun`: inside a form that somebody has begun to fill in. What it was read with (its tag, its hidden fields) is part
// of what he acts on: it stays as it was, and the house refuses what has become too old.
export function morph(old, fresh, begun = false) {
  if (old.nodeType !== 1) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  if (old.matches(OURS)) return;
  if (old.nodeName === "FORM" && isBegun(old)) begun = true;
  const isRead = begun && (old.nodeName === "FORM" || old.type === "hidden");
  if (!isRead) takeAttributes(old, fresh);
  if (old.nodeName === "TEXTAREA") return;
  const wanted = new Set([...fresh.childNodes].map(keyOf).filter(Boolean));
  for (const each of [...old.childNodes]) if (keyOf(each) && !wanted.has(keyOf(each))) each.remove();
  let at = old.firstChild;
  for (const child of [...fresh.childNodes]) {
    const key = keyOf(child);
    const found = key ? [...old.children].find((each) => keyOf(each) === key && sameKind(each, child)) : at && sameKind(at, child) ? at : null;
    if (!found) {
      old.insertBefore(document.importNode(child, true), at);
      continue;
    }
    while (at && at !== found && !keyOf(at)) { const next = at.nextSibling; at.remove(); at = next; }
    if (found !== at) old.insertBefore(found, at);
    morph(found, child, begun);
    at = found.nextSibling;
  }
  while (at) { const next = at.nextSibling; at.remove(); at = next; }
}

async function refresh() {
  const response = await fetch(location.pathname + location.search, { headers: { "X-Automatic": "1", Accept: "text/html" }, credentials: "same-origin" });
  if (response.status === 401 || response.status === 404 || response.status === 409 || response.redirected) { location.reload(); return; }
  // 422: a form with what is wrong beside its fields, which is the page as it is now.
  if (!response.ok && response.status !== 422) throw new Error(String(response.status));
  const html = await response.text();
  if (refresh.shown === html) return;
  refresh.shown = html;
  morph(document.body, new DOMParser().parseFromString(html, "text/html").body);
  document.dispatchEvent(new Event("followed"));
}

let isAsking = false;
let isAskedAgain = false;

// One request at a time, and as long a rest after it as it took: a slow page never fills the node's time.
export async function follow() {
  if (document.hidden) return;
  if (isAsking) { isAskedAgain = true; return; }
  isAsking = true;
  const began = performance.now();
  try { await refresh(); document.body.dataset.fresh = "yes"; } catch { document.body.dataset.fresh = "no"; }
  setTimeout(() => { isAsking = false; if (isAskedAgain) { isAskedAgain = false; follow(); } }, Math.max(GAP_MS, performance.now() - began));
}

// What was held still is put in place again even where the page has been read meanwhile.
export function followAfresh() {
  refresh.shown = null;
  follow();
}

// The feed is open only while the page is seen: a browser opens few connections to one address.
export function followFeed(address, everyMs) {
  let source = null;
  const attend = () => {
    source?.close();
    source = null;
    if (document.hidden) return;
    source = new EventSource(address);
    source.addEventListener("commit", follow);
    source.addEventListener("error", () => { document.body.dataset.fresh = "no"; });
  };
  document.addEventListener("visibilitychange", attend);
  document.addEventListener("change", (event) => { event.target.touched = true; });
  attend();
  setInterval(follow, everyMs);
}
