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

/**
 * Shows an invitation's share button (templates/_invite_ways.html) where the device has a sheet for it.
 *
 * @param {Element} part
 */
export function offerInvitation(part) {
  const share = part.querySelector('[data-invite="share"]');
  // Writing what is there already would be a change, too, for those who watch the part.
  if (share instanceof HTMLElement && share.hidden === canPassOn) share.hidden = !canPassOn;
}

/**
 * Answers the buttons of an invitation, also those that are rendered later.
 *
 * @param {HTMLElement} part
 * @param {() => string} url
 */
export function onInvitation(part, url) {
  part.addEventListener("click", (event) => {
    const way = event.target instanceof Element ? event.target.closest("[data-invite]") : null;
    if (!(way instanceof HTMLElement)) return;
    if (way.dataset.invite === "share") void passOn(url(), document.title);
    // Where it cannot be copied, the link below is copied by hand.
    else void copyLink(way, url()).then((done) => done || part.querySelector(".entrance__link")?.scrollIntoView());
  });
}
