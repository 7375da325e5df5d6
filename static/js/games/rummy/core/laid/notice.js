// One sentence about a turn or the time between two deals.

import { say } from "../../../../table/core/say.js";
import { seatName } from "../../../../table/core/tell.js";
import { nextDealText } from "../next_deal.js";
import { atTurn, gameOf } from "./seen.js";

/** @typedef {import("../../../../table/core/protocol.js").TableState} TableState */
/** @typedef {import("../../../../table/core/tell.js").Texts} Texts */

/**
 * @param {Texts} texts
 * @param {TableState} state
 * @param {number} now
 * @param {boolean} mayLay Whether this player may lay cards.
 * @returns {string | null} Null between matches.
 */
export function laidNotice(texts, state, now, mayLay) {
  const game = gameOf(state);
  if (game === null || game.phase === "over") return null;
  if (game.phase === "between") return nextDealText(texts, state, now);
  const [seat] = atTurn(state);
  const isDrawing = game.step === "draw";
  if (seat !== undefined && seat === state.you.seat) {
    if (isDrawing) return say(texts, "notice_draw");
    return say(texts, mayLay ? "notice_lay_or_discard" : "notice_discard");
  }
  const name = seat === undefined ? "" : seatName(state, seat);
  return say(texts, isDrawing ? "notice_other_draw" : "notice_other_lays", { name });
}
