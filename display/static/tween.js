// Animations that can be brought to their last frame at any time; with reduced motion they only have that frame.

const running = new Set();
const asked = matchMedia("(prefers-reduced-motion: reduce)");

export const reducedMotion = () => asked.matches || document.documentElement.dataset.motion === "reduced";

export const ease = {
  inOut: (t) => (t < 0.5 ? 2 * t * t : 1 - (2 - 2 * t) ** 2 / 2),
  out: (t) => 1 - (1 - t) ** 3,
};

/** Call `frame(0..1)` until `ms` have passed, then `frame(1)` and `done()` once. `finish()` jumps there now. */
export function tween(ms, { frame, done = () => {}, curve = ease.inOut, delay = 0 }) {
  let ended = false;
  const begun = performance.now();
  const handle = {
    finish() {
      if (ended) return;
      handle.cancel();
      frame(1);
      done();
    },
    cancel() {
      ended = true;
      running.delete(handle);
    },
  };
  const step = () => {
    if (ended) return;
    const passed = performance.now() - begun - delay;
    if (passed >= ms) handle.finish();
    else {
      frame(curve(Math.max(0, passed) / ms));
      requestAnimationFrame(step);
    }
  };
  running.add(handle);
  if (reducedMotion()) handle.finish();
  else step();
  return handle;
}

/** Every running animation to its last frame. */
export function finishAll() {
  for (const handle of [...running]) handle.finish();
}

asked.addEventListener("change", () => reducedMotion() && finishAll());
