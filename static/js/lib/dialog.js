// Native dialogs as promises.

import { find } from "./dom.js";

/** @param {string} name */
export function dialogNamed(name) {
  const dialog = find(`dialog[data-dialog="${name}"]`);
  if (!(dialog instanceof HTMLDialogElement)) throw new Error(`${name} is no dialog`);
  return dialog;
}

/**
 * Opens a dialog and waits until it is closed.
 *
 * @param {HTMLDialogElement} dialog
 * @returns {Promise<boolean>} Whether it was confirmed; Escape does not confirm.
 */
export function ask(dialog) {
  dialog.returnValue = "";
  if (!dialog.open) dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "confirm"), {
      once: true,
    });
  });
}

/** Whether any dialog has the page's attention. */
export const isDialogOpen = () => document.querySelector("dialog[open]") !== null;
