// Fills in the page's texts.

/** @typedef {Record<string, string>} Texts */

/**
 * @param {Texts} texts
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
export function say(texts, key, values = {}) {
  const text = texts[`${key}_${pluralOf(texts, values)}`] ?? texts[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/**
 * The plural form of a number: "one", "few", "other" ..., by the language's rules.
 *
 * @param {Texts} texts
 * @param {Record<string, string | number>} values
 */
function pluralOf(texts, values) {
  const number = values.points ?? values.count;
  if (typeof number !== "number") return "other";
  return new Intl.PluralRules(texts.language ?? "en").select(number);
}
