// The melds among the groups of a hand, and the points of each card.

import { readMeld } from "./melds.js";

/** @typedef {import("../../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("../../../../table/core/protocol.js").Group} Group */
/** @typedef {import("./melds.js").Shape} Shape */

/**
 * @param {readonly Group[]} groups
 * @param {Shape} shape
 * @param {(card: CardId) => number} worth
 * @returns {import("../../view/hand.js").Count}
 */
export function countGroups(groups, shape, worth) {
  const kinds = groups.map((group) => readMeld(group, shape)?.kind ?? null);
  return {
    kinds,
    free: kinds.map((kind) => kind !== null),
    loose: groups.map((group) => group.reduce((sum, card) => sum + worth(card), 0)),
  };
}
