// Forms to the API, live parts of a page, the PIN pad and Esc; everything else is HTML from the server.

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

function fieldValue(field) {
  switch (field.dataset.type) {
    case "int": return field.value === "" ? undefined : Number(field.value);
    case "bool": return field.checked;
    case "money": return field.value === "" ? undefined : toMinor(field.value, Number(meta("decimals")), document.documentElement.lang.slice(0, 2));
    case "json": try { return JSON.parse(field.value); } catch { return NaN; }
    case "lines": return field.value.split("\n").map((line) => line.trim()).filter(Boolean);
    case "cards": return field.value.split(/[\s,]+/).filter(Boolean);
    case "optional": return field.value === "" ? undefined : field.value;
    default: return field.value;
  }
}

export function bodyOf(form) {
  const body = {};
  for (const field of form.elements) {
    if (!field.name || field.disabled) continue;
    if (field.type === "radio" && !field.checked) continue;
    const value = fieldValue(field);
    if (value !== undefined) body[field.name] = value;
  }
  return body;
}

export async function post(address, body, key, method = "POST") {
  const headers = { "Accept-Language": document.documentElement.lang, "Content-Type": "application/json", "X-CSRF-Token": meta("csrf"), "Idempotency-Key": key };
  const response = await fetch(address, { method, headers, body: JSON.stringify(body), credentials: "same-origin" });
  const answer = await response.json().catch(() => ({}));
  return { ok: response.ok, status: response.status, answer };
}

function tell(form, text, good) {
  const place = form.querySelector(".told") ?? document.querySelector(".told");
  if (!place) return;
  place.className = `told ${good ? "good" : "bad"}`;
  place.textContent = text;
}

function follow(form, answer) {
  if (answer.status === "needs_approval") location.assign(`/approvals/${encodeURIComponent(answer.approval)}`);
  else if (form.dataset.after) location.assign(form.dataset.after);
  else location.reload();
}

async function submit(event) {
  const form = event.target.closest("form[data-post]");
  if (!form) return;
  event.preventDefault();
  const button = event.submitter;
  const body = bodyOf(form);
  const wrong = Object.entries(body).find(([, value]) => Number.isNaN(value));
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
    const { ok, answer } = await post(form.dataset.post, body, form.key, form.dataset.method ?? "POST");
    if (ok) follow(form, answer);
    else {
      tell(form, answer.detail ?? answer.title ?? meta("no-answer"), false);
      form.querySelector('[type="password"]')?.focus();
      if (form.dataset.once !== undefined) form.key = newKey();
    }
  } catch {
    tell(form, meta("no-answer"), false);
  } finally {
    button?.removeAttribute("disabled");
  }
}

// A live part of the page is fetched again and put in place; focus and open details stay where they were.
async function refresh(part) {
  const response = await fetch(part.dataset.live, { headers: { "X-Automatic": "1" }, credentials: "same-origin" });
  if (response.status === 401 || response.redirected) { location.reload(); return; }
  if (!response.ok) throw new Error(String(response.status));
  const html = await response.text();
  if (part.shown === html) return;
  part.shown = html;
  const focused = part.contains(document.activeElement) ? document.activeElement.id : "";
  const open = [...part.querySelectorAll("details[open][id]")].map((each) => each.id);
  part.innerHTML = html;
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  if (focused) document.getElementById(focused)?.focus();
}

function live(part) {
  let waiting = false;
  let again = false;
  const now = async () => {
    if (waiting) { again = true; return; }
    waiting = true;
    try { await refresh(part); document.body.dataset.fresh = "yes"; } catch { document.body.dataset.fresh = "no"; }
    setTimeout(() => { waiting = false; if (again) { again = false; now(); } }, 250);
  };
  if (part.dataset.events) {
    const source = new EventSource(part.dataset.events);
    source.addEventListener("commit", now);
    source.addEventListener("error", () => { document.body.dataset.fresh = "no"; });
  }
  setInterval(now, Number(part.dataset.every ?? 2000));
}

function pad(event) {
  const key = event.target.closest("[data-digit]");
  if (!key) return;
  const field = document.getElementById(key.closest(".pad").dataset.for);
  field.value = key.dataset.digit === "back" ? field.value.slice(0, -1) : field.value + key.dataset.digit;
  field.focus();
}

document.addEventListener("submit", submit);
document.addEventListener("click", pad);
document.addEventListener("keydown", (event) => {
  const back = document.querySelector("[data-back]");
  if (event.key === "Escape" && back) { event.preventDefault(); back.click(); }
});
for (const part of document.querySelectorAll("[data-live]")) live(part);
const clock = document.querySelector("[data-clock]");
if (clock) {
  const told = new Intl.DateTimeFormat("es-AR", { timeZone: clock.dataset.clock, hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false });
  const tick = () => { clock.textContent = told.format(new Date()); };
  tick();
  setInterval(tick, 1000);
}
