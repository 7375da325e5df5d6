// Calls the player back to the table: by sound once it is allowed, and by the window's title.

import { readPreference, wantsMotion } from "../../lib/prefs.js";

/** @type {AudioContext | null} */
let context = null;

/** Browsers allow sound only after the first touch on the page. */
export function unlockSound() {
  const unlock = () => {
    context ??= new AudioContext();
    void context.resume();
  };
  addEventListener("pointerdown", unlock, { once: true });
  addEventListener("keydown", unlock, { once: true });
}

/**
 * @typedef {object} Player Plays sounds.
 * @property {() => AudioContext | null} context None before the first touch on the page.
 * @property {() => boolean} mayVibrate
 */

/** @type {Player} */
export const player = {
  context: () => context,
  mayVibrate: () =>
    (navigator.userActivation?.hasBeenActive ?? false) &&
    readPreference("vibration") === "on" &&
    wantsMotion() &&
    "vibrate" in navigator,
};

const plainTitle = document.title;

/** @param {string | null} text Prefix of the title, or null for none. */
export function markTitle(text) {
  const title = text === null ? plainTitle : `● ${text} · ${plainTitle}`;
  if (document.title !== title) document.title = title;
}

/** A phone in a player's hand should not go dark between turns. */
export function keepAwake() {
  const request = () => {
    if (document.visibilityState !== "visible" || !("wakeLock" in navigator)) return;
    navigator.wakeLock.request("screen").catch(() => {
      // Refused on a low battery; the game does not depend on it.
    });
  };
  document.addEventListener("visibilitychange", request);
  request();
}
