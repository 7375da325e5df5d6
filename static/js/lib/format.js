// Formats amounts for people. They arrive as integers: chips, or paise. Digits and groups are in every language those
// that the server writes; the locales of some languages have others ("৫০", "1,234,567").

const NUMBERS = "en-IN";

/** The locale of words with numbers among them. @param {string} language */
export const wordsIn = (language) => `${language}-IN-u-nu-latn`;

/** @param {number} value */
export const formatNumber = (value) => new Intl.NumberFormat(NUMBERS).format(value);

/** @param {number} share */
export const formatShare = (share) =>
  new Intl.NumberFormat(NUMBERS, { style: "percent", maximumFractionDigits: 2 }).format(share);

/**
 * The number of smallest units in a displayed one: 100 paise are a rupee.
 *
 * @param {string} currency
 */
export const unitsOf = (currency) => (currency === "INR" ? 100 : 1);

/**
 * @param {number} amount In the smallest unit of the currency.
 * @param {string} currency
 * @param {{always?: boolean}} [paise] Whether whole rupees show their paise, too.
 */
export function formatAmount(amount, currency, { always = false } = {}) {
  if (currency !== "INR") return formatNumber(amount);
  return new Intl.NumberFormat(NUMBERS, {
    style: "currency",
    currency: "INR",
    minimumFractionDigits: amount % 100 === 0 && !always ? 0 : 2,
  }).format(amount / 100);
}

/**
 * "+560", "−200".
 *
 * @param {number} amount
 * @param {string} currency
 */
export function formatChange(amount, currency) {
  const sign = amount > 0 ? "+" : amount < 0 ? "−" : "";
  return sign + formatAmount(Math.abs(amount), currency);
}
