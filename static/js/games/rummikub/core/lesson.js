// The coach's advice to beginners of Rummikub: from the player's view to the next thing to do. Nothing here
// decides whether a move is legal.

import { say } from "../../rummy/core/advice.js";
import { findAddition, findMelds, pointsOf } from "./finding.js";
import { gameOf, isOwnClock, isPlaying, ownOf, ownPlayer } from "./seen.js";

/** @typedef {import("../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("../../../table/core/protocol.js").TableState} TableState */
/** @typedef {import("../../rummy/core/advice.js").Advice} Advice */
/** @typedef {import("./board.js").Board} Board */
/** @typedef {import("./seen.js").SeenDraft} SeenDraft */

/** The goals of a first deal, in this order. */
export const GOALS = /** @type {const} */ (["draw", "meld", "open", "more"]);
/** @typedef {typeof GOALS[number]} Goal */

/**
 * @typedef {object} Seen
 * @property {TableState} state
 * @property {Board | null} board The table being built.
 * @property {SeenDraft | null} check The server's evaluation of it.
 * @property {readonly CardId[]} rack The tiles left on the rack.
 */

/**
 * The goals reached so far.
 *
 * @param {Seen} seen
 * @returns {Goal[]}
 */
export function reached({ state, check }) {
  const own = ownPlayer(state);
  if (own === null) return [];
  const isBuilt = check !== null && check.refusal === null;
  /** @type {Record<Goal, boolean>} */
  const done = {
    draw: (ownOf(state).drawn ?? []).length > 0,
    meld: own.opened || (check?.opening_points ?? 0) > 0,
    open: own.opened,
    more: own.opened && isBuilt,
  };
  return GOALS.filter((goal) => done[goal]);
}

/**
 * @param {Seen} seen
 * @returns {Advice}
 */
export function advise(seen) {
  const { state, board } = seen;
  const game = gameOf(state);
  if (game === null || state.you.seat === null) return say("wait");
  if (game.result !== null) return theEnd(state);
  if (!isPlaying(state)) return say("out");
  if (!isOwnClock(state)) return say("waiting");
  return board === null ? beginning(seen) : building(seen);
}

/** @param {TableState} state */
function theEnd(state) {
  const isOver = true;
  const result = gameOf(state)?.result;
  const seat = state.you.seat ?? -1;
  if (result?.winners.includes(seat) === true) return say("won", { isOver, points: result.points });
  const lost = result?.racks.find((rack) => rack.seat === seat)?.lost ?? 0;
  return say("lost", { isOver, points: lost });
}

/** Whether nothing has been moved in this turn. @param {Seen} seen */
function beginning({ state, rack }) {
  const game = gameOf(state);
  const melds = findMelds(rack);
  const [first = []] = melds;
  if (ownPlayer(state)?.opened !== true) {
    const points = pointsOf(melds.flat());
    if (points >= (game?.initial_meld ?? 0)) return newMeld("open", first, points);
    return drawing(state, "draw_first");
  }
  if (first.length > 0) return newMeld("meld", first, pointsOf(first));
  const addition = findAddition(rack, game?.table ?? []);
  if (addition !== null) {
    const places = [`[data-action="add"][data-meld="${addition.meld}"]`];
    return say("add", { cards: [addition.card], places, points: addition.meld + 1 });
  }
  return drawing(state, "draw");
}

/**
 * @param {string} key
 * @param {readonly CardId[]} cards
 * @param {number} points
 */
const newMeld = (key, cards, points) => say(key, { cards, actions: ["new-meld"], points });

/**
 * @param {TableState} state
 * @param {string} key
 */
function drawing(state, key) {
  return gameOf(state)?.pool_count === 0 ? say("pass", { actions: ["pass"] }) : say(key, { actions: ["draw"] });
}

/** @param {Seen} seen */
function building({ check, rack }) {
  if (check === null) return say("checking");
  if (check.refusal === null) return say("lay", { actions: ["lay"], points: check.tiles });
  if (check.refusal === "below_initial_meld") {
    const [next = []] = findMelds(rack);
    if (next.length > 0) return newMeld("more", next, check.opening_points);
    return say("short", { actions: ["reset"], points: check.opening_points });
  }
  return say("not_valid", { actions: ["undo"] });
}
