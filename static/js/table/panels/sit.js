// Taking a seat: the buy-in, and its price. Loaded on demand.

import { ask, dialogNamed } from "../../lib/dialog.js";
import { find, setText } from "../../lib/dom.js";
import { unitsOf } from "../../lib/format.js";
import { isFree, isMatchTable } from "../core/stakes.js";
import { say } from "../core/say.js";
import { percent } from "../core/tell.js";
import { usualStack } from "../core/ways.js";
import { amountText } from "../view/amounts.js";

/** @typedef {import("../core/protocol.js").TableView} TableView */
/** @typedef {import("../core/tell.js").Texts} Texts */

/**
 * @param {Texts} texts
 * @param {TableView} table
 * @param {number} seat
 * @param {number | null} purse The amount that the player can bring to this table.
 */
export function askForSeat(texts, table, seat, purse) {
  const dialog = dialogNamed("sit");
  const cancel = dialog.querySelector('button[type="button"]');
  if (cancel instanceof HTMLButtonElement) cancel.onclick = () => dialog.close();
  const chair = dialog.querySelector('input[name="seat"]');
  if (chair instanceof HTMLInputElement) chair.value = String(seat);
  const amount = dialog.querySelector('[data-part="amount"]');
  if (amount instanceof HTMLInputElement) offerAmount(texts, dialog, amount, table, purse);
  return ask(dialog);
}

/**
 * Three times the least, within the purse. The player writes rupees, the table receives paise.
 *
 * @param {Texts} texts
 * @param {HTMLDialogElement} dialog
 * @param {HTMLInputElement} amount
 * @param {TableView} table
 * @param {number | null} purse
 */
function offerAmount(texts, dialog, amount, table, purse) {
  const least = table.min_buy_in;
  const most = Math.min(purse ?? Infinity, table.max_buy_in ?? Infinity);
  const units = unitsOf(table.currency);
  amount.step = String(1 / units);
  amount.min = String(least / units);
  amount.max = Number.isFinite(most) ? String(Math.max(least, most) / units) : "";
  const free = isFree(table);
  const isMatch = isMatchTable(table);
  amount.value = String((usualStack(table, purse) ?? least) / units);
  const sent = field(dialog, "amount");
  const follow = () => {
    sent.value = String(Math.round(Number(amount.value) * units));
  };
  amount.oninput = follow;
  follow();
  // An entry fee is fixed: there is nothing to choose.
  find('[data-part="bring"]', dialog).hidden = isMatch || free;
  setText(find('[data-part="help"]', dialog), free ? say(texts, "sit_free") : helpFor(texts, table, purse));
  const fee = say(texts, isMatch ? "sit_fee_match" : "sit_fee", { rate: percent(table.rake_bps) });
  setText(find('[data-part="fee"]', dialog), table.rake_bps > 0 ? fee : "");
  const submit = dialog.querySelector('[data-action="confirm"]');
  if (!(submit instanceof HTMLButtonElement)) return;
  submit.disabled = purse !== null && purse < least;
  if (isMatch && !free) setText(submit, say(texts, "sit_for", { price: amountText(texts, least, table.currency) }));
}

/**
 * @param {Texts} texts
 * @param {TableView} table
 * @param {number | null} purse
 */
function helpFor(texts, table, purse) {
  const least = amountText(texts, table.min_buy_in, table.currency);
  if (purse === null) return say(texts, "sit_least", { least });
  const asks = isMatchTable(table) ? "sit_entry" : "sit_help";
  const help = purse >= table.min_buy_in ? asks : "sit_too_little";
  return say(texts, help, { least, purse: amountText(texts, purse, table.currency) });
}

/**
 * @param {HTMLDialogElement} dialog
 * @param {string} name
 */
function field(dialog, name) {
  const found = find(`input[name="${name}"]`, dialog);
  if (!(found instanceof HTMLInputElement)) throw new Error(`${name} is no field`);
  return found;
}
