// The server's clock as estimated here, and the time left in a turn. Only the server ends turns; this
// displays them, so it is computed from the clock each time and never counted down.

import { wordsIn } from "../../lib/format.js";

/** @typedef {import("./protocol.js").GameView} GameView */

const SAMPLES = 12;
/** Older samples say little about a clock that runs a bit too fast or too slow. */
const SAMPLE_LIVES_MS = 60_000;
/** Two samples that differ by more than their errors, and this, show that one of the clocks was set. */
const TOLERANCE_MS = 20;

/** @typedef {{rtt: number, offset: number, at: number}} Sample The true offset lies within half of `rtt`. */

export class Clock {
  /** @param {number} offset Server time less local time, in milliseconds: the initial estimate. */
  constructor(offset = 0) {
    this.offset = offset;
    /** @type {Sample[]} */
    this.samples = [];
  }

  /**
   * @param {number} sentAt Local time of the ping.
   * @param {number} server Server time in the pong.
   * @param {number} now Local time of the pong.
   */
  sample(sentAt, server, now) {
    const rtt = Math.max(0, now - sentAt);
    const sample = { rtt, offset: server + rtt / 2 - now, at: now };
    const kept = this.samples.filter((old) => now - old.at < SAMPLE_LIVES_MS && agree(old, sample));
    this.samples = [...kept, sample].slice(-SAMPLES);
    // The fastest answer has the smallest error.
    this.offset = this.samples.reduce((best, next) => (next.rtt < best.rtt ? next : best)).offset;
  }

  /** @param {number} local */
  serverTime(local) {
    return local + this.offset;
  }
}

/**
 * The clocks disagree when a computer slept, during which its monotonic clock may stand still, or when the server's
 * clock was set.
 *
 * @param {Sample} one
 * @param {Sample} other
 */
const agree = (one, other) => Math.abs(one.offset - other.offset) <= (one.rtt + other.rtt) / 2 + TOLERANCE_MS;

/**
 * @typedef {object} Remaining
 * @property {"base" | "extra" | "over"} part
 * @property {number} ms Left in this part.
 * @property {number} share The fraction of this part that is left, 0 to 1.
 */

/**
 * The time left for the seat that acts now; null when no clock runs.
 *
 * @param {GameView | null} game
 * @param {number} lengthMs The full length of the turn.
 * @param {number} now Server time.
 * @returns {Remaining | null}
 */
export function remaining(game, lengthMs, now) {
  if (game === null || game.due_at === null) return null;
  const base = game.due_at - now;
  if (base > 0) return { part: "base", ms: base, share: Math.min(1, base / lengthMs) };
  const deadline = game.deadline ?? game.due_at;
  const extra = deadline - now;
  if (extra <= 0) return { part: "over", ms: 0, share: 0 };
  return { part: "extra", ms: extra, share: extra / (deadline - game.due_at) };
}

const HOUR_MS = 3_600_000;

/** Whether so much time is left that nobody counts seconds. @param {number} ms */
export const isLong = (ms) => ms >= HOUR_MS;

/**
 * @param {number} ms
 * @param {string} [language]
 * @returns {string} "0:27", rounded up. From an hour on "23 hr".
 */
export function clockText(ms, language = pageLanguage()) {
  if (isLong(ms)) {
    const style = /** @type {const} */ ({ style: "unit", unit: "hour" });
    return new Intl.NumberFormat(wordsIn(language), style).format(Math.round(ms / HOUR_MS));
  }
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/**
 * @param {number} at In milliseconds since 1970.
 * @param {string} [language]
 * @returns {string} "Thu, 14:05", in the reader's time zone: no turn is longer than a day.
 */
export function dateText(at, language = pageLanguage()) {
  const style = /** @type {const} */ ({
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  return new Intl.DateTimeFormat(wordsIn(language), style).format(at);
}

const pageLanguage = () => globalThis.document?.documentElement.lang || "en";

/**
 * Whether a turn takes hours, so that nobody sits there and waits.
 *
 * @param {import("./protocol.js").TableState} state
 */
export const isSlow = ({ rules }) => isLong((rules?.turn_seconds ?? 0) * 1000);
