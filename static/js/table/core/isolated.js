// Texts of people that are written from right to left, kept apart from what surrounds them.

// Ends of scripts are rounded: what else is in them is drawn the same between marks.
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ud802\ud803\ud83a\ud83b\ufb1d-\ufdff\ufe70-\ufefc]/;

/**
 * A reviver for `JSON.parse`. A text from right to left gets a mark before and after it (U+2068 and U+2069), or
 * numbers beside it would be drawn on its other side.
 *
 * @param {string} _key
 * @param {unknown} value
 */
export const isolated = (_key, value) =>
  typeof value === "string" && RIGHT_TO_LEFT.test(value) ? `\u2068${value}\u2069` : value;

/**
 * Reads the output of Django's `json_script` so.
 *
 * @param {Element} script
 * @returns {any}
 */
export const readIsolated = (script) => JSON.parse(script.textContent ?? "null", isolated);
