// The standings of both players, and the progress of the match.

import { say } from "../../../table/core/say.js";
import { cardName } from "../../../table/core/tell.js";
import { lastDiscard } from "../../rummy/core/lately.js";
import { gameOf } from "./seen.js";

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
  // The toss stays beside the players until the upcard is decided.
  const isFirst = game?.phase === "upcard" && game.turn_number === 1;
  const toss = isFirst ? game.toss?.find((one) => one.seat === seat)?.card : undefined;
  const score = game?.match.target == null ? undefined : game.match.scores[String(seat)];
  return {
    isPlaying: player !== null,
    isOut: player?.status === "left",
    isDealer: game?.dealer === seat,
    isOver: game?.phase === "over",
    beaten: null,
    status: player === null ? null : statusText(texts, state, player),
    holding: score === undefined ? null : say(texts, "points", { points: score }),
    card:
      toss === undefined
        ? lastDiscard(texts, state, seat, null)
        : { card: toss, title: say(texts, "toss_card", { card: cardName(texts, toss, null) }) },
    held: player?.status === "playing" && game?.result === null ? player.cards : 0,
  };
}

/**
 * @param {Texts} texts
 * @param {TableState} state
 * @param {import("./seen.js").GinPlayer} player
 */
function statusText(texts, state, { status, missed }) {
  if (status !== "playing") return say(texts, `status_${status}`);
  if (missed === 0) return null;
  return say(texts, "status_missed", { missed, of: state.rules.max_missed_turns ?? 3 });
}

/**
 * "Deal 2 · game to 100"; empty if one deal is the match.
 *
 * @param {Texts} texts
 * @param {TableState} state
 */
export function progressText(texts, state) {
  const game = gameOf(state);
  if (game === null || game.match.target === null) return null;
  const target = say(texts, "target", { target: game.match.target });
  return `${say(texts, "deal_number", { deal: game.deal })} · ${target}`;
}
