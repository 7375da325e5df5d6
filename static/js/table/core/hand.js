// The groups of the player's hand. Pure functions: each returns new groups with exactly the cards of the
// old ones, none of them empty.

import { bySuitAndRank, suitOf } from "./cards.js";

/** @typedef {import("./protocol.js").CardId} CardId */
/** @typedef {import("./protocol.js").Group} Group */
/** @typedef {{group: number, index: number}} Place */

/** @param {readonly Group[]} groups */
const withoutEmpty = (groups) => groups.filter((group) => group.length > 0);

/**
 * @param {readonly Group[]} groups
 * @param {CardId} card
 * @returns {Place | null}
 */
export function placeOf(groups, card) {
  for (const [group, cards] of groups.entries()) {
    const index = cards.indexOf(card);
    if (index >= 0) return { group, index };
  }
  return null;
}

/**
 * Groups after the hand has changed: removed cards leave, a new one lies by itself and disturbs no group.
 *
 * @param {readonly Group[]} groups
 * @param {readonly CardId[]} hand
 * @returns {Group[]}
 */
export function reconcile(groups, hand) {
  const held = new Set(hand);
  /** @type {Set<CardId>} */
  const placed = new Set();
  const kept = groups.map((group) =>
    group.filter((card) => {
      const stays = held.has(card) && !placed.has(card);
      placed.add(card);
      return stays;
    }),
  );
  const fresh = hand.filter((card) => !placed.has(card));
  return withoutEmpty([...kept, fresh]);
}

/**
 * Moves cards to a place; `to.group` one past the last makes a new group. The place is counted before the
 * cards are taken away.
 *
 * @param {readonly Group[]} groups
 * @param {readonly CardId[]} cards
 * @param {Place} to
 * @returns {Group[]}
 */
export function moveCards(groups, cards, to) {
  const moved = new Set(cards);
  const ordered = groups.flat().filter((card) => moved.has(card));
  const target = groups[to.group] ?? [];
  const before = target.slice(0, to.index).filter((card) => !moved.has(card));
  const after = target.slice(to.index).filter((card) => !moved.has(card));
  const result = groups.map((group, index) =>
    index === to.group ? [...before, ...ordered, ...after] : group.filter((card) => !moved.has(card)),
  );
  if (to.group >= groups.length) result.push(ordered);
  return withoutEmpty(result);
}

/**
 * Makes a new group of the cards, in the place of the first one.
 *
 * @param {readonly Group[]} groups
 * @param {readonly CardId[]} cards
 * @returns {Group[]}
 */
export function gather(groups, cards) {
  const taken = new Set(cards);
  const ordered = groups.flat().filter((card) => taken.has(card));
  const first = ordered[0];
  if (first === undefined) return groups.map((group) => [...group]);
  const at = placeOf(groups, first)?.group ?? 0;
  return withoutEmpty(
    groups.flatMap((group, index) => {
      const rest = group.filter((card) => !taken.has(card));
      return index === at ? [rest, ordered] : [rest];
    }),
  );
}

/**
 * Moves a card one step to the left (-1) or right (1). At the edge of a group it joins the neighbour;
 * beyond the last group it starts a new one.
 *
 * @param {readonly Group[]} groups
 * @param {CardId} card
 * @param {-1 | 1} step
 * @returns {Group[]}
 */
export function shiftCard(groups, card, step) {
  const from = placeOf(groups, card);
  if (from === null) return groups.map((group) => [...group]);
  const own = groups[from.group] ?? [];
  const index = from.index + step;
  if (index >= 0 && index < own.length) {
    return moveCards(groups, [card], { group: from.group, index: step > 0 ? index + 1 : index });
  }
  const neighbour = from.group + step;
  const there = groups[neighbour];
  if (there !== undefined) {
    return moveCards(groups, [card], { group: neighbour, index: step > 0 ? 0 : there.length });
  }
  const rest = groups.map((group) => group.filter((other) => other !== card));
  return withoutEmpty(step > 0 ? [...rest, [card]] : [[card], ...rest]);
}

/** @typedef {(groups: readonly Group[]) => Group[]} Sorting */

/**
 * One group for each suit, printed jokers by themselves.
 *
 * @param {readonly Group[]} groups
 * @returns {Group[]}
 */
export function sortBySuit(groups) {
  /** @type {Map<string, Group>} */
  const suits = new Map();
  for (const card of groups.flat().toSorted(bySuitAndRank)) {
    const suit = suitOf(card);
    suits.set(suit, [...(suits.get(suit) ?? []), card]);
  }
  return [...suits.values()];
}

/**
 * @param {readonly Group[]} groups
 * @param {CardId} card
 * @returns {Group[]}
 */
export const withoutCard = (groups, card) =>
  withoutEmpty(groups.map((group) => group.filter((other) => other !== card)));

/**
 * @param {readonly Group[]} a
 * @param {readonly Group[]} b
 */
export const sameGroups = (a, b) => JSON.stringify(a) === JSON.stringify(b);
