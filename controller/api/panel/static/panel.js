// Forms to the API, the PIN pad and Esc; follow.js keeps a page as the house is; everything else is HTML from the server.

import { follow as followNow, followFeed } from "./follow.js";

const meta = (name) => document.querySelector(`meta[name="${name}"]`)?.content ?? "";
const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");

// "1.234,56" (es) or "1,234.56" (en) to whole minor units; NaN when it is no amount. Groups are of three digits or none:
// "12.34" is no Spanish amount, rather than a hundred times what was meant.
export function toMinor(text, decimals, language) {
  const [group, point] = language === "en" ? [",", "."] : [".", ","];
  const plain = text.replaceAll(/[ \u00a0]/g, "").replace(/^([-−+]?)\$/, "$1");
  const match = new RegExp(`^([-−+]?)(\\d+|\\d{1,3}(?:\\${group}\\d{3})+)(?:\\${point}(\\d+))?$`).exec(plain);
  if (!match || (match[3] ?? "").length > decimals) return NaN;
  const value = Number(match[2].replaceAll(group, "") + (match[3] ?? "").padEnd(decimals, "0"));
  return Number.isSafeInteger(value) ? (match[1] === "" || match[1] === "+" ? value : -value) : NaN;
}

// Whole minor units as the house writes amounts, without the symbol.
export function fromMinor(value, decimals, language) {
  const [group, point] = language === "en" ? [",", "."] : [".", ","];
  const digits = String(Math.abs(value)).padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals).replaceAll(/\B(?=(\d{3})+$)/g, group);
  return `${value < 0 ? "−" : ""}${whole}${decimals ? point + digits.slice(-decimals) : ""}`;
}

// What a field of settings says, in the form of the value that stands: with symbol or sign, groups and decimals.
function settingSaid(field, symbol) {
  if (field.tagName === "SELECT") return field.selectedOptions[0].textContent;
  const [value, language] = [fieldValue(field), document.documentElement.lang.slice(0, 2)];
  if (value === undefined) return field.dataset.none;
  if (Number.isNaN(value)) return field.value;
  if (field.dataset.type === "money") return fromMinor(value, Number(meta("decimals")), language).replace(/^−?/, (sign) => `${sign}${symbol}\u00a0`);
  return field.dataset.type === "rate" ? `${fromMinor(value, 2, language).replace(/[.,]?0+$/, "")}\u00a0%` : field.value;
}

function fieldValue(field) {
  switch (field.dataset.type) {
    case "int": return field.value === "" ? undefined : Number(field.value);
    case "bool": return field.checked;
    case "flag": return field.value === "yes";
    case "money": return field.value === "" ? undefined : toMinor(field.value, Number(meta("decimals")), document.documentElement.lang.slice(0, 2));
    case "json": try { return JSON.parse(field.value); } catch { return NaN; }
    case "lines": return field.value.split("\n").map((line) => line.trim()).filter(Boolean);
    case "ranking": return field.value.split("\n").map((line) => line.split(/[^\d]+/).filter(Boolean).map(Number)).filter((seats) => seats.length);
    case "cards": return field.value.split(/[\s,]+/).filter(Boolean);
    case "optional": return field.value === "" ? undefined : field.value;
    case "rate": return field.value === "" ? undefined : toMinor(field.value, 2, document.documentElement.lang.slice(0, 2));
    case "tri": return { true: true, false: false }[field.value];
    case "every": return /^\d+$/.test(field.value) ? Number(field.value) : field.value || undefined;
    default: return field.value;
  }
}

export function bodyOf(form) {
  const body = {};
  for (const field of form.elements) {
    if (!field.name || field.matches(":disabled")) continue;
    if (field.type === "radio" && !field.checked) continue;
    if (field.dataset.type === "list" || field.dataset.type === "ints") {
      body[field.name] ??= [];
      if (field.checked) body[field.name].push(field.dataset.type === "ints" ? Number(field.value) : field.value);
      continue;
    }
    const value = fieldValue(field);
    if (field.dataset.setting) body.settings = { ...body.settings, [field.dataset.setting]: value ?? null };
    else if (value !== undefined) body[field.name] = value;
  }
  if (form.dataset.leftOver) body.settings = { ...JSON.parse(form.dataset.leftOver), ...body.settings };
  return body;
}

export async function post(address, body, key, method = "POST", tag = "") {
  const match = tag ? { "If-Match": tag } : {};
  const headers = { ...match, "Accept-Language": document.documentElement.lang, "Content-Type": "application/json", "X-CSRF-Token": meta("csrf"), "Idempotency-Key": key };
  const response = await fetch(address, { method, headers, body: JSON.stringify(body), credentials: "same-origin" });
  const answer = await response.json().catch(() => ({}));
  return { ok: response.ok, status: response.status, answer };
}

// How long a button rests after its act: a second tap of the same touch is no second act.
const RESTS_MS = 800;

function tell(form, text, good) {
  const place = form.querySelector(".told") ?? document.querySelector(".told");
  if (!place) return;
  place.className = `told ${good ? "good" : "bad"}`;
  place.textContent = text;
}

// A text with what the node answered in its places, as "Copia {copy}".
const filled = (text, answer) => text.replaceAll(/\{(\w+)\}/g, (whole, name) => answer[name] ?? whole);

function follow(form, answer) {
  if (answer.status === "needs_approval") location.assign(`/approvals/${encodeURIComponent(answer.approval)}`);
  else if (form.dataset.after) location.assign(form.dataset.after);
  else if (!meta("feed")) location.reload();
  else done(form, answer);
}

