// Shares an address: by the device's share sheet, or by the clipboard.

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
    // The player cancelled.
  }
}

/**
 * Copies an address, and confirms it on the button for a moment.
 *
 * @param {HTMLElement} button With the confirmation in `data-done`.
 * @param {string} url
 * @returns {Promise<boolean>} False if the browser does not allow it, as without TLS.
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
