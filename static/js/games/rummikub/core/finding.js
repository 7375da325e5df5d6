// Melds without jokers that a beginner could see on a rack; only the server finds the best lay.

import { isJoker, numberOf } from "./names.js";

/** @typedef {import("../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("./seen.js").SeenMeld} SeenMeld */

const LEAST = 3;
const MOST_OF_A_GROUP = 4;
const HIGHEST = 13;

/** @param {CardId} card */
const colourOf = (card) => card.charAt(1);

/** @param {readonly CardId[]} cards */
export const pointsOf = (cards) => cards.reduce((sum, card) => sum + numberOf(card), 0);

/**
 * Melds without common tiles, the most valuable first.
 *
 * @param {readonly CardId[]} rack
 * @returns {CardId[][]}
 */
export function findMelds(rack) {
  /** @type {CardId[][]} */
  const found = [];
  let left = rack.filter((card) => !isJoker(card));
  for (;;) {
    const [best] = [...groups(left), ...runs(left)].sort((one, other) => pointsOf(other) - pointsOf(one));
    if (best === undefined) return found;
    found.push(best);
    left = left.filter((card) => !best.includes(card));
  }
}

/** @param {readonly CardId[]} cards */
function groups(cards) {
  return each(cards, numberOf)
    .map((same) => distinct(same, colourOf))
    .filter((group) => group.length >= LEAST);
}

/** @param {readonly CardId[]} cards */
function runs(cards) {
  return each(cards, colourOf).flatMap((same) => {
    const ordered = distinct(same, numberOf).sort((one, other) => numberOf(one) - numberOf(other));
    /** @type {CardId[][]} */
    const pieces = [];
    for (const card of ordered) {
      const last = pieces.at(-1);
      const before = last?.at(-1);
      if (last !== undefined && before !== undefined && numberOf(card) === numberOf(before) + 1) last.push(card);
      else pieces.push([card]);
    }
    return pieces.filter((piece) => piece.length >= LEAST);
  });
}

/**
 * @template K
 * @param {readonly CardId[]} cards
 * @param {(card: CardId) => K} key
 * @returns {CardId[][]} The cards of each key.
 */
function each(cards, key) {
  /** @type {Map<K, CardId[]>} */
  const found = new Map();
  for (const card of cards) found.set(key(card), [...(found.get(key(card)) ?? []), card]);
  return [...found.values()];
}

/**
 * One card of each key.
 *
 * @param {readonly CardId[]} cards
 * @param {(card: CardId) => unknown} key
 */
const distinct = (cards, key) => each(cards, key).flatMap(([first]) => (first === undefined ? [] : [first]));

/**
 * A tile of the rack that fits on a meld on the table, and that meld.
 *
 * @param {readonly CardId[]} rack
 * @param {readonly SeenMeld[]} table
 * @returns {{card: CardId, meld: number} | null}
 */
export function findAddition(rack, table) {
  for (const [meld, seen] of table.entries()) {
    const card = rack.find((one) => !isJoker(one) && fits(one, seen));
    if (card !== undefined) return { card, meld };
  }
  return null;
}

/**
 * @param {CardId} card
 * @param {SeenMeld} meld
 */
function fits(card, { as, kind }) {
  const [first] = as;
  if (first === undefined) return false;
  if (kind === "group") {
    const isSameNumber = numberOf(first) === numberOf(card);
    return isSameNumber && as.length < MOST_OF_A_GROUP && !as.some((face) => colourOf(face) === colourOf(card));
  }
  if (kind !== "run" || colourOf(first) !== colourOf(card)) return false;
  const numbers = as.map(numberOf);
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  return numberOf(card) === low - 1 || (high < HIGHEST && numberOf(card) === high + 1);
}
