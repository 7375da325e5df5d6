// A tournament's table is ready for its player: which of their tabs opens it, and when.

const TAKEN = "openrummy.taken";
/** A tab that has gone to the table and has not arrived by then was closed, or has crashed. */
const ARRIVES_WITHIN_MS = 15_000;
const MOST_TRIES = 2;
const FORGOTTEN_AFTER_MS = 86_400_000;

/**
 * @typedef {object} Claim A tab of this browser has gone to a table by itself, or the player has been there.
 * @property {number} at
 * @property {number} tries
 * @property {boolean} arrived
 */

/**
 * `go`: open the table now; `show`: a bar with a link; `stay`: the page is this table. A hidden tab is asked again once
 * it is seen, because its socket then sends a ping (reconnecting.js).
 *
 * @param {object} tab
 * @param {string} tab.path
 * @param {string} tab.url
 * @param {boolean} tab.isVisible
 * @param {boolean} tab.isConnected The player's seat is connected, by this browser or another one.
 * @param {Claim | undefined} tab.claim
 * @param {number} tab.now
 * @returns {"go" | "show" | "stay"}
 */
export function answerTo({ path, url, isVisible, isConnected, claim, now }) {
  if (path === url) return "stay";
  if (!isVisible || isConnected || /^\/tables\/\d+\/$/.test(path) || !isOpen(claim, now)) return "show";
  return "go";
}

/**
 * @param {Claim | undefined} claim
 * @param {number} now
 */
function isOpen(claim, now) {
  if (claim === undefined) return true;
  return !claim.arrived && claim.tries < MOST_TRIES && now - claim.at >= ARRIVES_WITHIN_MS;
}

/** The claims of all tabs, by the table's address. @returns {Record<string, Claim>} */
function readClaims() {
  try {
    return JSON.parse(localStorage.getItem(TAKEN) ?? "{}");
  } catch {
    return {};
  }
}

/** @param {string} url */
export const claimOf = (url) => readClaims()[url];

/**
 * @param {string} url
 * @param {{arrived: boolean, now: number}} going
 * @returns {boolean} False without storage: then every tab has the bar.
 */
export function noteClaim(url, { arrived, now }) {
  const claims = Object.entries(readClaims()).filter(([, { at }]) => now - at < FORGOTTEN_AFTER_MS);
  const tries = (claimOf(url)?.tries ?? 0) + 1;
  const noted = { ...Object.fromEntries(claims), [url]: { at: now, tries, arrived } };
  try {
    localStorage.setItem(TAKEN, JSON.stringify(noted));
  } catch {
    return false;
  }
  return true;
}

/**
 * Takes the table for this tab until the page is left or crashes. Pages outside a secure context have no
 * locks; there the stored claim alone decides.
 *
 * @param {string} url
 * @returns {Promise<boolean>} False if a tab shows the table, or is on its way there.
 */
export function takeTable(url) {
  return new Promise((resolve) => {
    if (navigator.locks === undefined) resolve(true);
    else
      void navigator.locks.request(nameOf(url), { ifAvailable: true }, (lock) => {
        resolve(lock !== null);
        return lock === null ? undefined : new Promise(() => {});
      });
  });
}

/** Tells the other tabs, as long as this page is shown, that it shows the table. @param {string} url */
export function showTable(url) {
  let leave = () => {};
  const enter = () =>
    void navigator.locks?.request(
      nameOf(url),
      { mode: "shared" },
      () => new Promise((resolve) => (leave = () => resolve(undefined))),
    );
  // A held lock would keep the page out of the back/forward cache.
  addEventListener("pagehide", () => leave());
  addEventListener("pageshow", ({ persisted }) => persisted && enter());
  enter();
}

/** @param {string} url */
const nameOf = (url) => `openrummy ${url}`;
