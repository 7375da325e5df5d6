// The meld that one card makes with loose cards of the hand, for a player who presses Group with only that
// card chosen.

import { isJoker, rankOf, suitOf } from "../../../table/core/cards.js";
import { meldKind } from "./meld.js";

/** @typedef {import("../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("../../../table/core/protocol.js").Group} Group */
/** @typedef {import("../../../table/core/protocol.js").RulesView} RulesView */

const MIN_MELD = 3;
const ACE_HIGH = 14;

/**
 * With as few jokers as possible, then a sequence before a set, then as long as possible. Cards in melds
 * are left there.
 *
 * @param {CardId} card
 * @param {readonly Group[]} groups
 * @param {number | null} wild
 * @param {RulesView} rules
 * @returns {CardId[]} Only the card if there is no such meld.
 */
export function meldAround(card, groups, wild, rules) {
  const own = groups.find((group) => group.includes(card)) ?? [];
  if (meldKind(own, wild, rules) !== null) return [card];
  const loose = groups.filter((group) => meldKind(group, wild, rules) === null).flat();
  const jokers = loose.filter((other) => other !== card && isJoker(other, wild));
  const pure = runAround(card, loose, 0);
  if (pure.length >= MIN_MELD && meldKind(pure, wild, rules) === "pure_sequence") return pure;
  if (isJoker(card, wild)) return [card];
  const naturals = loose.filter((other) => !isJoker(other, wild));
  for (let count = 0; count <= jokers.length; count += 1) {
    const helpers = jokers.slice(0, count);
    for (const found of [runAround(card, naturals, count), setOf(card, naturals, rules.max_set_size)]) {
      const meld = [...found, ...helpers];
      if (meldKind(meld, wild, rules) !== null) return meld;
    }
  }
  return [card];
}

/**
 * The most cards of the suit around this one whose gaps the jokers can fill.
 *
 * @param {CardId} card
 * @param {readonly CardId[]} cards
 * @param {number} gaps
 */
function runAround(card, cards, gaps) {
  /** @type {Map<number, CardId>} */
  const places = new Map();
  for (const other of cards.filter((one) => suitOf(one) === suitOf(card))) {
    const ranks = rankOf(other) === 1 ? [1, ACE_HIGH] : [rankOf(other)];
    for (const rank of ranks) if (other === card || places.get(rank) !== card) places.set(rank, other);
  }
  /** @type {CardId[]} */
  let best = [];
  for (let low = 1; low <= ACE_HIGH; low += 1) {
    for (let high = low; high <= ACE_HIGH; high += 1) {
      const run = [...new Set([...places].filter(([rank]) => rank >= low && rank <= high).map(([, one]) => one))];
      const isWhole = high - low + 1 - run.length <= gaps;
      if (isWhole && run.includes(card) && run.length > best.length) best = run;
    }
  }
  return best;
}

/**
 * @param {CardId} card
 * @param {readonly CardId[]} cards
 * @param {number | null | undefined} most
 */
function setOf(card, cards, most) {
  /** @type {Map<string, CardId>} */
  const suits = new Map([[suitOf(card), card]]);
  for (const other of cards) {
    if (rankOf(other) === rankOf(card) && !suits.has(suitOf(other))) suits.set(suitOf(other), other);
  }
  return [...suits.values()].slice(0, most ?? Infinity);
}
