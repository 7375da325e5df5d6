// A balance's points, from the page.

/**
 * `times` in seconds, rising; `balances` in the smallest unit of `currency`.
 *
 * @typedef {{currency: string, zone: string, times: number[], balances: number[]}} Points
 */

/**
 * @param {string} text
 * @returns {Points | null} Null if there is no line to draw.
 */
export function readPoints(text) {
  /** @type {Partial<Points> | null} */
  let read;
  try {
    read = JSON.parse(text);
  } catch {
    return null;
  }
  const { currency, zone, times, balances } = read ?? {};
  if (typeof currency !== "string" || typeof zone !== "string") return null;
  if (!Array.isArray(times) || !Array.isArray(balances)) return null;
  if (times.length < 2 || times.length !== balances.length) return null;
  return [...times, ...balances].every(Number.isFinite) ? { currency, zone, times, balances } : null;
}
