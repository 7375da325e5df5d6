// The coach's advice to beginners of gin: from the state of the seat to the next thing to do. Nothing here
// decides whether a move is legal.

import { legalMove } from "../../../table/core/stakes.js";
import { say } from "../../rummy/core/advice.js";
import { proposal } from "./knocking.js";
import { countHand, looseIn, meldKind, meldsIn, valueOf } from "./melds.js";
import { mayDiscard } from "./permitted.js";
import { gameOf, isOwnClock, isPlaying, ownOf } from "./seen.js";

/** @typedef {import("../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("../../../table/core/protocol.js").Group} Group */
/** @typedef {import("../../../table/core/protocol.js").TableState} TableState */
/** @typedef {import("../../rummy/core/advice.js").Advice} Advice */

/** The goals of a first deal, in this order. */
export const GOALS = /** @type {const} */ (["draw", "discard", "arrange", "meld", "knock"]);
/** @typedef {typeof GOALS[number]} Goal */

/**
 * @typedef {object} Seen
 * @property {TableState} state
 * @property {readonly Group[]} groups
 * @property {number} rev The number of changes to the groups.
 */

/**
 * The goals reached so far.
 *
 * @param {Seen} seen
 * @returns {Goal[]}
 */
export function reached({ state, groups, rev }) {
  const game = gameOf(state);
  const { seat, drawn } = state.you;
  if (game === null || seat === null) return [];
  const hasDiscarded = game.discards.some(([by]) => by === seat);
  /** @type {Record<Goal, boolean>} */
  const done = {
    draw: drawn != null || hasDiscarded,
    discard: hasDiscarded,
    arrange: rev > 0,
    meld: groups.some((group) => meldKind(group) !== null),
    knock: game.knock?.seat === seat,
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
  if (game === null || state.you.seat === null) return say("wait");
  if (game.phase === "over") return theEnd(state);
  if (game.phase === "between") return say("dead");
  if (!isPlaying(state)) return say("out");
  if (game.phase === "defend") {
    return isOwnClock(state) ? say("defend", { actions: ["defend"] }) : say("answered");
  }
  if (!isOwnClock(state)) return waiting(seen);
  if (game.phase === "upcard" && game.step === "draw") return onTheUpcard(state);
  return game.step === "draw" ? drawing(state) : discarding(seen);
}

/** @param {TableState} state */
function theEnd(state) {
  const isOver = true;
  const result = gameOf(state)?.result ?? null;
  if (result === null || result.winner === null) return say("even", { isOver });
  if (result.winner === state.you.seat) return say("won", { isOver, points: result.points });
  return say("lost", { isOver, points: result.points });
}

/** @param {TableState} state */
function onTheUpcard(state) {
  const card = gameOf(state)?.upcard ?? "";
  const cards = [card];
  if (makesMeld(card, ownOf(state).hand ?? [])) return say("upcard_take", { cards, actions: ["take"] });
  return say("upcard_pass", { cards, actions: ["pass"] });
}

/** @param {TableState} state */
function drawing(state) {
  const game = gameOf(state);
  const open = game?.open_pile.at(-1);
  const mayTake = legalMove(state, "draw")?.source.includes("open") === true;
  if (mayTake && open !== undefined && makesMeld(open, ownOf(state).hand ?? [])) {
    return say("draw_open", { cards: [open], actions: ["draw-open"] });
  }
  return say(mayTake ? "draw" : "draw_closed", { actions: ["draw-closed"] });
}

/** @param {Seen} seen */
function discarding({ state, groups }) {
  if (legalMove(state, "knock")?.card.includes(null) === true) return say("big_gin", { actions: ["big-gin"] });
  const plan = proposal(state, groups, null);
  if (plan !== null) {
    const cards = plan.card === null ? [] : [plan.card];
    return say(plan.kind === "gin" ? "gin" : "knock", { cards, actions: ["knock"], points: plan.points });
  }
  const melded = hiddenMeld(state, groups);
  if (melded !== null) return say("meld_there", { cards: melded, actions: ["group"] });
  const card = dearest(state, groups);
  if (card === null) return say("best", { actions: ["best"] });
  return say("discard", { cards: [card], actions: ["discard"], points: valueOf(card) });
}

/** Advice while the opponent thinks. @param {Seen} seen */
function waiting({ state, groups }) {
  const melded = hiddenMeld(state, groups);
  if (melded !== null) return say("meld_there", { cards: melded, actions: ["group"] });
  return say("waiting", { points: ownOf(state).deadwood ?? countHand(groups).points });
}

/**
 * A meld of the best arrangement whose cards do not lie together yet.
 *
 * @param {TableState} state
 * @param {readonly Group[]} groups
 * @returns {readonly CardId[] | null}
 */
function hiddenMeld(state, groups) {
  const laid = new Set(meldsIn(groups).flat());
  const melds = ownOf(state).best_groups ?? [];
  return melds.find((meld) => meldKind(meld) !== null && !meld.some((card) => laid.has(card))) ?? null;
}

/**
 * The loose card that counts most among those that may be discarded.
 *
 * @param {TableState} state
 * @param {readonly Group[]} groups
 * @returns {CardId | null}
 */
function dearest(state, groups) {
  const melded = new Set((ownOf(state).best_groups ?? []).filter((meld) => meldKind(meld) !== null).flat());
  const loose = looseIn(groups).filter((card) => !melded.has(card) && mayDiscard(state, card));
  return loose.toSorted((a, b) => valueOf(b) - valueOf(a))[0] ?? null;
}

/**
 * Whether a card makes or extends a meld with two cards of a hand.
 *
 * @param {CardId} card
 * @param {readonly CardId[]} hand
 */
function makesMeld(card, hand) {
  return hand.some((one, index) => hand.slice(index + 1).some((other) => meldKind([card, one, other]) !== null));
}
