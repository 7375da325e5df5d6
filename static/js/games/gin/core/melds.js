// The kinds of groups, for labels and suggestions; the server decides. Numbers like G6 refer to
// docs/rules-gin.md.

import { rankOf, suitOf } from "../../../table/core/cards.js";

/** @typedef {import("../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("../../../table/core/protocol.js").Group} Group */
/** @typedef {import("./seen.js").LayOff} LayOff */

/** The points of a card outside of melds (G6). @param {CardId} card */
export const valueOf = (card) => Math.min(rankOf(card), 10);

/** @param {readonly CardId[]} cards */
export const deadwoodOf = (cards) => cards.reduce((sum, card) => sum + valueOf(card), 0);

/**
 * @param {readonly CardId[]} cards
 * @returns {"set" | "sequence" | null}
 */
export function meldKind(cards) {
  if (cards.length < 3) return null;
  const ranks = cards.map(rankOf).toSorted((a, b) => a - b);
  const [lowest = 0] = ranks;
  if (ranks.every((rank) => rank === lowest)) return "set";
  const isOneSuit = new Set(cards.map(suitOf)).size === 1;
  return isOneSuit && ranks.every((rank, index) => rank === lowest + index) ? "sequence" : null;
}

/** @param {readonly Group[]} groups */
export const meldsIn = (groups) => groups.filter((group) => meldKind(group) !== null);

/** @param {readonly Group[]} groups */
export const looseIn = (groups) => groups.filter((group) => meldKind(group) === null).flat();

/**
 * @param {readonly Group[]} groups
 * @returns {import("../../rummy/view/hand.js").Count & {points: number}}
 */
export function countHand(groups) {
  const kinds = groups.map(meldKind);
  return {
    kinds,
    free: kinds.map((kind) => kind !== null),
    loose: groups.map(deadwoodOf),
    points: deadwoodOf(looseIn(groups)),
  };
}

/**
 * The lay-offs that fit, each on the meld as extended so far (G10).
 *
 * @param {readonly Group[]} melds The knocker's.
 * @param {readonly LayOff[]} layOffs
 * @returns {LayOff[]}
 */
export function fitting(melds, layOffs) {
  const lying = melds.map((meld) => [...meld]);
  return layOffs.filter(([card, meld]) => {
    const there = lying[meld];
    if (there === undefined || meldKind([...there, card]) === null) return false;
    there.push(card);
    return true;
  });
}

/**
 * Adds lay-offs of these cards on one meld, in whatever order they fit.
 *
 * @param {readonly Group[]} melds
 * @param {readonly LayOff[]} layOffs
 * @param {readonly CardId[]} cards
 * @param {number} meld
 * @returns {LayOff[] | null} Null unless all of them fit.
 */
export function withLaidOff(melds, layOffs, cards, meld) {
  let laid = [...layOffs];
  let left = [...cards];
  while (left.length > 0) {
    const next = left.find((card) => fitting(melds, [...laid, [card, meld]]).length > laid.length);
    if (next === undefined) return null;
    laid = [...laid, [next, meld]];
    left = left.filter((card) => card !== next);
  }
  return laid;
}
