// The hand sorted by ranks, in addition to suits.

import { bySuitAndRank, rankOf } from "../../../table/core/cards.js";

/** @typedef {import("../../../table/core/protocol.js").Group} Group */

/**
 * One group for each rank.
 *
 * @param {readonly Group[]} groups
 * @returns {Group[]}
 */
export function sortByRank(groups) {
  const cards = groups.flat().toSorted((a, b) => rankOf(a) - rankOf(b) || bySuitAndRank(a, b));
  return cards.reduce((/** @type {Group[]} */ sorted, card) => {
    const last = sorted.at(-1);
    if (last?.[0] !== undefined && rankOf(last[0]) === rankOf(card)) last.push(card);
    else sorted.push([card]);
    return sorted;
  }, []);
}
