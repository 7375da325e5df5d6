// Cards by their text: "7H.0" is the seven of hearts of the first pack, "PJ.1" a printed joker.

/** @typedef {import("./protocol.js").CardId} CardId */

export const RANKS = "A23456789TJQK";
/** Suits in the order of a sorted hand: red and black alternate. */
export const SUITS = "SHCD";

/** @param {CardId} card */
export const faceOf = (card) => card.split(".", 1)[0] ?? card;

/** @param {CardId} card */
export const isPrintedJoker = (card) => faceOf(card) === "PJ";

/**
 * 1 for an ace to 13 for a king, 0 for a printed joker.
 *
 * @param {CardId} card
 */
export const rankOf = (card) => (isPrintedJoker(card) ? 0 : RANKS.indexOf(card.charAt(0)) + 1);

/**
 * "S", "H", "D", "C", or "J" for a printed joker.
 *
 * @param {CardId} card
 */
export const suitOf = (card) => (isPrintedJoker(card) ? "J" : card.charAt(1));

/**
 * The rank that is wild by the card turned up (R1.4): 1 if that is a printed joker.
 *
 * @param {CardId | null | undefined} indicator
 */
export function wildRankOf(indicator) {
  if (!indicator) return null;
  return isPrintedJoker(indicator) ? 1 : rankOf(indicator);
}

/**
 * @param {CardId} card
 * @param {number | null} wild
 */
export const isWild = (card, wild) => wild !== null && rankOf(card) === wild;

/**
 * @param {CardId} card
 * @param {number | null} wild
 */
export const isJoker = (card, wild) => isPrintedJoker(card) || isWild(card, wild);

/**
 * The points of a card that is left over (R6.1).
 *
 * @param {CardId} card
 * @param {number | null} wild
 */
export function cardPoints(card, wild) {
  if (isJoker(card, wild)) return 0;
  const rank = rankOf(card);
  return rank === 1 ? 10 : Math.min(rank, 10);
}

/**
 * The text in the corner.
 *
 * @param {CardId} card
 */
export function rankText(card) {
  if (isPrintedJoker(card)) return "JKR";
  const rank = card.charAt(0);
  return rank === "T" ? "10" : rank;
}

/** @param {CardId} card */
export const isCourt = (card) => rankOf(card) > 10;

/**
 * @param {CardId} a
 * @param {CardId} b
 */
export function bySuitAndRank(a, b) {
  const order = `${SUITS}J`;
  return (
    order.indexOf(suitOf(a)) - order.indexOf(suitOf(b)) ||
    rankOf(a) - rankOf(b) ||
    (a < b ? -1 : Number(a > b))
  );
}
