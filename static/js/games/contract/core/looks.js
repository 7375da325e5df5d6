// The standings of the players of Contract Rummy, and the progress of the match.

import { say } from "../../../table/core/say.js";
import { laidLook } from "../../rummy/core/laid/looks.js";
import { gameOf, rulesOf } from "../../rummy/core/laid/seen.js";
import { wildOf } from "./rules.js";

/** @typedef {import("../../../table/core/protocol.js").TableState} TableState */
/** @typedef {import("../../../table/core/tell.js").Texts} Texts */

/**
 * @param {Texts} texts
 * @param {TableState} state
 * @param {number} seat
 */
export function lookOf(texts, state, seat) {
  const game = gameOf(state);
  const total = game === null || game.match.deals === 1 ? undefined : game.match.totals?.[String(seat)];
  return laidLook(texts, state, seat, wildOf(state), {
    holding: total === undefined ? null : say(texts, "points", { points: total }),
    status: seat === state.you.seat ? null : standingText(texts, state, seat),
  });
}

/**
 * The facts that others see about a player; the player's own are shown beside the hand.
 *
 * @param {Texts} texts
 * @param {TableState} state
 * @param {number} seat
 */
const standingText = (texts, state, seat) =>
  gameOf(state)?.players[String(seat)]?.has_laid === true ? say(texts, "contract_met") : buysText(texts, state, seat);

/**
 * The number of buys left, once a player has bought.
 *
 * @param {Texts} texts
 * @param {TableState} state
 * @param {number} seat
 */
export function buysText(texts, state, seat) {
  const left = gameOf(state)?.players[String(seat)]?.buys_left ?? null;
  const rules = rulesOf(state);
  if (rules.buying !== true || left === null || left === rules.max_buys) return null;
  return say(texts, "buys_left", { count: left });
}

/**
 * "Deal 2 of 7"; empty if one deal is the match.
 *
 * @param {Texts} texts
 * @param {TableState} state
 */
export function progressText(texts, state) {
  const game = gameOf(state);
  if (game === null || game.match.deals === null || game.match.deals === 1) return null;
  return say(texts, "deal_of", { deal: game.deal, deals: game.match.deals });
}
