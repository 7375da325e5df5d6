// A player's preferences for looks and sounds, kept in this browser and, when signed in, with the account
// (accounts/people/preferences.py has the same table).

/**
 * @typedef {"theme" | "suits" | "motion" | "back" | "felt" | "hand" | "sound" | "volume"
 *   | "vibration" | "confirm" | "keys" | "announce" | "talk" | "quiet" | "bots"} PreferenceName
 */

/** The first value is the default. @type {Record<PreferenceName, readonly string[]>} */
export const CHOICES = {
  theme: ["auto", "light", "dark"],
  suits: ["two", "four", "clear"],
  motion: ["auto", "slow", "fast", "off"],
  back: ["red", "blue", "green", "black"],
  felt: ["green", "blue", "wine", "grey"],
  hand: ["right", "left"],
  sound: ["on", "off"],
  volume: ["middle", "low", "high"],
  vibration: ["on", "off"],
  confirm: ["on", "off"],
  keys: ["on", "off"],
  announce: ["all", "mine"],
  talk: ["all", "words", "none"],
  quiet: ["off", "on"],
  bots: ["usual", "easy", "medium", "hard", "expert"],
};

/** Factors for the duration of animations. @type {Record<string, number>} */
export const PACES = { slow: 2, auto: 1, fast: 0.5 };

/** Volumes. @type {Record<string, number>} */
export const VOLUMES = { low: 0.35, middle: 0.7, high: 1 };

/** The preferences that CSS reads from the root element. */
const ON_ROOT = "theme suits motion back felt hand sound".split(" ");

/** @param {PreferenceName} name */
const keyOf = (name) => `openrummy.${name}`;

/**
 * @param {PreferenceName} name
 * @returns {string}
 */
export function readPreference(name) {
  try {
    const stored = localStorage[keyOf(name)];
    if (CHOICES[name].includes(stored)) return stored;
  } catch {
    // Storage may be forbidden; then the default counts.
  }
  return CHOICES[name][0] ?? "";
}

/**
 * @param {PreferenceName} name
 * @param {string} value
 */
export function writePreference(name, value) {
  if (!CHOICES[name].includes(value)) return;
  applyPreference(name, value);
  keep({ [name]: value });
}

/**
 * Applies a choice to this page and this browser alone.
 *
 * @param {PreferenceName} name
 * @param {string} value
 */
export function applyPreference(name, value) {
  try {
    localStorage[keyOf(name)] = value;
    localStorage["openrummy.chosen"] = `${name} ${Date.now()}`;
  } catch {
    // The choice still applies to this page.
  }
  if (!ON_ROOT.includes(name)) return;
  if (value === CHOICES[name][0]) delete document.documentElement.dataset[name];
  else document.documentElement.dataset[name] = value;
}

/** Stores choices with the account, if somebody is signed in. @param {Record<string, string>} chosen */
export function keep(chosen) {
  const { keepAt, token = "" } = document.documentElement.dataset;
  const form = new URLSearchParams({ ...chosen, csrfmiddlewaretoken: token });
  if (keepAt) navigator.sendBeacon(keepAt, form);
}

/** Vibration and motion are off if either the system or the player says so. */
export function wantsMotion() {
  return (
    readPreference("motion") !== "off" && !matchMedia("(prefers-reduced-motion: reduce)").matches
  );
}
