// The standings of the players of 500 Rum, the progress of the match, and a sentence about the current
// state.

import { say } from "../../../table/core/say.js";
import { cardName } from "../../../table/core/tell.js";
import { laidLook } from "../../rummy/core/laid/looks.js";
import { laidNotice } from "../../rummy/core/laid/notice.js";
import { atTurn, gameOf } from "../../rummy/core/laid/seen.js";

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
 * "Deal 2 · race to 500"; empty if one deal is the match.
 *
 * @param {Texts} texts
 * @param {TableState} state
 */
export function progressText(texts, state) {
  const game = gameOf(state);
  if (game === null || game.match.target == null) return null;
  return `${say(texts, "deal_number", { deal: game.deal })} · ${say(texts, "target", { target: game.match.target })}`;
}

/**
 * One sentence about the current state. A taken card is named until it is laid.
 *
 * @param {Texts} texts
 * @param {TableState} state
 * @param {number} now
 * @param {{mayLay: boolean, mayTake: boolean}} own `mayTake`: cards of the open pile are highlighted.
 * @returns {string | null} Null between matches.
 */
export function noticeFor(texts, state, now, { mayLay, mayTake }) {
  const game = gameOf(state);
  if (state.you.seat !== null && atTurn(state).includes(state.you.seat)) {
    const due = game?.must_use ?? null;
    if (due !== null) return say(texts, "notice_must_use", { card: cardName(texts, due, null) });
    if (game?.step === "draw" && mayTake) return say(texts, "notice_take");
  }
  return laidNotice(texts, state, now, mayLay);
}
