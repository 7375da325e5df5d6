// Formats amounts for people. They arrive as integers: chips, or paise.

const language = () => document.documentElement.lang || "en";

/** @param {number} value */
export const formatNumber = (value) => new Intl.NumberFormat(`${language()}-IN`).format(value);

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
  return new Intl.NumberFormat(`${language()}-IN`, {
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
