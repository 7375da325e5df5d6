// How the players of 500 Rum stand, and how far the match is.

import { say } from "../../../table/core/tell.js";
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
  const game = gameOf(state);
  const player = game?.players[String(seat)];
  const points = player?.laid_points ?? 0;
  const key = game?.match.target == null ? "laid_points" : "score_and_laid";
  const holding = player === undefined ? null : say(texts, key, { points, score: player.score ?? 0 });
  return laidLook(texts, state, seat, null, { holding, status: null });
}

/**
 * "Deal 2 · race to 500"; nothing where one deal is the match.
 *
 * @param {Texts} texts
 * @param {TableState} state
 */
export function progressText(texts, state) {
  const game = gameOf(state);
  if (game === null || game.match.target == null) return null;
  return `${say(texts, "deal_number", { deal: game.deal })} · ${say(texts, "target", { target: game.match.target })}`;
}