// What was done is said where it was asked, with the paper that it made; the page follows, and the next filling-in is an
// act of its own.
function done(form, answer) {
  form.reset();
  form.written = undefined;
  tell(form, filled(form.dataset.done ?? meta("done"), answer), true);
  const told = form.querySelector(".told");
  if (told && form.dataset.paper && answer.paper) {
    const paper = Object.assign(document.createElement("a"), { href: answer.paper, target: "_blank", rel: "noopener" });
    paper.textContent = filled(form.dataset.paper, answer);
    told.append(" ", paper);
  }
  followNow();
}

async function submit(event) {
  const form = event.target.closest("form[data-post]");
  if (!form) return;
  event.preventDefault();
  const button = event.submitter;
  const twin = [...form.querySelectorAll("[data-same]:enabled")].find((each) => each.value !== document.getElementById(each.dataset.same).value);
  if (twin) { twin.focus(); tell(form, meta("pin-differs"), false); return; }
  const body = bodyOf(form);
  const wrong = Object.entries({ ...body, ...body.settings }).find(([, value]) => Number.isNaN(value));
  if (wrong) {
    form.elements[wrong[0]].focus();
    tell(form, form.dataset.amountWrong ?? meta("amount-wrong"), false);
    return;
  }
  if (button?.name) body[button.name] = button.value;
  // One key for one filled-in form: pressing twice is one act; changing it is another.
  const written = JSON.stringify(body);
  if (form.written !== written) { form.written = written; form.key = newKey(); }
  button?.setAttribute("disabled", "");
  try {
    const { ok, answer } = await post(form.dataset.post, body, form.key, form.dataset.method ?? "POST", form.dataset.tag);
    if (ok) {
      follow(form, answer);
      await new Promise((later) => setTimeout(later, RESTS_MS));
    } else {
      tell(form, answer.detail ?? answer.title ?? meta("no-answer"), false);
      const wanted = form.querySelector(`[data-on="${answer.refusal}"]`);
      if (wanted) { wanted.hidden = wanted.disabled = false; form.querySelector(".pad")?.remove(); }
      // A secret that was refused is not left in its field; a new one that is asked for beside it needs the old one.
      const spent = wanted ? [] : form.querySelectorAll('[type="password"]:not([autocomplete="new-password"])');
      for (const field of spent) field.value = "";
      (wanted ?? form).querySelector('[type="password"]')?.focus();
      if (form.dataset.once !== undefined) form.key = newKey();
    }
  } catch {
    tell(form, meta("no-answer"), false);
  } finally {
    button?.removeAttribute("disabled");
  }
}

function pad(event) {
  const key = event.target.closest("[data-digit]");
  if (!key) return;
  const field = document.getElementById(key.closest(".pad").dataset.for);
  field.value = key.dataset.digit === "back" ? field.value.slice(0, -1) : field.value + key.dataset.digit;
  field.focus();
}

// What a form of settings would change, told beside it as it is filled in: what was, and what is wanted.
function tellChanges(form) {
  const list = form.querySelector("[data-changes]");
  const lines = [];
  for (const field of form.querySelectorAll("[data-setting]")) {
    const changed = field.tagName === "SELECT" ? ![...field.selectedOptions].every((each) => each.defaultSelected) : field.value !== field.defaultValue;
    field.closest(".setting").classList.toggle("changed", changed);
    if (!changed) continue;
    const line = document.createElement("li");
    const name = document.createElement("b");
    name.textContent = field.dataset.label;
    line.append(name, ` ${field.dataset.now} → ${settingSaid(field, list.dataset.symbol)}`);
    lines.push(line);
  }
  list.replaceChildren(...lines);
  form.querySelector("[data-nothing]").hidden = lines.length > 0;
  form.querySelector('[type="submit"]').disabled = lines.length === 0;
}
for (const form of document.querySelectorAll("form[data-left-over]")) {
  form.addEventListener("input", () => tellChanges(form));
  document.addEventListener("followed", () => tellChanges(form));
  tellChanges(form);
}

// What a corrected card would make of its hand, told beside the form once both cards are chosen.
async function tellPreview(place) {
  const { old, new: wanted } = bodyOf(place.closest("form"));
  if (!old || !wanted) return;
  const asked = `${place.dataset.preview}&old=${encodeURIComponent(old)}&new=${encodeURIComponent(wanted)}`;
  place.asked = asked;
  const response = await fetch(asked, { headers: { "X-Automatic": "1", Accept: "text/html" }, credentials: "same-origin" }).catch(() => null);
  if (!response?.ok || place.asked !== asked) return;
  const told = new DOMParser().parseFromString(await response.text(), "text/html").body;
  place.replaceChildren(...told.children);
}
for (const place of document.querySelectorAll("[data-preview]")) {
  place.closest("form").addEventListener("change", () => tellPreview(place));
  document.addEventListener("followed", () => tellPreview(place));
}

document.addEventListener("submit", submit);
document.addEventListener("click", pad);
document.addEventListener("keydown", (event) => {
  const back = document.querySelector("[data-back]");
  if (event.key === "Escape" && back) { event.preventDefault(); back.click(); }
});
const feed = meta("feed");
if (feed) followFeed(feed, Number(meta("feed-every")));
const clock = document.querySelector("[data-clock]");
if (clock) {
  const told = new Intl.DateTimeFormat("es-AR", { timeZone: clock.dataset.clock, hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false });
  const tick = () => { clock.textContent = told.format(new Date()); };
  tick();
  setInterval(tick, 1000);
}
// From here on a press is heard: before, buttons take none (panel.css), and a form sent by hand goes nowhere (its method).
document.documentElement.dataset.ready = "yes";
