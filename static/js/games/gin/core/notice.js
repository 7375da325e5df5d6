// One sentence about the current state.

import { legalMove } from "../../../table/core/stakes.js";
import { say } from "../../../table/core/say.js";
import { seatName } from "../../../table/core/tell.js";
import { nextDealText } from "../../rummy/core/next_deal.js";
import { acting, gameOf, isOwnClock } from "./seen.js";

/** @typedef {import("../../../table/core/protocol.js").TableState} TableState */
/** @typedef {import("../../../table/core/tell.js").Texts} Texts */

/**
 * @param {Texts} texts
 * @param {TableState} state
 * @param {number} now
 * @returns {string | null} Null between matches.
 */
export function noticeFor(texts, state, now) {
  const game = gameOf(state);
  if (game === null || game.phase === "over") return null;
  if (game.phase === "between") return nextDealText(texts, state, now);
  const knocker = game.knock === null ? "" : seatName(state, game.knock.seat);
  if (isOwnClock(state)) return say(texts, ownKey(state), { name: knocker });
  const [seat] = acting(state);
  return say(texts, otherKey(game), { name: seat === undefined ? "" : seatName(state, seat) });
}

/** @param {TableState} state */
function ownKey(state) {
  const game = gameOf(state);
  if (game?.phase === "upcard" && game.step === "draw") return "notice_upcard";
  if (game?.phase === "defend") return "notice_defend";
  if (game?.step === "draw") return game.must_draw_closed ? "notice_draw_closed" : "notice_draw";
  return legalMove(state, "knock") === null ? "notice_discard" : "notice_may_knock";
}

/** @param {import("./seen.js").GinView} game */
function otherKey(game) {
  if (game.phase === "defend") return "notice_wait_defence";
  if (game.step === "discard") return "notice_other_discard";
  return game.phase === "upcard" ? "notice_other_upcard" : "notice_other_draw";
}
