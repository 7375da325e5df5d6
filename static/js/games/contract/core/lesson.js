// The coach's advice to beginners of Contract Rummy: from the state of the seat to the next thing to do.
// Nothing here decides whether a move is legal.

import { isPrintedJoker, rankOf } from "../../../table/core/cards.js";
import { legalMove } from "../../../table/core/stakes.js";
import { say } from "../../rummy/core/advice.js";
import { layableOn } from "../../rummy/core/laid/finding.js";
import { atTurn, gameOf, isPlaying, ownOf, ownPlayer } from "../../rummy/core/laid/seen.js";
import { shapeOf, worthOf } from "./rules.js";

/** @typedef {import("../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("../../../table/core/protocol.js").TableState} TableState */
/** @typedef {import("../../rummy/core/advice.js").Advice} Advice */
/** @typedef {import("../../rummy/core/laid/melds.js").Reading} Reading */

/** The goals of a first deal, in this order. */
export const GOALS = /** @type {const} */ (["draw", "discard", "contract", "lay_off", "out"]);
/** @typedef {typeof GOALS[number]} Goal */

/**
 * @typedef {object} Seen
 * @property {TableState} state
 * @property {{lay: boolean, layOff: boolean}} may
 * @property {boolean} isAsked The player is asked whether to buy.
 * @property {Reading[] | null} contract The contract as it lies in groups.
 */

/**
 * The goals reached so far.
 *
 * @param {Seen} seen
 * @returns {Goal[]}
 */
export function reached({ state }) {
  const game = gameOf(state);
  const { seat, drawn } = state.you;
  if (game === null || seat === null) return [];
  const hasDiscarded = game.discards.some(([by]) => by === seat);
  const { minSet, minRun } = shapeOf(state);
  /** @type {Record<Goal, boolean>} */
  const done = {
    draw: drawn != null || hasDiscarded,
    discard: hasDiscarded,
    contract: ownPlayer(state)?.has_laid === true,
    lay_off: game.melds.some(
      ({ kind, by }) => by.includes(seat) && (by[0] !== seat || by.length > (kind === "set" ? minSet : minRun)),
    ),
    out: game.result?.winners.includes(seat) === true,
  };
  return GOALS.filter((goal) => done[goal]);
}

/**
 * @param {Seen} seen
 * @returns {Advice}
 */
export function advise(seen) {
  const { state, isAsked } = seen;
  const game = gameOf(state);
  const { seat } = state.you;
  if (game === null || seat === null) return say("wait");
  if (game.phase === "over") return theEnd(state);
  if (!isPlaying(state)) return say("out");
  if (isAsked) return asked(state);
  if (game.phase === "buy") return say("answered");
  if (!atTurn(state).includes(seat)) return waiting(state);
  return game.step === "draw" ? drawing(state) : laying(seen);
}

/** @param {TableState} state */
function theEnd(state) {
  const isOver = true;
  const result = gameOf(state)?.result ?? null;
  if (result?.winners.includes(Number(state.you.seat))) return say("won", { isOver });
  return say("lost", { isOver, points: result?.points[String(state.you.seat)] ?? 0 });
}

/** @param {TableState} state */
function waiting(state) {
  const { missing, count = 0 } = ownOf(state);
  return missing == null ? say("waiting_laid", { points: count }) : say("waiting", { points: missing });
}

/** @param {TableState} state */
function asked(state) {
  const card = gameOf(state)?.buying?.card ?? "";
  return isWanted(state, card)
    ? say("buy", { cards: [card], actions: ["buy"] })
    : say("pass", { cards: [card], actions: ["pass"] });
}

/** @param {TableState} state */
function drawing(state) {
  const open = gameOf(state)?.open_pile.at(-1);
  const mayTake = legalMove(state, "draw")?.source.includes("open") === true;
  if (mayTake && open !== undefined && isWanted(state, open)) {
    return say("draw_open", { cards: [open], actions: ["draw-open"] });
  }
  return say("draw", { actions: ["draw-closed"] });
}

/**
 * Before the contract: a joker, or a card of a rank that is held twice and not complete. After it: nothing.
 *
 * @param {TableState} state
 * @param {CardId} card
 */
function isWanted(state, card) {
  if (ownPlayer(state)?.has_laid === true) return false;
  const same = (ownOf(state).hand ?? []).filter((one) => rankOf(one) === rankOf(card));
  return isPrintedJoker(card) || same.length === 2;
}

/** @param {Seen} seen */
function laying({ state, may, contract }) {
  if (may.lay) return contract === null ? say("best", { actions: ["best"] }) : say("contract", { actions: ["lay"] });
  const { hand = [], missing } = ownOf(state);
  const onto = may.layOff ? layableOn(gameOf(state)?.melds ?? [], hand, shapeOf(state)) : null;
  if (onto !== null) return say("lay_off", { cards: [onto.card], actions: ["lay-off"], points: onto.meld + 1 });
  const card = spare(state);
  const cards = card === null ? [] : [card];
  const points = card === null ? 0 : worthOf(state, card);
  return say(missing == null ? "discard_laid" : "discard", { cards, actions: ["discard"], points });
}

/**
 * The card that counts most among those that may be discarded: no joker, and before the contract one that
 * goes with the fewest others.
 *
 * @param {TableState} state
 * @returns {CardId | null}
 */
function spare(state) {
  const { hand = [], missing } = ownOf(state);
  const cards = /** @type {CardId[]} */ (legalMove(state, "discard")?.card ?? []);
  const natural = cards.filter((card) => !isPrintedJoker(card));
  const beside = (/** @type {CardId} */ card) =>
    missing == null ? 0 : hand.filter((one) => rankOf(one) === rankOf(card)).length;
  const sorted = (natural.length > 0 ? natural : cards).toSorted(
    (a, b) => beside(a) - beside(b) || worthOf(state, b) - worthOf(state, a),
  );
  return sorted[0] ?? null;
}
