// Countdowns on the page: `<time data-starts="milliseconds since 1970">` in a page with `data-now`, the
// server's time in seconds. `data-text="in {left}"` puts words around it.

import { find, setText } from "./dom.js";
import { localNow } from "./local_now.js";

const DAY_SECONDS = 86_400;
const TICK_MS = 1_000;

/**
 * "4:10", "1:04:10"; null for a start on another day, or in the past.
 *
 * @param {number} ms
 */
export function countdown(ms) {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 0 || seconds >= DAY_SECONDS) return null;
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const minutes = Math.floor(seconds / 60) % 60;
  const hours = Math.floor(seconds / 3_600);
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
}

/** Updates all countdowns on the page, including later ones. */
export function countDown() {
  /** Server time less local time. */
  const offset = Number(find("[data-now]").dataset.now) * 1_000 - localNow();
  const tick = () => {
    for (const time of document.querySelectorAll("[data-starts]")) {
      const left = countdown(Number(time.getAttribute("data-starts")) - localNow() - offset);
      if (left !== null) setText(time, time.getAttribute("data-text")?.replace("{left}", left) ?? left);
    }
  };
  tick();
  setInterval(tick, TICK_MS);
}
