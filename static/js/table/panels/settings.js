// The player's preferences, wherever the page offers them: switches and rows of choices.

import { ask, dialogNamed } from "../../lib/dialog.js";
import { CHOICES, readPreference, writePreference } from "../../lib/prefs.js";

/** @typedef {import("../../lib/prefs.js").PreferenceName} PreferenceName */

export class Settings {
  constructor() {
    this.dialog = dialogNamed("settings");
    document.addEventListener("change", ({ target }) => {
      if (target instanceof HTMLInputElement) this.#chosen(target);
    });
    this.show();
  }

  open() {
    this.show();
    void ask(this.dialog);
  }

  /** The same preference may be offered twice. */
  show() {
    for (const input of inputs()) {
      const value = readPreference(nameOf(input));
      input.checked = value === (input.dataset.on ?? input.value);
    }
  }

  /** @param {HTMLInputElement} input */
  #chosen(input) {
    const name = nameOf(input);
    if (!(name in CHOICES)) return;
    const { on, off } = input.dataset;
    writePreference(name, (on === undefined || input.checked ? on ?? input.value : off) ?? "");
    this.show();
  }
}

const inputs = () =>
  /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("input[data-preference]"));

/** @param {HTMLInputElement} input */
const nameOf = (input) => /** @type {PreferenceName} */ (input.dataset.preference);
