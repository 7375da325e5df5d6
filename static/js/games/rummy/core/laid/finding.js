// Melds in a hand, and cards that fit on the table, for the coach to highlight.

import { layOffs, readMeld } from "./melds.js";

/** @typedef {import("../../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("./melds.js").Shape} Shape */
/** @typedef {import("./seen.js").LaidMeld} LaidMeld */

/**
 * The meld of these cards that counts most, or null.
 *
 * @param {readonly CardId[]} hand
 * @param {Shape} shape
 * @param {(card: CardId) => number} worth
 * @returns {CardId[] | null}
 */
export function findMeld(hand, shape, worth) {
  /** @type {CardId[] | null} */
  let best = null;
  let most = 0;
  for (const first of threes(hand)) {
    if (readMeld(first, { ...shape, minRun: 3 }) === null) continue;
    const meld = grown(first, hand, shape);
    const points = meld.reduce((sum, card) => sum + worth(card), 0);
    if (points > most && readMeld(meld, shape) !== null) [best, most] = [meld, points];
  }
  return best;
}

/**
 * @param {readonly CardId[]} hand
 * @returns {CardId[][]}
 */
const threes = (hand) =>
  hand.flatMap((a, at) => hand.slice(at + 1).flatMap((b, next) => hand.slice(at + next + 2).map((c) => [a, b, c])));

/**
 * Extends it with every other card of the hand that fits.
 *
 * @param {CardId[]} meld
 * @param {readonly CardId[]} hand
 * @param {Shape} shape
 * @returns {CardId[]}
 */
function grown(meld, hand, shape) {
  const more = hand.find((card) => !meld.includes(card) && readMeld([...meld, card], { ...shape, minRun: 3 }) !== null);
  return more === undefined ? meld : grown([...meld, more], hand, shape);
}

/**
 * A card that fits on a meld of the table by itself, and the meld's number.
 *
 * @param {readonly LaidMeld[]} melds
 * @param {readonly CardId[]} hand
 * @param {Shape} shape
 * @returns {{card: CardId, meld: number} | null}
 */
export function layableOn(melds, hand, shape) {
  for (const card of hand) {
    const meld = melds.findIndex((one) => layOffs(one, [card], shape).length > 0);
    if (meld >= 0) return { card, meld };
  }
  return null;
}
