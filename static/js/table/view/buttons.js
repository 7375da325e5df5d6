// The buttons below a hand.

import { find, setAttribute } from "../../lib/dom.js";

/**
 * @param {HTMLElement} root
 * @param {string} name
 * @param {{enabled: boolean, hidden?: boolean, pressed?: boolean}} how
 */
export function showButton(root, name, { enabled, hidden = false, pressed }) {
  const button = find(`[data-action="${name}"]`, root);
  if (pressed !== undefined) setAttribute(button, "aria-pressed", String(pressed));
  setAttribute(button, "disabled", !enabled);
  button.hidden = hidden;
}
