// Times in the reader's zone: `<time datetime data-moment="kind">` (accounts/templatetags/moments.py), which the server
// writes in the site's zone and with its name. In the reader's own zone no name is needed.

import { setText } from "./dom.js";
import { wordsIn } from "./format.js";

/** @type {Record<string, Intl.DateTimeFormatOptions>} */
const STYLES = {
  clock: { hour: "2-digit", minute: "2-digit" },
  seconds: { hour: "2-digit", minute: "2-digit", second: "2-digit" },
  day: { day: "numeric", month: "short" },
  moment: { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" },
  weekday: { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" },
  year: { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" },
};

/**
 * @param {string | number} at ISO text, or milliseconds since 1970.
 * @param {string} kind One of `STYLES`.
 * @param {string} language
 * @param {string} [zone] The reader's, unless a test names another.
 */
export function momentText(at, kind, language, zone) {
  const style = { ...STYLES[kind], hourCycle: "h23", timeZone: zone };
  return new Intl.DateTimeFormat(wordsIn(language), /** @type {Intl.DateTimeFormatOptions} */ (style)).format(new Date(at));
}

function rewrite() {
  const language = document.documentElement.lang || "en";
  for (const time of document.querySelectorAll("time[data-moment]")) {
    setText(time, momentText(time.getAttribute("datetime") ?? "", time.getAttribute("data-moment") ?? "", language));
  }
}

/** Rewrites the times of the page, including later ones. */
export function showMoments() {
  rewrite();
  new MutationObserver(rewrite).observe(document.body, { childList: true, characterData: true, subtree: true });
}
