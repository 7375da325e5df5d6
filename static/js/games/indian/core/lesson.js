// The coach's advice to beginners: from the state of the seat to the next thing to do. Nothing here decides
// whether a move is legal.

import { bySuitAndRank, cardPoints, isJoker, isPrintedJoker, rankOf, suitOf } from "../../../table/core/cards.js";
import { withoutCard } from "../../../table/core/hand.js";
import { say } from "../../rummy/core/advice.js";
import { countHand, declarationFlaw, HAND_SIZE, meldKind } from "./meld.js";
import { isPlaying, mayDiscard, owesShow } from "./permitted.js";

/** @typedef {import("../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("../../../table/core/protocol.js").Group} Group */
/** @typedef {import("../../../table/core/protocol.js").TableState} TableState */
/** @typedef {import("../../rummy/core/advice.js").Advice} Advice */

/** The goals of a first deal, in this order. */
export const GOALS = /** @type {const} */ (["draw", "pure", "arrange", "discard", "declare"]);
/** @typedef {typeof GOALS[number]} Goal */

/** Which step each advice belongs to: what the coach says and the step that stands out agree.
 * @type {Readonly<Record<string, Goal>>} */
export const GOAL_OF = {
  draw: "draw",
  draw_open: "draw",
  pure_there: "pure",
  pure_missing: "pure",
  meld_there: "arrange",
  fits: "arrange",
  second_missing: "arrange",
  rest: "arrange",
  best: "arrange",
  discard: "discard",
  finish: "declare",
  ready: "declare",
  lay_out: "declare",
  declare: "declare",
};

/**
 * @typedef {object} Seen
 * @property {TableState} state
 * @property {readonly Group[]} groups
 * @property {number | null} wild
 * @property {number} rev The number of changes to the groups.
 */

const MIN_RUN = 3;
const ACE_HIGH = 14;

/**
 * The goals reached so far.
 *
 * @param {Seen} seen
 * @returns {Goal[]}
 */
export function reached({ state, groups, wild, rev }) {
  const { game, you } = state;
  if (game === null || you.seat === null) return [];
  const { kinds } = countHand(groups, wild, state.rules);
  const hasDiscarded = game.discards.some(([seat]) => seat === you.seat);
  /** @type {Record<Goal, boolean>} */
  const done = {
    draw: you.drawn != null || hasDiscarded || game.finish?.seat === you.seat,
    arrange: rev > 0,
    pure: kinds.includes("pure_sequence"),
    discard: hasDiscarded,
    declare: game.declaration?.seat === you.seat && game.declaration.valid,
  };
  return GOALS.filter((goal) => done[goal]);
}

/**
 * @param {Seen} seen
 * @returns {Advice}
 */
export function advise(seen) {
  const advice = next(seen);
  return { ...advice, goal: GOAL_OF[advice.key] ?? null };
}

/** @param {Seen} seen */
function next(seen) {
  const { state } = seen;
  const { game, you } = state;
  if (game === null || you.seat === null) return say("wait");
  if (game.phase === "over") return theEnd(state, you.seat);
  if (!isPlaying(state)) return say(whyOut(state));
  if (game.phase === "declare") return inDeclaring(seen);
  if (game.phase === "show") return say(owesShow(state) ? "show" : "declared", { actions: ["show"] });
  if (game.turn !== you.seat) return arranging(seen);
  return game.step === "draw" ? drawing(seen) : discarding(seen);
}

/**
 * @param {TableState} state
 * @param {number} seat
 */
function theEnd({ game }, seat) {
  const isOver = true;
  if (game?.result?.winners.includes(seat)) return say("won", { isOver });
  const own = game?.players[String(seat)];
  if (own?.status === "dropped") return say("dropped", { isOver, points: own.points ?? 0 });
  return say("lost", { isOver });
}

/** @param {TableState} state */
function whyOut({ game, you }) {
  if (game?.declaration?.seat !== you.seat) return "out";
  return game?.declaration?.valid === true ? "declared" : "wrong";
}

/** @param {Seen} seen */
function inDeclaring({ state, groups, wild }) {
  if (state.game?.finish?.seat !== state.you.seat) return say("other_declares");
  const isRight = declarationFlaw(groups, wild, state.rules) === null;
  return say(isRight ? "declare" : "lay_out", { actions: [isRight ? "declare" : "best"] });
}

/** @param {Seen} seen */
function drawing({ state, groups, wild }) {
  const open = state.game?.open_pile.at(-1);
  if (open !== undefined && state.game?.open_drawable === true && helps(open, groups, wild)) {
    return say("draw_open", { cards: [open], actions: ["draw-open"] });
  }
  return say("draw", { actions: ["draw-closed"] });
}

/** @param {Seen} seen */
function discarding(seen) {
  const { state, groups, wild } = seen;
  const finish = finishCard(seen);
  if (finish !== null) return say("finish", { cards: [finish], actions: ["finish"] });
  const run = hiddenRun(groups, wild);
  if (run !== null) return say("pure_there", { cards: run, actions: ["group"] });
  const { kinds } = countHand(groups, wild, state.rules);
  const loose = groups.flatMap((group, index) => (kinds[index] === null ? group : []));
  const meld = hiddenMeld(loose, kinds, wild);
  if (meld !== null) return say("meld_there", { cards: meld, actions: ["group"] });
  const fitting = fittingCard(groups, kinds, wild);
  if (fitting !== null) return say("fits", { cards: [fitting], actions: ["best"] });
  const card = dearest(loose.filter((one) => mayDiscard(state, one)), wild);
  if (card === null) return say("best", { actions: ["best"] });
  return say("discard", { cards: [card], actions: ["discard"], points: cardPoints(card, wild) });
}

