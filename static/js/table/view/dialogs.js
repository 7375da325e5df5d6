// Questions to the player. The safe answer always comes first and is what Escape gives.

import { ask, dialogNamed } from "../../lib/dialog.js";
import { find, make, setText } from "../../lib/dom.js";
import { formatRate, unitsOf } from "../../lib/format.js";
import { readPreference } from "../../lib/prefs.js";
import { isMatchTable } from "../core/stakes.js";
import { say } from "../core/tell.js";
import { amountText } from "./amounts.js";

/** @typedef {import("../core/protocol.js").TableView} TableView */
/** @typedef {import("../core/tell.js").Texts} Texts */

/**
 * @typedef {object} Question
 * @property {string} title
 * @property {string} text
 * @property {string} confirm What the button says that goes ahead.
 * @property {boolean} [isDanger]
 * @property {boolean} [isOptional] Not asked of who wants no confirmations.
 * @property {boolean} [isTimed] It makes no sense any more when the player's clock has stopped.
 * @property {readonly Element[]} [pictures] What is asked about, to look at.
 * @property {Judged} [verdict]
 */

/**
 * @typedef {object} Judged What is said of the pictures.
 * @property {string} text
 * @property {"good" | "bad" | "open"} tone
 * @property {number | null} [failed] The one that is to blame.
 */

export class Dialogs {
  /** @param {Texts} texts */
  constructor(texts) {
    this.texts = texts;
    this.confirmDialog = dialogNamed("confirm");
    this.sitDialog = dialogNamed("sit");
    this.settingsDialog = dialogNamed("settings");
    this.awayDialog = dialogNamed("away");
    this.keysDialog = dialogNamed("keys");
    /** What is being asked. @type {Question | null} */
    this.asked = null;
    /** The question is about a move, and the time for it may pass. */
    this.isTimed = false;
    const cancel = this.sitDialog.querySelector('button[type="button"]');
    cancel?.addEventListener("click", () => this.sitDialog.close());
  }

  /** @param {Question} question */
  confirm(question) {
    const { title, text, confirm, isDanger = false, isTimed = true } = question;
    const { pictures, verdict } = question;
    if (question.isOptional === true && readPreference("confirm") === "off") return Promise.resolve(true);
    const dialog = this.confirmDialog;
    this.isTimed = isTimed;
    setText(find('[data-part="title"]', dialog), title);
    setText(find('[data-part="text"]', dialog), text);
    setText(find('[data-action="confirm"]', dialog), confirm);
    this.#danger(isDanger);
    const shown = find('[data-part="groups"]', dialog);
    shown.hidden = pictures === undefined;
    shown.replaceChildren(...(pictures ?? []));
    this.asked = question;
    this.#verdict(verdict);
    return ask(dialog);
  }

  /**
   * The verdict has come, perhaps when nobody asks any more.
   *
   * @param {Question} question
   * @param {Judged} verdict
   */
  judged(question, verdict) {
    if (this.asked !== question || !this.confirmDialog.open) return;
    this.#verdict(verdict);
    this.#danger(verdict.tone === "bad");
    const shown = find('[data-part="groups"]', this.confirmDialog).children;
    for (const [index, group] of [...shown].entries()) {
      group.classList.toggle("shown-group--failed", index === verdict.failed);
    }
  }

  /** @param {Judged | undefined} verdict */
  #verdict(verdict) {
    const judged = find('[data-part="verdict"]', this.confirmDialog);
    judged.hidden = verdict === undefined;
    setText(judged, verdict?.text ?? "");
    judged.dataset.tone = verdict?.tone ?? "open";
  }

  /** @param {boolean} isDanger */
  #danger(isDanger) {
    const { classList } = find('[data-action="confirm"]', this.confirmDialog);
    classList.toggle("button--danger", isDanger);
    classList.toggle("button--primary", !isDanger);
  }

  /** A question that time has answered closes by itself. */
  closeQuestion() {
    if (this.isTimed && this.confirmDialog.open) this.confirmDialog.close("");
  }

  /**
   * @param {TableView} table
   * @param {number} seat
   * @param {number | null} purse What the player can bring to this table.
   */
  sit(table, seat, purse) {
    const dialog = this.sitDialog;
    const amount = dialog.querySelector('[data-part="amount"]');
    if (amount instanceof HTMLInputElement) {
      field(dialog, "seat").value = String(seat);
      this.#offerAmount(dialog, amount, table, purse);
    }
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
    const isMatch = isMatchTable(table);
    const wanted = isMatch ? least : 3 * least;
    amount.value = String(Math.max(least, Math.min(wanted, most)) / units);
    const sent = field(dialog, "amount");
    const follow = () => {
      sent.value = String(Math.round(Number(amount.value) * units));
    };
    amount.oninput = follow;
    follow();
    amount.readOnly = isMatch;
    setText(find('[data-part="help"]', dialog), this.#help(table, purse));
    const fee = say(this.texts, isMatch ? "sit_fee_match" : "sit_fee", { rate: formatRate(table.rake_bps) });
    setText(find('[data-part="fee"]', dialog), table.rake_bps > 0 ? fee : "");
    const submit = dialog.querySelector('[data-action="confirm"]');
    if (submit instanceof HTMLButtonElement) submit.disabled = purse !== null && purse < least;
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

  /** How everything at the table is done. */
  keys() {
    if (this.settingsDialog.open) this.settingsDialog.close();
    return ask(this.keysDialog);
  }

  /** @param {readonly string[]} moves */
  away(moves) {
    const list = find('[data-part="moves"]', this.awayDialog);
    list.replaceChildren(...moves.map((text) => make("li", {}, text)));
    if (!this.awayDialog.open) this.awayDialog.showModal();
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
