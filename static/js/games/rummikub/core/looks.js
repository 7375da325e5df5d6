// The standings of the players, the progress of the match, and a sentence about the current state.

import { say } from "../../../table/core/say.js";
import { seatName } from "../../../table/core/tell.js";
import { nextDealText } from "../../rummy/core/next_deal.js";
import { acting, gameOf, isOwnClock, ownPlayer } from "./seen.js";

/** @typedef {import("../../../table/core/game.js").SeatLook} SeatLook */
/** @typedef {import("../../../table/core/protocol.js").TableState} TableState */
/** @typedef {import("../../../table/core/tell.js").Texts} Texts */

/**
 * @param {Texts} texts
 * @param {TableState} state
 * @param {number} seat
 * @returns {SeatLook}
 */
export function lookOf(texts, state, seat) {
  const game = gameOf(state);
  const player = game?.players[String(seat)] ?? null;
  return {
    isPlaying: player !== null,
    isOut: player?.status === "out" || player?.status === "left",
    isDealer: false,
    isOver: game?.phase === "over",
    beaten: null,
    status: player === null ? null : statusText(texts, state, player),
    holding: player === null ? null : holdingText(texts, state, seat, player),
    card: null,
    held: 0,
  };
}

/**
 * @param {Texts} texts
 * @param {TableState} state
 * @param {import("./seen.js").SeenPlayer} player
 */
function statusText(texts, state, { status, missed, opened }) {
  if (status !== "playing") return say(texts, `status_${status}`);
  if (missed > 0) return say(texts, "status_missed", { missed, of: state.rules.max_missed_turns ?? 3 });
  return opened ? null : say(texts, "status_not_opened");
}

/**
 * @param {Texts} texts
 * @param {TableState} state
 * @param {number} seat
 * @param {import("./seen.js").SeenPlayer} player
 */
function holdingText(texts, state, seat, { tiles }) {
  const game = gameOf(state);
  const held = say(texts, "tiles", { count: tiles });
  if (game === null || game.match.deals < 2) return held;
  return `${held} · ${say(texts, "score_of", { points: game.match.scores[String(seat)] ?? 0 })}`;
}

/**
 * "Deal 2 of 4"; empty if one deal is the match.
 *
 * @param {Texts} texts
 * @param {TableState} state
 */
export function progressText(texts, state) {
  const game = gameOf(state);
  if (game === null || game.match.deals < 2) return null;
  return say(texts, "deal_of", { deal: game.deal, deals: game.match.deals });
}

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
  if (!isOwnClock(state)) {
    const [seat] = acting(state);
    return say(texts, "notice_other", { name: seat === undefined ? "" : seatName(state, seat) });
  }
  const ending = game.pool_count > 0 ? "draw" : "pass";
  if (ownPlayer(state)?.opened !== true) return say(texts, `notice_open_${ending}`, { least: game.initial_meld });
  return say(texts, `notice_lay_${ending}`);
}
