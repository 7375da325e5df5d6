// The coach's advice to beginners of 500 Rum: from the state of the seat to the next thing to do. Nothing
// here decides whether a move is legal.

import { rankOf, suitOf } from "../../../table/core/cards.js";
import { legalMove } from "../../../table/core/stakes.js";
import { say } from "../../rummy/core/advice.js";
import { findMeld, layableOn } from "../../rummy/core/laid/finding.js";
import { atTurn, gameOf, isPlaying, ownOf } from "../../rummy/core/laid/seen.js";
import { readMeld } from "../../rummy/core/laid/melds.js";
import { shapeOf, worthOf } from "./rules.js";

/** @typedef {import("../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("../../../table/core/protocol.js").TableState} TableState */
/** @typedef {import("../../rummy/core/advice.js").Advice} Advice */

/** The goals of a first deal, in this order. */
export const GOALS = /** @type {const} */ (["draw", "discard", "meld", "take", "lay_off"]);
/** @typedef {typeof GOALS[number]} Goal */

/**
 * @typedef {object} Seen
 * @property {TableState} state
 * @property {{lay: boolean, layOff: boolean}} may
 * @property {readonly CardId[]} takeable
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
  /** @type {Record<Goal, boolean>} */
  const done = {
    draw: drawn != null || hasDiscarded,
    discard: hasDiscarded,
    meld: game.melds.some(({ by }) => by[0] === seat),
    lay_off: game.melds.some(({ by }) => by.includes(seat) && (by[0] !== seat || by.length > 3)),
    take: (game.taken[String(seat)] ?? []).length > 0,
  };
  return GOALS.filter((goal) => done[goal]);
}

/**
 * @param {Seen} seen
 * @returns {Advice}
 */
export function advise(seen) {
  const { state } = seen;
  const game = gameOf(state);
  const { seat } = state.you;
  if (game === null || seat === null) return say("wait");
  if (game.phase === "over") return theEnd(state);
  if (!isPlaying(state)) return say("out");
  if (!atTurn(state).includes(seat)) return say("waiting", { points: ownOf(state).count ?? 0 });
  return game.step === "draw" ? drawing(seen) : laying(seen);
}

/** @param {TableState} state */
function theEnd(state) {
  const isOver = true;
  const result = gameOf(state)?.result ?? null;
  const points = result?.points[String(state.you.seat)] ?? 0;
  if (result?.winners.includes(Number(state.you.seat))) return say("won", { isOver });
  return say("lost", { isOver, points });
}

/** @param {Seen} seen */
function drawing({ state, takeable }) {
  const shown = gameOf(state)?.open_pile ?? [];
  // The fewer cards lie above it, the easier it is to use.
  const card = shown.findLast((one) => takeable.includes(one));
  if (card === undefined) return say("draw", { actions: ["draw-closed"] });
  // The top card lies on the pile, those below it are spread out.
  const where = card === shown.at(-1) ? { actions: ["draw-open"] } : { places: [`[data-take="${card}"]`] };
  return say("take", { cards: [card], ...where });
}

/** @param {Seen} seen */
function laying({ state, may }) {
  const hand = ownOf(state).hand ?? [];
  const shape = shapeOf(state);
  const game = gameOf(state);
  const due = game?.must_use ?? null;
  const onto = may.layOff ? layableOn(game?.melds ?? [], due === null ? hand : [due], shape) : null;
  const meld = may.lay && (due === null || onto === null) ? meldWith(due, hand, state) : null;
  if (meld !== null) return say("meld", { cards: meld, actions: ["lay"] });
  if (onto !== null) return say("lay_off", { cards: [onto.card], actions: ["lay-off"], points: onto.meld + 1 });
  const card = lonely(state);
  return say("discard", { cards: card === null ? [] : [card], actions: ["discard"] });
}

/**
 * The hand's most valuable meld; for a card that must be laid, three cards including it.
 *
 * @param {CardId | null} due
 * @param {readonly CardId[]} hand
 * @param {TableState} state
 * @returns {CardId[] | null}
 */
function meldWith(due, hand, state) {
  const shape = shapeOf(state);
  if (due === null) return findMeld(hand, shape, (card) => worthOf(state, card));
  const pairs = hand.flatMap((one, index) => hand.slice(index + 1).map((other) => [due, one, other]));
  return pairs.find((cards) => readMeld(cards, shape) !== null) ?? null;
}

/**
 * The card that goes with the fewest others; among equals the one that counts most.
 *
 * @param {TableState} state
 * @returns {CardId | null}
 */
function lonely(state) {
  const cards = /** @type {CardId[]} */ (legalMove(state, "discard")?.card ?? []);
  const hand = ownOf(state).hand ?? [];
  const links = (/** @type {CardId} */ card) =>
    hand.filter((other) => {
      if (other === card) return false;
      const isNear = suitOf(other) === suitOf(card) && Math.abs(rankOf(other) - rankOf(card)) <= 2;
      return isNear || rankOf(other) === rankOf(card);
    }).length;
  return cards.toSorted((a, b) => links(a) - links(b) || worthOf(state, b) - worthOf(state, a))[0] ?? null;
}
