// The coach's advice to beginners of basic rummy: from the state of the seat to the next thing to do.
// Nothing here decides whether a move is legal.

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
export const GOALS = /** @type {const} */ (["draw", "discard", "meld", "lay_off", "out"]);
/** @typedef {typeof GOALS[number]} Goal */

/**
 * @typedef {object} Seen
 * @property {TableState} state
 * @property {{lay: boolean, layOff: boolean}} may
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
    out: game.result?.winners.includes(seat) === true,
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
  return game.step === "draw" ? drawing(state) : laying(seen);
}

/** @param {TableState} state */
function theEnd(state) {
  const isOver = true;
  const result = gameOf(state)?.result ?? null;
  const points = result?.points[String(state.you.seat)] ?? 0;
  if (result?.winners.includes(Number(state.you.seat))) return say("won", { isOver });
  return say("lost", { isOver, points });
}

/** @param {TableState} state */
function drawing(state) {
  const open = gameOf(state)?.open_pile.at(-1);
  const mayTake = legalMove(state, "draw")?.source.includes("open") === true;
  if (mayTake && open !== undefined && isUseful(state, open)) {
    return say("draw_open", { cards: [open], actions: ["draw-open"] });
  }
  return say("draw", { actions: ["draw-closed"] });
}

/**
 * Whether a card makes a meld with cards of the hand, or can be laid off on the table.
 *
 * @param {TableState} state
 * @param {CardId} card
 */
function isUseful(state, card) {
  const hand = ownOf(state).hand ?? [];
  const shape = shapeOf(state);
  const pairs = hand.flatMap((one, index) => hand.slice(index + 1).map((other) => [card, one, other]));
  return pairs.some((cards) => readMeld(cards, shape) !== null);
}

/** @param {Seen} seen */
function laying({ state, may }) {
  const hand = ownOf(state).hand ?? [];
  const shape = shapeOf(state);
  const melds = gameOf(state)?.melds ?? [];
  const meld = may.lay ? findMeld(hand, shape, worthOf) : null;
  if (meld !== null) return say("meld", { cards: meld, actions: ["lay"] });
  const onto = may.layOff ? layableOn(melds, hand, shape) : null;
  if (onto !== null) return say("lay_off", { cards: [onto.card], actions: ["lay-off"], points: onto.meld + 1 });
  const card = dearest(state);
  return say("discard", { cards: card === null ? [] : [card], actions: ["discard"], points: card === null ? 0 : worthOf(card) });
}

/**
 * The card that counts most among those that may be discarded.
 *
 * @param {TableState} state
 * @returns {CardId | null}
 */
function dearest(state) {
  const cards = /** @type {CardId[]} */ (legalMove(state, "discard")?.card ?? []);
  return cards.toSorted((a, b) => worthOf(b) - worthOf(a))[0] ?? null;
}
