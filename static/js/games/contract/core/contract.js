// Finds the contract in the groups of a hand: which groups, how many cards, and what their jokers stand
// for. The server decides whether it may be laid.

import { faceOf, suitOf } from "../../../table/core/cards.js";
import { readMeld, stepsOn } from "../../rummy/core/laid/melds.js";

/** @typedef {import("../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("../../../table/core/protocol.js").Group} Group */
/** @typedef {import("../../rummy/core/laid/melds.js").Reading} Reading */
/** @typedef {import("../../rummy/core/laid/melds.js").Shape} Shape */

/**
 * @typedef {object} Asked The requirements of a deal.
 * @property {readonly string[]} contract
 * @property {boolean} isWhole It takes the whole hand (C4).
 * @property {boolean} isExact It takes no more cards than needed.
 */

/**
 * @param {readonly Group[]} groups
 * @param {Asked} asked
 * @param {Shape} shape
 * @returns {Reading[] | null}
 */
export function contractIn(groups, { contract, isWhole, isExact }, shape) {
  const melds = groups.flatMap((group) => {
    const meld = readMeld(group, shape);
    const laid = meld === null || isWhole || !isExact ? meld : cutToSize(meld, shape);
    return laid === null ? [] : [laid];
  });
  const chosen = chosenFor(contract, melds, []);
  const used = chosen?.flatMap(({ cards }) => cards).length;
  return isWhole && used !== groups.flat().length ? null : chosen;
}

/**
 * With the fewest cards; jokers stay in the hand if other cards suffice (C4).
 *
 * @param {Reading} meld
 * @param {Shape} shape
 */
function cutToSize(meld, shape) {
  const size = meld.kind === "set" ? shape.minSet : shape.minRun;
  if (meld.cards.length === size) return meld;
  if (meld.kind === "set") {
    const natural = (/** @type {CardId} */ card) => meld.as[meld.cards.indexOf(card)] === faceOf(card);
    const cards = meld.cards.toSorted((a, b) => Number(natural(b)) - Number(natural(a)));
    return readMeld(cards.slice(0, size), shape);
  }
  const starts = Array.from({ length: meld.cards.length - size + 1 }, (_, start) => start);
  const ways = starts.map((start) => readMeld(meld.cards.slice(start, start + size), shape));
  return ways.find((way) => way !== null) ?? null;
}

/**
 * @param {readonly string[]} contract
 * @param {readonly Reading[]} melds
 * @param {readonly Reading[]} taken
 * @returns {Reading[] | null}
 */
function chosenFor(contract, melds, taken) {
  const [kind, ...rest] = contract;
  if (kind === undefined) return [...taken];
  for (const meld of melds) {
    if (meld.kind !== kind || taken.includes(meld) || taken.some((other) => doTouch(meld, other))) continue;
    const found = chosenFor(rest, melds, [...taken, meld]);
    if (found !== null) return found;
  }
  return null;
}

/**
 * Two runs of one suit that overlap or adjoin (C5).
 *
 * @param {Reading} one
 * @param {Reading} other
 */
export function doTouch(one, other) {
  if (one.kind === "set" || other.kind === "set") return false;
  if (suitOf(one.as[0] ?? "") !== suitOf(other.as[0] ?? "")) return false;
  const [start, end] = stepsOn({ ...one, by: [] });
  const [from, to] = stepsOn({ ...other, by: [] });
  return start <= to + 1 && from <= end + 1;
}
