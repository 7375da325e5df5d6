// What calls the player back to the table: sound as soon as it is allowed, the title of the window.

import { readPreference, wantsMotion } from "../../lib/prefs.js";

/** @type {AudioContext | null} */
let context = null;

/** Browsers allow sound only after the player has touched the page once. */
export function unlockSound() {
  const unlock = () => {
    context ??= new AudioContext();
    void context.resume();
  };
  addEventListener("pointerdown", unlock, { once: true });
  addEventListener("keydown", unlock, { once: true });
}

/**
 * @typedef {object} Player What sounds are made with.
 * @property {() => AudioContext | null} context None before the player has touched the page.
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

/** @param {string | null} text Before the title, or null for the title alone. */
export function markTitle(text) {
  const title = text === null ? plainTitle : `● ${text} · ${plainTitle}`;
  if (document.title !== title) document.title = title;
}

/** A phone in the hand of a player should not go dark between turns. */
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
