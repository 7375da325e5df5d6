// The standings of the players of basic rummy, and the progress of the match.

import { say } from "../../../table/core/say.js";
import { laidLook } from "../../rummy/core/laid/looks.js";
import { gameOf } from "../../rummy/core/laid/seen.js";

/** @typedef {import("../../../table/core/protocol.js").TableState} TableState */
/** @typedef {import("../../../table/core/tell.js").Texts} Texts */

/**
 * @param {Texts} texts
 * @param {TableState} state
 * @param {number} seat
 */
export function lookOf(texts, state, seat) {
  const match = gameOf(state)?.match;
  const score = match?.target == null ? undefined : match.scores?.[String(seat)];
  const holding = score === undefined ? null : say(texts, "points", { points: score });
  return laidLook(texts, state, seat, null, { holding, status: null });
}

/**
 * "Deal 2 · race to 100"; empty if one deal is the match.
 *
 * @param {Texts} texts
 * @param {TableState} state
 */
export function progressText(texts, state) {
  const game = gameOf(state);
  if (game === null || game.match.target == null) return null;
  return `${say(texts, "deal_number", { deal: game.deal })} · ${say(texts, "target", { target: game.match.target })}`;
}
