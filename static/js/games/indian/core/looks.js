// The standings in a match of Indian rummy, and the running clocks.

import { formatNumber } from "../../../lib/format.js";
import { say } from "../../../table/core/say.js";
import { isPlayedForPoints } from "../../../table/core/stakes.js";
import { cardName } from "../../../table/core/tell.js";
import { lastDiscard } from "../../rummy/core/lately.js";
import { HAND_SIZE } from "./meld.js";
import { isOut } from "./permitted.js";
import { matchOf, standingOf } from "./standing.js";

/** @typedef {import("../../../table/core/game.js").SeatLook} SeatLook */
/** @typedef {import("../../../table/core/protocol.js").GamePlayer} GamePlayer */
/** @typedef {import("../../../table/core/protocol.js").TableState} TableState */
/** @typedef {import("../../../table/core/tell.js").Texts} Texts */

/**
 * @param {Texts} texts
 * @param {TableState} state
 * @param {number} seat
 * @param {number | null} wild
 * @returns {SeatLook}
 */
export function lookOf(texts, state, seat, wild) {
  const player = state.game?.players[String(seat)] ?? null;
  const beside = tossOf(texts, state, seat, wild) ?? lastDiscard(texts, state, seat, wild);
  return {
    isPlaying: player !== null,
    isOut: isOut(player),
    isDealer: state.game?.dealer === seat,
    isOver: state.game?.phase === "over",
    beaten: beatenText(texts, state, seat),
    status: player === null ? null : statusText(texts, state, player),
    holding: holdingText(texts, state, seat),
    card: beside,
    held: heldBy(state, seat),
    ...laidBy(state, seat),
  };
}

/**
 * A valid declaration is open while the others submit theirs; all hands are when the deal is over.
 *
 * @param {Pick<TableState, "game">} state
 * @param {number} seat
 * @returns {{laid?: import("../../../table/core/protocol.js").Group[]}}
 */
function laidBy({ game }, seat) {
  const hand = game?.result?.hands.find((one) => one.seat === seat);
  if (hand !== undefined) return { laid: hand.groups };
  const declared = game?.declaration;
  return declared?.valid === true && declared.seat === seat ? { laid: declared.groups } : {};
}

/**
 * @param {TableState} state
 * @param {number} seat
 */
function heldBy({ game }, seat) {
  if (game === null || game.phase === "over" || game.result !== null) return 0;
  if (game.players[String(seat)]?.status !== "playing" || laidBy({ game }, seat).laid) return 0;
  return game.turn === seat && game.step === "discard" ? HAND_SIZE + 1 : HAND_SIZE;
}

/**
 * @param {Texts} texts
 * @param {TableState} state
 * @param {number} seat
 */
function beatenText(texts, state, seat) {
  const membership = standingOf(state, seat)?.membership ?? "in";
  if (membership === "in") return null;
  return say(texts, membership === "left" ? "status_left" : "status_eliminated");
}

/**
 * @param {Texts} texts
 * @param {TableState} state
 * @param {GamePlayer} player
 */
function statusText(texts, state, player) {
  if (player.status !== "playing") return say(texts, `status_${player.status}`);
  if (player.shown) return say(texts, "status_shown");
  if (player.missed === 0) return null;
  const of = state.rules.max_missed_turns ?? 3;
  return say(texts, "status_missed", { missed: player.missed, of });
}

/**
 * The score or chips in a match of several deals.
 *
 * @param {Texts} texts
 * @param {TableState} state
 * @param {number} seat
 */
function holdingText(texts, state, seat) {
  const standing = standingOf(state, seat);
  if (standing === null) return null;
  if (matchOf(state)?.deals === null) return say(texts, "score_of", { points: standing.score });
  if (isPlayedForPoints(state.table)) return say(texts, "points", { points: standing.chips });
  return say(texts, "chips", { amount: formatNumber(standing.chips), count: standing.chips });
}

/**
 * The toss stays beside the players until the first card is drawn.
 *
 * @param {Texts} texts
 * @param {TableState} state
 * @param {number} seat
 * @param {number | null} wild
 */
function tossOf(texts, { game }, seat, wild) {
  if (game === null || game.toss === null || game.phase !== "turn") return null;
  if (game.discards.length > 0 || game.step !== "draw") return null;
  const card = game.toss.find((one) => one.seat === seat)?.card;
  return card === undefined ? null : { card, title: say(texts, "toss_card", { card: cardName(texts, card, wild) }) };
}

/**
 * The seats whose clocks run.
 *
 * @param {TableState} state
 * @returns {number[]}
 */
export function acting({ game }) {
  if (game === null) return [];
  if (game.phase === "turn") return game.turn === null ? [] : [game.turn];
  if (game.phase === "declare") return game.finish === null ? [] : [game.finish.seat];
  if (game.phase === "rejoin" || game.phase === "split") return game.match?.waiting ?? [];
  if (game.phase !== "show") return [];
  return Object.entries(game.players).flatMap(([seat, player]) =>
    player.status === "playing" && !player.shown && Number(seat) !== game.declaration?.seat
      ? [Number(seat)]
      : [],
  );
}

/**
 * "Deal 2 of 6", in a match of several deals.
 *
 * @param {Texts} texts
 * @param {TableState} state
 */
export function progressText(texts, state) {
  const match = matchOf(state);
  const { game } = state;
  if (match === null || game === null) return null;
  const { point_chips: stake = 1, stacks = [] } = state.rules;
  // R10.11: the stake of this round; a tie-breaker moves no chips.
  const counted = stacks.length > 0 ? "deal_staked" : "deal_of";
  const key = match.deals === null || game.deal > match.deals ? "deal_number" : counted;
  return say(texts, key, { deal: game.deal, deals: match.deals ?? 0, stake: formatNumber(stake), count: stake });
}

/**
 * The full length of the running turn, by the table's rules.
 *
 * @param {TableState} state
 * @returns {number} Milliseconds.
 */
export function windowMs({ game, rules }) {
  const window = game?.phase === "between" ? "break" : game?.phase;
  const seconds = /** @type {Record<string, any>} */ (rules)[`${window}_seconds`];
  return (seconds ?? rules.turn_seconds ?? 30) * 1000;
}