/** Advice while another player thinks. @param {Seen} seen */
function arranging({ state, groups, wild }) {
  const run = hiddenRun(groups, wild);
  if (run !== null) return say("pure_there", { cards: run, actions: ["group"] });
  const { kinds, points } = countHand(groups, wild, state.rules);
  if (!kinds.includes("pure_sequence")) return say("pure_missing");
  const sequences = kinds.filter((kind) => kind === "pure_sequence" || kind === "sequence").length;
  if (sequences < 2) return say("second_missing", { actions: ["best"] });
  return points > 0 ? say("rest", { actions: ["best"], points }) : say("ready");
}

/**
 * A card without which the other thirteen can be declared as they lie.
 *
 * @param {Seen} seen
 * @returns {CardId | null}
 */
function finishCard({ state, groups, wild }) {
  const cards = groups.flat();
  if (cards.length !== HAND_SIZE + 1) return null;
  const rules = state.rules;
  return cards.find((card) => declarationFlaw(withoutCard(groups, card), wild, rules) === null) ?? null;
}

/**
 * Three or more consecutive cards of a suit outside of a pure sequence, while there is none.
 *
 * @param {readonly Group[]} groups
 * @param {number | null} wild
 * @returns {CardId[] | null}
 */
export function hiddenRun(groups, wild) {
  if (groups.some((group) => meldKind(group, wild) === "pure_sequence")) return null;
  const naturals = groups.flat().filter((card) => !isPrintedJoker(card));
  /** @type {CardId[]} */
  let longest = [];
  for (const suit of new Set(naturals.map(suitOf))) {
    const run = longestRun(naturals.filter((card) => suitOf(card) === suit));
    if (run.length > longest.length) longest = run;
  }
  return longest.length >= MIN_RUN ? longest : null;
}

/**
 * Three loose cards that make a meld of a kind that is still useful: a sequence first, and one without a
 * joker before one with it.
 *
 * @param {readonly CardId[]} loose
 * @param {readonly (string | null)[]} kinds Of the existing groups.
 * @param {number | null} wild
 * @returns {CardId[] | null}
 */
export function hiddenMeld(loose, kinds, wild) {
  const sequences = kinds.filter((kind) => kind === "pure_sequence" || kind === "sequence").length;
  /** @type {Map<string, CardId[]>} */
  const first = new Map();
  for (const meld of threes(loose)) {
    const kind = meldKind(meld, wild);
    if (kind === null) continue;
    const jokers = meld.filter((card) => isJoker(card, wild)).length;
    const name = `${kind} ${jokers}`;
    if (jokers < 2 && !first.has(name)) first.set(name, meld);
  }
  const inOrder = ["pure_sequence 0", "set 0", "sequence 1", ...(sequences < 2 ? [] : ["set 1"])];
  for (const name of inOrder) {
    const meld = first.get(name);
    if (meld !== undefined) return meld;
  }
  return null;
}

/** @param {readonly CardId[]} cards */
function* threes(cards) {
  for (let i = 0; i < cards.length; i += 1) {
    for (let j = i + 1; j < cards.length; j += 1) {
      for (let k = j + 1; k < cards.length; k += 1) {
        yield /** @type {CardId[]} */ ([cards[i], cards[j], cards[k]]);
      }
    }
  }
}

/**
 * A loose natural card that extends an existing meld.
 *
 * @param {readonly Group[]} groups
 * @param {readonly (string | null)[]} kinds
 * @param {number | null} wild
 * @returns {CardId | null}
 */
function fittingCard(groups, kinds, wild) {
  const loose = groups.flatMap((group, index) => (kinds[index] === null ? group : []));
  if (loose.length < 2) return null; // the last one is to go
  const melds = groups.filter((_group, index) => kinds[index] !== null);
  const fits = (/** @type {CardId} */ card) => melds.some((meld) => meldKind([...meld, card], wild) !== null);
  return loose.find((card) => !isJoker(card, wild) && fits(card)) ?? null;
}

/**
 * @param {readonly CardId[]} cards Of one suit.
 * @returns {CardId[]}
 */
function longestRun(cards) {
  /** @type {Map<number, CardId>} */
  const byRank = new Map();
  for (const card of cards.toSorted(bySuitAndRank)) byRank.set(rankOf(card), card);
  const ace = byRank.get(1);
  if (ace !== undefined) byRank.set(ACE_HIGH, ace);
  /** @type {CardId[]} */
  let longest = [];
  /** @type {CardId[]} */
  let run = [];
  for (let rank = 1; rank <= ACE_HIGH; rank += 1) {
    const card = byRank.get(rank);
    run = card === undefined || run.includes(card) ? [] : [...run, card];
    if (run.length > longest.length) longest = run;
  }
  return longest;
}

/**
 * Whether a card turns a group into a meld, or extends one.
 *
 * @param {CardId} card
 * @param {readonly Group[]} groups
 * @param {number | null} wild
 */
function helps(card, groups, wild) {
  if (isJoker(card, wild)) return true;
  const hand = groups.flat();
  const suit = hand.filter((other) => suitOf(other) === suitOf(card));
  const run = longestRun([...suit, card]);
  const makesRun = run.includes(card) && run.length >= MIN_RUN;
  return makesRun || groups.some((group) => meldKind([...group, card], wild) !== null);
}

/**
 * @param {readonly CardId[]} cards
 * @param {number | null} wild
 * @returns {CardId | null}
 */
function dearest(cards, wild) {
  const naturals = cards.filter((card) => !isJoker(card, wild));
  const sorted = naturals.toSorted((a, b) => cardPoints(b, wild) - cardPoints(a, wild));
  return sorted[0] ?? null;
}
