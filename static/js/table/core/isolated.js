// Names as a page shows them: those from right to left kept apart from what surrounds them, and those that the
// site itself gives, of practice bots and guests, in the reader's language.

// Ends of scripts are rounded: what else is in them is drawn the same between marks.
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ud802\ud803\ud83a\ud83b\ufb1d-\ufdff\ufe70-\ufefc]/;
// Names stand under this, or under the number of a seat.
const OF_A_NAME = /^(name|\d)$/;

/** @type {import("./say.js").Texts} */
let words = {};

/** @param {import("./say.js").Texts} texts */
export function nameIn(texts) {
  words = texts;
}

/**
 * A reviver for `JSON.parse`. A text from right to left gets a mark before and after it (U+2068 and U+2069), or
 * numbers beside it would be drawn on its other side.
 *
 * @param {string} key
 * @param {unknown} value
 */
export function isolated(key, value) {
  if (typeof value !== "string") return value;
  if (RIGHT_TO_LEFT.test(value)) return `\u2068${value}\u2069`;
  if (!OF_A_NAME.test(key)) return value;
  const [, name, number] = value.match(/^(?:(.+) \(bot\)|Guest (\d+))$/) ?? [];
  if (name !== undefined) return (words["named_bot"] ?? value).replace("{name}", name);
  return number === undefined ? value : (words["named_guest"] ?? value).replace("{number}", number);
}

/**
 * Reads the output of Django's `json_script` so.
 *
 * @param {Element} script
 * @returns {any}
 */
export const readIsolated = (script) => JSON.parse(script.textContent ?? "null", isolated);
