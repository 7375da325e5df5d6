// The moves that the server permits the player now, for buttons, keys and drop targets alike.

import { legalMove } from "../../../table/core/stakes.js";
import { questionFor } from "./standing.js";

/** @typedef {import("../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("../../../table/core/protocol.js").TableState} TableState */

/**
 * @typedef {object} Permitted
 * @property {boolean} drawClosed
 * @property {boolean} drawOpen
 * @property {boolean} discard Whether any card may be discarded.
 * @property {boolean} finish
 * @property {boolean} declare
 * @property {boolean} show
 * @property {boolean} drop
 * @property {number | null} dropPoints
 * @property {boolean} rejoin
 * @property {boolean} offerSplit
 * @property {boolean} answerSplit
 * @property {boolean} best Whether the server may arrange the hand.
 * @property {number} bring The amount that may be added to the stack now.
 */

/**
 * @param {TableState} state
 * @param {boolean} ready Connected, with no pending move.
 * @param {number | null} [purse] The amount that the player can bring to the table.
 * @returns {Permitted}
 */
export function permitted(state, ready, purse = null) {
  const { game, you } = state;
  const isSeated = game !== null && you.seat !== null;
  /** @param {string} kind */
  const move = (kind) => (ready && isSeated ? legalMove(state, kind) : null);
  /** @param {string} kind */
  const may = (kind) => move(kind) !== null;
  const sources = move("draw")?.source ?? [];
  const own = isSeated ? game.players[String(you.seat)] : null;
  return {
    drawClosed: sources.includes("closed"),
    drawOpen: sources.includes("open"),
    discard: may("discard"),
    finish: may("finish"),
    declare: may("declare"),
    show: may("show"),
    drop: may("drop"),
    dropPoints: move("drop")?.points ?? own?.drop_points ?? null,
    rejoin: may("rejoin"),
    offerSplit: may("offer_split"),
    answerSplit: may("answer_split"),
    best: state.table.help?.arrangement === true && may("arrange"),
    bring: (ready && isSeated && questionFor(state, purse)?.bring) || 0,
  };
}

/**
 * In the deal, neither dropped nor out.
 *
 * @param {TableState} state
 */
export function isPlaying({ game, you }) {
  if (game === null || you.seat === null) return false;
  return game.players[String(you.seat)]?.status === "playing";
}

const OUT = new Set(["dropped", "wrong", "left"]);

/**
 * Out before the deal has ended.
 *
 * @param {import("../../../table/core/protocol.js").GamePlayer | null | undefined} player
 */
export const isOut = (player) => player != null && OUT.has(player.status);

/**
 * Another player's declaration was right, and these groups have yet to be submitted (R3.6).
 *
 * @param {TableState} state
 */
export const owesShow = (state) => legalMove(state, "show") !== null;

/**
 * Whether this player's clock runs.
 *
 * @param {TableState} state
 */
export function isOwnClock(state) {
  const { game, you } = state;
  if (game === null || you.seat === null) return false;
  if (game.phase === "turn") return game.turn === you.seat;
  if (game.phase === "declare") return game.finish?.seat === you.seat;
  if (game.phase === "rejoin" || game.phase === "split") return questionFor(state)?.isAsked === true;
  return owesShow(state);
}

/**
 * R4.5: a card drawn from the open pile may not be returned in the same turn.
 *
 * @param {TableState} state
 * @param {CardId} card
 */
export const mayDiscard = (state, card) => legalMove(state, "discard")?.card.includes(card) === true;
