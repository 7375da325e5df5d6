// Applies changes to the state by one generic merge, so that this page and the server cannot disagree about
// the meaning of an event.

/** @typedef {import("./protocol.js").Change} Change */
/** @typedef {import("./protocol.js").TableState} TableState */

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Merging objects adds and replaces keys; anything else is replaced.
 *
 * @param {unknown} old
 * @param {unknown} patch
 */
const merge = (old, patch) => (isObject(old) && isObject(patch) ? { ...old, ...patch } : patch);

/**
 * @param {TableState} state
 * @param {Change} change
 * @returns {TableState}
 */
export function applyChange(state, change) {
  /** @type {Record<string, unknown>} */
  const next = { ...state };
  for (const [key, patch] of Object.entries(change.patch ?? {})) next[key] = merge(next[key], patch);
  if (change.you !== undefined) next.you = merge(next.you, change.you);
  return /** @type {TableState} */ (/** @type {unknown} */ (next));
}
