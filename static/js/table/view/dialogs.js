// Questions to the player. The safe answer always comes first and is the effect of Escape.

import { ask, dialogNamed } from "../../lib/dialog.js";
import { find, setText } from "../../lib/dom.js";
import { readPreference } from "../../lib/prefs.js";

/** @typedef {import("../core/tell.js").Texts} Texts */

/**
 * @typedef {object} Question
 * @property {string} title
 * @property {string} text
 * @property {string} confirm The text of the confirming button.
 * @property {boolean} [isDanger]
 * @property {boolean} [isOptional] Skipped for players who want no confirmations.
 * @property {boolean} [isTimed] It is pointless once the player's clock has stopped.
 * @property {readonly Element[]} [pictures] The cards in question.
 * @property {Judged} [verdict]
 */

/**
 * @typedef {object} Judged A verdict on the pictures.
 * @property {string} text
 * @property {"good" | "bad" | "open"} tone
 * @property {number | null} [failed] The picture at fault.
 */

export class Dialogs {
  /** @param {Texts} texts */
  constructor(texts) {
    this.texts = texts;
    this.confirmDialog = dialogNamed("confirm");
    this.settingsDialog = dialogNamed("settings");
    this.keysDialog = dialogNamed("keys");
    /** The open question. @type {Question | null} */
    this.asked = null;
    /** Whether the question is about a move that may run out of time. */
    this.isTimed = false;
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
   * The verdict has arrived, possibly after the question.
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

  /** Closes a question that has run out of time. */
  closeQuestion() {
    if (this.isTimed && this.confirmDialog.open) this.confirmDialog.close("");
  }

  /** Shows how to do everything at the table. */
  keys() {
    if (this.settingsDialog.open) this.settingsDialog.close();
    return ask(this.keysDialog);
  }
}
