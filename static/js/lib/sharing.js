// Passing an address on: by the device's own sheet, or by the clipboard.

import { setText } from "./dom.js";

const DONE_MS = 3_000;

export const canPassOn = "share" in navigator;

/**
 * @param {string} url
 * @param {string} title
 */
export async function passOn(url, title) {
  try {
    await navigator.share({ title, url });
  } catch {
    // Thought better of it.
  }
}

/**
 * Copies an address, and says so on the button for a moment.
 *
 * @param {HTMLElement} button With the words for it in `data-done`.
 * @param {string} url
 * @returns {Promise<boolean>} False if the browser does not allow it, as on an address without TLS.
 */
export async function copyLink(button, url) {
  try {
    await navigator.clipboard.writeText(url);
  } catch {
    return false;
  }
  const words = button.textContent ?? "";
  if (words !== button.dataset.done) {
    setText(button, button.dataset.done ?? "");
    setTimeout(() => setText(button, words), DONE_MS);
  }
  return true;
}
