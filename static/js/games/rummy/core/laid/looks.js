// The standings of the players in games with melds on the table.

import { say } from "../../../../table/core/say.js";
import { cardName } from "../../../../table/core/tell.js";
import { lastDiscard } from "../lately.js";
import { gameOf, rulesOf } from "./seen.js";

/** @typedef {import("../../../../table/core/game.js").SeatLook} SeatLook */
/** @typedef {import("../../../../table/core/protocol.js").TableState} TableState */
/** @typedef {import("../../../../table/core/tell.js").Texts} Texts */
/** @typedef {import("./seen.js").LaidPlayer} LaidPlayer */

/**
 * @param {Texts} texts
 * @param {TableState} state
 * @param {number} seat
 * @param {number | null} wild
 * @param {{holding: string | null, status: string | null}} own The game's texts about the player.
 * @returns {SeatLook}
 */
export function laidLook(texts, state, seat, wild, { holding, status }) {
  const game = gameOf(state);
  const player = game?.players[String(seat)] ?? null;
  // The toss stays beside the players until the first card is drawn.
  const isFirst = game?.turn_number === 1 && game.step === "draw";
  const toss = isFirst ? game.toss?.find((one) => one.seat === seat)?.card : undefined;
  const plays = player !== null && ["playing", "absent"].includes(player.status);
  return {
    isPlaying: player !== null,
    isOut: player !== null && ["left", "dropped"].includes(player.status),
    isDealer: game?.dealer === seat,
    isOver: game?.phase === "over",
    beaten: null,
    status: player === null ? null : (statusText(texts, state, player) ?? status),
    holding,
    card:
      toss === undefined
        ? lastDiscard(texts, state, seat, wild)
        : { card: toss, title: say(texts, "toss_card", { card: cardName(texts, toss, null) }) },
    held: plays && game?.result === null ? player.cards : 0,
  };
}

/**
 * @param {Texts} texts
 * @param {TableState} state
 * @param {LaidPlayer} player
 */
function statusText(texts, state, { status, missed }) {
  if (status !== "playing") return say(texts, `status_${status}`);
  if (missed === 0) return null;
  return say(texts, "status_missed", { missed, of: rulesOf(state).max_missed_turns ?? 3 });
}
