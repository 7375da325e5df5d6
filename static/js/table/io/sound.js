// Calls the player back to the table: a short tone, a vibration, the title of the window.

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
 * @param {number} frequency
 * @param {number} after
 */
function tone(frequency, after) {
  if (context === null) return;
  const start = context.currentTime + after;
  const oscillator = new OscillatorNode(context, { frequency, type: "sine" });
  const volume = new GainNode(context, { gain: 0 });
  volume.gain.setValueAtTime(0, start);
  volume.gain.linearRampToValueAtTime(0.12, start + 0.02);
  volume.gain.exponentialRampToValueAtTime(0.001, start + 0.35);
  oscillator.connect(volume).connect(context.destination);
  oscillator.start(start);
  oscillator.stop(start + 0.4);
}

export function soundTurn() {
  if (readPreference("sound") === "off") return;
  if (context?.state === "running") {
    tone(660, 0);
    tone(880, 0.14);
  }
  const isActive = navigator.userActivation?.hasBeenActive ?? false;
  if (isActive && wantsMotion() && "vibrate" in navigator) navigator.vibrate(60);
}

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
