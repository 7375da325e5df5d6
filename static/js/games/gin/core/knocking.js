// How a knock would be laid: the player's own division or the one that the server names, whichever
// leaves less. Which cards may be put down the server says.

import { withoutCard } from "../../../table/core/hand.js";
import { legalMove } from "../../../table/core/stakes.js";
import { deadwoodOf, meldKind, meldsIn, valueOf } from "./melds.js";
import { gameOf, ownOf } from "./seen.js";

/** @typedef {import("../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("../../../table/core/protocol.js").Group} Group */
/** @typedef {import("../../../table/core/protocol.js").TableState} TableState */
/**
 * @typedef {object} Plan
 * @property {"knock" | "gin" | "big_gin"} kind
 * @property {CardId | null} card Put down; null: big gin.
 * @property {Group[]} groups Melds.
 * @property {CardId[]} loose
 * @property {number} points
 */

/**
 * What the server lets be put down: cards, and null for big gin.
 *
 * @param {TableState} state
 * @returns {(CardId | null)[]}
 */
export const knockCards = (state) => legalMove(state, "knock")?.card ?? [];

/**
 * @param {TableState} state
 * @param {readonly Group[]} groups As the hand lies.
 * @param {CardId | null} card
 * @returns {Plan | null} Null if it may not be, or the hand has to be laid out first.
 */
export function planOf(state, groups, card) {
  const game = gameOf(state);
  if (game === null || !knockCards(state).includes(card)) return null;
  const held = (ownOf(state).hand ?? []).filter((one) => one !== card);
  const best = ownOf(state).best_groups ?? [];
  const ways = [meldsIn(card === null ? groups : withoutCard(groups, card)), meldsIn(spared(best, card))];
  if (card === null) ways.push(stretched(best, held));
  const plans = ways.map((melds) => {
    const laid = new Set(melds.flat());
    const loose = held.filter((one) => !laid.has(one));
    return { card, groups: melds, loose, points: deadwoodOf(loose) };
  });
  const least = plans.reduce((a, b) => (b.points < a.points ? b : a));
  if (card === null) return least.loose.length === 0 ? { ...least, kind: "big_gin" } : null;
  if (least.points > game.knock_limit) return null;
  return { ...least, kind: least.loose.length === 0 ? "gin" : "knock" };
}

/**
 * The knock with the card that is chosen, or with the one that leaves the least.
 *
 * @param {TableState} state
 * @param {readonly Group[]} groups
 * @param {CardId | null} chosen
 * @returns {Plan | null}
 */
export function proposal(state, groups, chosen) {
  if (chosen !== null) return planOf(state, groups, chosen);
  const plans = knockCards(state).flatMap((card) => (card === null ? [] : (planOf(state, groups, card) ?? [])));
  return plans.toSorted((a, b) => a.points - b.points || worth(b) - worth(a))[0] ?? null;
}

/** @param {Plan} plan */
const worth = ({ card }) => (card === null ? 0 : valueOf(card));

/**
 * Without a card, where a meld can do without it.
 *
 * @param {readonly Group[]} groups
 * @param {CardId | null} card
 */
const spared = (groups, card) => groups.map((group) => group.filter((one) => one !== card));

/**
 * What is held beside melds of ten cards is the eleventh: it goes where it makes a meld longer.
 *
 * @param {readonly Group[]} groups
 * @param {readonly CardId[]} held
 */
function stretched(groups, held) {
  const laid = groups.flat();
  const beside = held.filter((card) => !laid.includes(card));
  const at = groups.findIndex((group) => meldKind([...group, ...beside]) !== null);
  return groups.map((group, index) => (index === at ? [...group, ...beside] : [...group]));
}
