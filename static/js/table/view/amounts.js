// Amounts with their currency.

import { formatAmount, formatChange } from "../../lib/format.js";
import { isFree, isMatchTable } from "../core/stakes.js";
import { say } from "../core/say.js";

/** @typedef {import("../core/protocol.js").TableView} TableView */
/** @typedef {import("../core/tell.js").Texts} Texts */

/**
 * "80 chips", "₹12.50".
 *
 * @param {Texts} texts
 * @param {number} amount In the smallest unit of the currency.
 * @param {string} currency
 */
export const amountText = (texts, amount, currency) =>
  named(texts, amount, currency, formatAmount(amount, currency));

/**
 * "+560 chips", "−200 chips".
 *
 * @param {Texts} texts
 * @param {number} amount
 * @param {string} currency
 */
export const changeText = (texts, amount, currency) =>
  named(texts, amount, currency, formatChange(amount, currency));

/**
 * A sentence about points, with the amount if points are paid.
 *
 * @param {Texts} texts
 * @param {TableView} table
 * @param {string} key
 * @param {number} points
 */
export function costText(texts, table, key, points) {
  if (isMatchTable(table) || isFree(table)) return say(texts, `${key}_match`, { points });
  return say(texts, key, { points, cost: amountText(texts, points * table.point_value, table.currency) });
}

/**
 * @param {Texts} texts
 * @param {number} amount
 * @param {string} currency
 * @param {string} written
 */
function named(texts, amount, currency, written) {
  if (currency !== "CHIPS") return written;
  return say(texts, "chips", { amount: written, count: Math.abs(amount) });
}
