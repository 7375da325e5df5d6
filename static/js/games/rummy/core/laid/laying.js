// Decides which melds of a hand to lay.

import { readMeld } from "./melds.js";

/** @typedef {import("../../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("../../../../table/core/protocol.js").Group} Group */
/** @typedef {import("./melds.js").Shape} Shape */

/**
 * The selected cards, as one meld or as several in groups. Without a selection: each group that is a meld.
 *
 * @param {readonly Group[]} groups
 * @param {ReadonlySet<CardId>} chosen
 * @param {Shape} shape
 * @returns {Group[] | null} Null if some of these cards are in no meld.
 */
export function meldsMeant(groups, chosen, shape) {
  if (chosen.size === 0) {
    const lying = meldsOf(groups, shape);
    return lying.length === 0 ? null : lying;
  }
  const cards = groups.flat().filter((card) => chosen.has(card));
  const one = readMeld(cards, shape);
  if (one !== null) return [one.cards];
  const parts = groups.map((group) => group.filter((card) => chosen.has(card))).filter((part) => part.length > 0);
  const melds = meldsOf(parts, shape);
  return melds.length === parts.length ? melds : null;
}

/**
 * @param {readonly Group[]} groups
 * @param {Shape} shape
 * @returns {Group[]}
 */
const meldsOf = (groups, shape) =>
  groups.flatMap((group) => {
    const meld = readMeld(group, shape);
    return meld === null ? [] : [meld.cards];
  });
