// Plans a knock: the player's own melds or the server's, whichever leaves less deadwood. The server decides
// which cards may be discarded.

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
 * @property {CardId | null} card The card discarded; null for big gin.
 * @property {Group[]} groups The melds.
 * @property {CardId[]} loose
 * @property {number} points
 */

/**
 * The cards that the server allows to be discarded in a knock, and null for big gin.
 *
 * @param {TableState} state
 * @returns {(CardId | null)[]}
 */
export const knockCards = (state) => legalMove(state, "knock")?.card ?? [];

/**
 * @param {TableState} state
 * @param {readonly Group[]} groups The hand as it lies.
 * @param {CardId | null} card
 * @returns {Plan | null} Null if the knock is not allowed, or the hand must be arranged first.
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
 * The knock with the chosen card, or with the one that leaves the least.
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
 * The melds without a card, if one of them can spare it.
 *
 * @param {readonly Group[]} groups
 * @param {CardId | null} card
 */
const spared = (groups, card) => groups.map((group) => group.filter((one) => one !== card));

/**
 * Beside ten melded cards only the eleventh is left: it extends a meld if it can.
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
