// The order of a meld's cards: a sequence by its ranks, each joker in the gap that it fills.

import { isJoker, isPrintedJoker, rankOf, SUITS, suitOf } from "../../../table/core/cards.js";

/** @typedef {import("../../../table/core/protocol.js").CardId} CardId */

const ACE_HIGH = 14;

/**
 * The cards in the order of their meld. Jokers that fill no gap continue it at its upper end or, if that is
 * the highest card, at its lower end.
 *
 * @param {readonly CardId[]} cards Of a meld.
 * @param {string} kind "set", or a sequence; "pure_sequence": every card stands for itself.
 * @param {number | null} wild
 * @returns {CardId[]}
 */
export function inMeldOrder(cards, kind, wild) {
  const stands = (/** @type {CardId} */ card) => (kind === "pure_sequence" ? !isPrintedJoker(card) : !isJoker(card, wild));
  const naturals = cards.filter(stands);
  const jokers = cards.filter((card) => !stands(card));
  if (kind === "set") {
    return [...naturals.toSorted((a, b) => SUITS.indexOf(suitOf(a)) - SUITS.indexOf(suitOf(b))), ...jokers];
  }
  if (naturals.length === 0) return [...cards];
  const rank = rankIn(naturals);
  const sorted = naturals.toSorted((a, b) => rank(a) - rank(b));
  const suit = suitOf(sorted[0] ?? "");
  /** @type {CardId[]} */
  const laid = [];
  let next = rank(sorted[0] ?? "");
  for (const card of sorted) {
    for (; next < rank(card); next += 1) laid.push(...takeFor(jokers, next, suit));
    laid.push(card);
    next += 1;
  }
  while (jokers.length > 0 && next <= ACE_HIGH) {
    laid.push(...takeFor(jokers, next, suit));
    next += 1;
  }
  return [...jokers, ...laid];
}

/**
 * The rank of each card, the ace at its better end (R1.3).
 *
 * @param {readonly CardId[]} cards
 */
function rankIn(cards) {
  const high = (/** @type {CardId} */ card) => (rankOf(card) === 1 ? ACE_HIGH : rankOf(card));
  const span = (/** @type {(card: CardId) => number} */ rank) => {
    const ranks = cards.map(rank);
    return Math.max(...ranks) - Math.min(...ranks);
  };
  return span(high) < span(rankOf) ? high : rankOf;
}

/**
 * Takes the joker that fits a rank best: the natural card, if it is among them.
 *
 * @param {CardId[]} jokers
 * @param {number} rank
 * @param {string} suit
 */
function takeFor(jokers, rank, suit) {
  const own = jokers.findIndex((card) => suitOf(card) === suit && rankOf(card) % 13 === rank % 13);
  return jokers.splice(Math.max(own, 0), 1);
}
