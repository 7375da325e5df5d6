// The kinds of groups, for the labels in the hand. The server decides; both agree because they are tested
// with the same vectors. Numbers like R2.2 refer to docs/rules.

import { cardPoints, faceOf, isJoker, isPrintedJoker, rankOf, suitOf } from "../../../table/core/cards.js";

/** @typedef {import("../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("../../../table/core/protocol.js").Group} Group */
/** @typedef {import("../../../table/core/protocol.js").MeldKind} MeldKind */
/** @typedef {import("../../../table/core/protocol.js").RulesView} RulesView */

const MIN_MELD = 3;
const MAX_RUN = 13;
const ACE_HIGH = 14;
export const HAND_SIZE = 13;

/**
 * The span of the ranks, with the ace at its better end (R1.3).
 *
 * @param {number[]} ranks
 */
function span(ranks) {
  const low = Math.max(...ranks) - Math.min(...ranks) + 1;
  if (!ranks.includes(1)) return low;
  const high = ranks.map((rank) => (rank === 1 ? ACE_HIGH : rank));
  return Math.min(low, Math.max(...high) - Math.min(...high) + 1);
}

/** @param {readonly unknown[]} values */
const allDiffer = (values) => new Set(values).size === values.length;

/** @param {readonly unknown[]} values */
const allEqual = (values) => new Set(values).size === 1;

/** @param {readonly CardId[]} cards */
function isPureSequence(cards) {
  const ranks = cards.map(rankOf);
  return (
    !cards.some(isPrintedJoker) &&
    allEqual(cards.map(suitOf)) &&
    allDiffer(ranks) &&
    span(ranks) === cards.length
  );
}

/**
 * The best reading of a group (R2.7), or null.
 *
 * @param {readonly CardId[]} cards
 * @param {number | null} wild
 * @param {RulesView} [rules]
 * @returns {MeldKind | null}
 */
export function meldKind(cards, wild, rules = {}) {
  const size = cards.length;
  if (size < MIN_MELD) return null;
  if (rules.wild_twins === false) {
    const faces = cards.filter((card) => !isPrintedJoker(card)).map(faceOf);
    if (!allDiffer(faces)) return null;
  }
  if (isPureSequence(cards)) return "pure_sequence";

  const set = size > (rules.max_set_size ?? Infinity) ? null : "set";
  const naturals = cards.filter((card) => !isJoker(card, wild));
  if (naturals.length === 0) {
    // R2.6: one wild card stands for itself and begins a sequence.
    if (rules.joker_only_melds === "none") return null;
    if (rules.joker_only_melds === "set") return set;
    return size <= MAX_RUN && !cards.every(isPrintedJoker) ? "sequence" : set;
  }
  const suits = naturals.map(suitOf);
  const ranks = naturals.map(rankOf);
  if (allEqual(suits) && allDiffer(ranks) && size <= MAX_RUN && span(ranks) <= size) {
    return "sequence";
  }
  return allEqual(ranks) && allDiffer(suits) ? set : null;
}

/**
 * @typedef {object} Count
 * @property {(MeldKind | null)[]} kinds
 * @property {boolean[]} free Groups that count nothing (R6.3).
 * @property {number[]} loose Each group's own points.
 * @property {number} points The whole hand, capped.
 */

/**
 * The points of a hand by its groups, as if another player declared now.
 *
 * @param {readonly Group[]} groups
 * @param {number | null} wild
 * @param {RulesView} [rules]
 * @returns {Count}
 */
export function countHand(groups, wild, rules = {}) {
  const kinds = groups.map((group) => meldKind(group, wild, rules));
  const sequences = kinds.filter((kind) => kind === "pure_sequence" || kind === "sequence").length;
  const hasPure = kinds.includes("pure_sequence");
  const loneIsFree = rules.lone_pure_sequence !== "counted";
  const free = kinds.map((kind) => {
    if (kind === null || !hasPure) return false;
    return sequences >= 2 || (loneIsFree && kind === "pure_sequence");
  });
  const loose = groups.map((group) =>
    group.reduce((sum, card) => sum + cardPoints(card, wild), 0),
  );
  const points = loose.reduce((sum, value, index) => sum + (free[index] ? 0 : value), 0);
  return { kinds, free, loose, points: Math.min(points, rules.max_points ?? 80) };
}

/**
 * The points of a wrong declaration of these groups (R3.4).
 *
 * @param {readonly Group[]} groups
 * @param {number | null} wild
 * @param {RulesView} [rules]
 */
export function wrongCost(groups, wild, rules = {}) {
  if (rules.wrong_declaration_counts !== "hand") return rules.wrong_declaration_points ?? 80;
  const counted = groups.flat().reduce((sum, card) => sum + cardPoints(card, wild), 0);
  return Math.min(counted, rules.max_points ?? 80);
}

/**
 * The reason why these groups are a wrong declaration (R3.1), or null for a right one.
 *
 * @param {readonly Group[]} groups
 * @param {number | null} wild
 * @param {RulesView} [rules]
 * @returns {"wrong_card_count" | "loose_cards" | "no_pure_sequence" | "no_second_sequence" | null}
 */
export function declarationFlaw(groups, wild, rules = {}) {
  if (groups.flat().length !== HAND_SIZE) return "wrong_card_count";
  const { kinds } = countHand(groups, wild, rules);
  if (kinds.includes(null)) return "loose_cards";
  if (!kinds.includes("pure_sequence")) return "no_pure_sequence";
  return kinds.filter((kind) => kind !== "set").length < 2 ? "no_second_sequence" : null;
}
