// Native dialogs as promises.

import { find } from "./dom.js";

/** @param {string} name */
export function dialogNamed(name) {
  const dialog = find(`dialog[data-dialog="${name}"]`);
  if (!(dialog instanceof HTMLDialogElement)) throw new Error(`${name} is no dialog`);
  return dialog;
}

/**
 * Opens a dialog and waits until it is closed. The browser reports that a moment later, so each question
 * has its own answer even if the next one is asked before.
 *
 * @param {HTMLDialogElement} dialog
 * @returns {Promise<boolean>} Whether it was confirmed; Escape does not confirm.
 */
export function ask(dialog) {
  dialog.onclose?.(new Event("close"));
  dialog.returnValue = "";
  if (!dialog.open) dialog.showModal();
  return new Promise((resolve) => {
    dialog.onclose = () => {
      if (!dialog.open) resolve(dialog.returnValue === "confirm");
    };
  });
}

/** Whether a dialog is open. */
export const isDialogOpen = () => document.querySelector("dialog[open]") !== null;
