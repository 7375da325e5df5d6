// A player's balance wherever a page shows it: elements with `data-balance-of` and the value to show.

import { formatAmount, formatNumber } from "../lib/format.js";

/** @typedef {{bonus: number, deposit: number, winnings: number}} Buckets Paise. */

/**
 * @param {unknown} value
 * @returns {value is number}
 */
const isAmount = (value) => Number.isSafeInteger(value);

/** @param {number} paise */
const rupees = (paise) => formatAmount(paise, "INR", { always: true });

/**
 * The values by name, from a message `{type: "balance", chips, cash}`; none from an invalid one.
 *
 * @param {Record<string, unknown>} message
 * @returns {Map<string, string>}
 */
export function textsOf({ chips, cash }) {
  /** @type {Map<string, string>} */
  const texts = new Map();
  if (isAmount(chips)) texts.set("chips", formatNumber(chips));
  if (typeof cash !== "object" || cash === null) return texts;
  const { bonus, deposit, winnings } = /** @type {Record<string, unknown>} */ (cash);
  if (!isAmount(bonus) || !isAmount(deposit) || !isAmount(winnings)) return texts;
  texts.set("bonus", rupees(bonus)).set("deposit", rupees(deposit));
  texts.set("winnings", rupees(winnings)).set("cash", rupees(bonus + deposit + winnings));
  return texts;
}

/** @param {Record<string, unknown>} message */
export function showBalance(message) {
  const texts = textsOf(message);
  for (const element of document.querySelectorAll("[data-balance-of]")) {
    const text = texts.get(element.getAttribute("data-balance-of") ?? "");
    // Setting the same text again would be announced again.
    if (text !== undefined && element.textContent?.trim() !== text) element.textContent = text;
  }
}
