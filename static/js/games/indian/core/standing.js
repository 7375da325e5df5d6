// The standings in a match of several deals, the prize, and the question between two deals. Numbers like
// R8.5 refer to docs/rules.

import { isMatchTable, legalMove, missingStack } from "../../../table/core/stakes.js";

/** @typedef {import("../../../table/core/protocol.js").MatchView} MatchView */
/** @typedef {import("../../../table/core/protocol.js").Standing} Standing */
/** @typedef {import("../../../table/core/protocol.js").TableState} TableState */
/** @typedef {import("../../../table/core/protocol.js").TableView} TableView */

/**
 * @param {TableState} state
 * @returns {MatchView | null}
 */
export const matchOf = ({ table, game }) => (isMatchTable(table) ? (game?.match ?? null) : null);

/**
 * @param {TableState} state
 * @param {number | null} seat
 * @returns {Standing | null}
 */
export const standingOf = (state, seat) => matchOf(state)?.standings[String(seat)] ?? null;

/**
 * All players of the match, by seat.
 *
 * @param {MatchView} match
 * @returns {{seat: number, standing: Standing}[]}
 */
export const standings = (match) =>
  Object.entries(match.standings)
    .map(([seat, standing]) => ({ seat: Number(seat), standing }))
    .toSorted((a, b) => a.seat - b.seat);

/** @typedef {{seat: number, amount: number | null, answer: "asks" | "agreed" | "waiting" | "open"}} AskRow */
/**
 * @typedef {object} Question
 * @property {"rejoin" | "split" | "offer" | "bring"} kind
 * @property {boolean} isAsked Whether this player's answer is awaited.
 * @property {AskRow[]} rows
 * @property {number | null} asker
 * @property {number | null} score The score at which a player rejoins.
 * @property {number} [bring] The amount missing for the next match.
 */

/**
 * The question between two deals, from this player's view.
 *
 * @param {TableState} state
 * @param {number | null} [purse] The amount that the player can bring to the table.
 * @returns {Question | null}
 */
export function questionFor(state, purse = null) {
  const match = matchOf(state);
  const { seat } = state.you;
  if (seat === null) return null;
  const missing = missingStack(state, purse ?? Infinity);
  if (missing > 0) return { kind: "bring", isAsked: false, rows: [], asker: null, score: null, bring: missing };
  if (match === null) return null;
  const phase = state.game?.phase;
  if (phase === "rejoin") return rejoinQuestion(match, seat);
  if (phase === "split") return splitQuestion(state.table, match, seat);
  if (legalMove(state, "offer_split") === null) return null;
  const rows = (state.table.split ?? []).map((row) => ({ ...row, answer: /** @type {const} */ ("open") }));
  return { kind: "offer", isAsked: false, rows, asker: null, score: null };
}

/**
 * @param {MatchView} match
 * @param {number} seat
 * @returns {Question}
 */
function rejoinQuestion(match, seat) {
  const rows = match.waiting.map((asked) => ({
    seat: asked,
    amount: null,
    answer: /** @type {const} */ ("waiting"),
  }));
  const isAsked = match.waiting.includes(seat);
  return { kind: "rejoin", isAsked, rows, asker: null, score: match.rejoin_score };
}

/**
 * @param {TableView} table
 * @param {MatchView} match
 * @param {number} seat
 * @returns {Question}
 */
function splitQuestion(table, match, seat) {
  /** @param {number} other */
  const answerOf = (other) => {
    if (other === match.split_asker) return "asks";
    return match.waiting.includes(other) ? "waiting" : "agreed";
  };
  const rows = (table.split ?? []).map((row) => ({
    ...row,
    answer: /** @type {AskRow["answer"]} */ (answerOf(row.seat)),
  }));
  const isAsked = match.waiting.includes(seat);
  return { kind: "split", isAsked, rows, asker: match.split_asker, score: null };
}
