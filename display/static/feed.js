// The stream of one screen: newest scene, the server's clocks, and whether the last word is recent enough to be true.

const RETRY_MS = 1000;
const CHECK_MS = 100;

export class ScreenFeed {
  #screen;
  #staleAfterMs;
  #onScene;
  #onState;
  #source = null;
  #openedAt = 0;
  #heardAt = -Infinity;
  #beat = null;
  #newest = null;
  #stale = null;
  #retry = null;

  constructor(screen, { staleAfterMs, onScene, onState }) {
    this.#screen = screen;
    this.#staleAfterMs = staleAfterMs;
    this.#onScene = onScene;
    this.#onState = onState;
    this.#open();
    setInterval(() => this.#check(), CHECK_MS);
  }

  /** The server's wall clock, in UTC milliseconds; the browser's own until the first beat. */
  nowMs() {
    return this.#beat ? this.#beat.now_ms + (performance.now() - this.#beat.at) : Date.now();
  }

  /** How long ago the newest scene was handed to the feed. */
  sinceShownMs() {
    if (!this.#beat || !this.#newest) return 0;
    return Math.max(0, this.#beat.mono_ms + (performance.now() - this.#beat.at) - this.#newest.shown_mono_ms);
  }

  /** Whether the newest scene is confirmed by a word of at most `staleAfterMs` ago. */
  get stale() {
    return performance.now() - this.#heardAt > this.#staleAfterMs;
  }

  /** When the newest scene was last confirmed, by the server's clock. */
  get confirmedMs() {
    return this.nowMs() - (performance.now() - this.#heardAt);
  }

  #open() {
    this.#retry = null;
    this.#source?.close();
    this.#openedAt = performance.now();
    const source = new EventSource(`/feed/${encodeURIComponent(this.#screen)}`);
    source.addEventListener("scene", (event) => this.#heardScene(JSON.parse(event.data)));
    source.addEventListener("beat", (event) => this.#heardBeat(JSON.parse(event.data)));
    source.addEventListener("error", () => this.#again());
    this.#source = source;
  }

  #again() {
    this.#source?.close();
    this.#retry ??= setTimeout(() => this.#open(), RETRY_MS);
  }

  #heardScene(message) {
    const known = this.#newest;
    if (known && known.epoch === message.epoch && message.version <= known.version) return;
    this.#newest = message;
    this.#heardAt = performance.now();
    this.#announce();
    this.#onScene(message.scene, message);
  }

  #heardBeat(beat) {
    this.#beat = { ...beat, at: performance.now() };
    this.#openedAt = performance.now();
    const known = this.#newest;
    if (known && known.epoch === beat.epoch && known.version === beat.version) {
      this.#heardAt = performance.now();
      this.#announce();
    }
    if (beat.build && beat.build !== document.documentElement.dataset.build) this.#renew();
  }

  #check() {
    this.#announce();
    if (this.#retry === null && performance.now() - this.#openedAt > this.#staleAfterMs + RETRY_MS) this.#again();
  }

  #announce() {
    if (this.stale === this.#stale) return;
    this.#stale = this.stale;
    this.#onState(this.#stale);
  }

  /** The daemon serves newer pages than this one: load them, but only once they answer. */
  async #renew() {
    const answer = await fetch(location.href, { method: "HEAD" }).catch(() => null);
    if (answer?.ok) location.reload();
  }
}
