// Taking a seat: what is brought, what it costs.

import { ask, dialogNamed } from "../../lib/dialog.js";
import { find, setText } from "../../lib/dom.js";
import { formatRate, unitsOf } from "../../lib/format.js";
import { isFree, isMatchTable, usualStack } from "../core/stakes.js";
import { say } from "../core/tell.js";
import { amountText } from "../view/amounts.js";

/** @typedef {import("../core/protocol.js").TableView} TableView */
/** @typedef {import("../core/tell.js").Texts} Texts */

export class Sit {
  /** @param {Texts} texts */
  constructor(texts) {
    this.texts = texts;
    this.dialog = dialogNamed("sit");
    const cancel = this.dialog.querySelector('button[type="button"]');
    cancel?.addEventListener("click", () => this.dialog.close());
  }

  /** Whether the table has refused the last attempt of a guest; null: nobody sits down as a guest here. */
  get refused() {
    const form = this.dialog.querySelector("form[data-refused]");
    return form instanceof HTMLFormElement ? form.dataset.refused === "yes" : null;
  }

  /**
   * @param {TableView} table
   * @param {number} seat
   * @param {number | null} purse What the player can bring to this table.
   */
  open(table, seat, purse) {
    const { dialog } = this;
    const chair = dialog.querySelector('input[name="seat"]');
    if (chair instanceof HTMLInputElement) chair.value = String(seat);
    const amount = dialog.querySelector('[data-part="amount"]');
    if (amount instanceof HTMLInputElement) this.#offerAmount(dialog, amount, table, purse);
    return ask(dialog);
  }

  /**
   * Three times the least, as far as the purse goes. The player writes rupees, the table is sent
   * paise.
   *
   * @param {HTMLDialogElement} dialog
   * @param {HTMLInputElement} amount
   * @param {TableView} table
   * @param {number | null} purse
   */
  #offerAmount(dialog, amount, table, purse) {
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
    // An entry fee is what it is: there is nothing to choose.
    find('[data-part="bring"]', dialog).hidden = isMatch || free;
    setText(find('[data-part="help"]', dialog), free ? say(this.texts, "sit_free") : this.#help(table, purse));
    const fee = say(this.texts, isMatch ? "sit_fee_match" : "sit_fee", { rate: formatRate(table.rake_bps) });
    setText(find('[data-part="fee"]', dialog), table.rake_bps > 0 ? fee : "");
    const submit = dialog.querySelector('[data-action="confirm"]');
    if (!(submit instanceof HTMLButtonElement)) return;
    submit.disabled = purse !== null && purse < least;
    if (isMatch && !free) setText(submit, say(this.texts, "sit_for", { price: amountText(this.texts, least, table.currency) }));
  }

  /**
   * @param {TableView} table
   * @param {number | null} purse
   */
  #help(table, purse) {
    const least = amountText(this.texts, table.min_buy_in, table.currency);
    if (purse === null) return say(this.texts, "sit_least", { least });
    const asks = isMatchTable(table) ? "sit_entry" : "sit_help";
    const help = purse >= table.min_buy_in ? asks : "sit_too_little";
    return say(this.texts, help, { least, purse: amountText(this.texts, purse, table.currency) });
  }
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
