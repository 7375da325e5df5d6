// One sentence about the current state.

import { say } from "../../../table/core/say.js";
import { cardName, seatName } from "../../../table/core/tell.js";
import { laidNotice } from "../../rummy/core/laid/notice.js";
import { gameOf, ownOf, ownPlayer } from "../../rummy/core/laid/seen.js";
import { isAsked } from "./buying.js";
import { wildOf } from "./rules.js";

/** @typedef {import("../../../table/core/protocol.js").TableState} TableState */
/** @typedef {import("../../../table/core/tell.js").Texts} Texts */

/**
 * @param {Texts} texts
 * @param {TableState} state
 * @param {number} now
 * @param {{mayLay: boolean, answered: string | null}} own
 * @returns {string | null} Null between matches.
 */
export function noticeFor(texts, state, now, { mayLay, answered }) {
  const game = gameOf(state);
  if (game?.phase !== "buy" || game.buying == null) return laidNotice(texts, state, now, mayLay);
  const card = cardName(texts, game.buying.card, wildOf(state));
  const name = game.turn === null ? "" : seatName(state, game.turn);
  if (isAsked(state, answered)) return say(texts, "notice_buy", { name, card });
  const { seat } = state.you;
  const isWaiting = seat !== null && seat !== game.turn && game.buying.seats.includes(seat) && ownPlayer(state) !== null;
  if (isWaiting && ownOf(state).never_buy !== true) return say(texts, "you_answered");
  return say(texts, "notice_wait_buy", { card });
}
