// The question whether one buys, while it is open (C7). Nobody is told of an answer before the window
// is over, the asked one neither: the page keeps its own.

import { gameOf, ownOf } from "../../rummy/core/laid/seen.js";

/** @typedef {import("../../../table/core/protocol.js").TableState} TableState */

/**
 * What tells one window from another; null: none is open.
 *
 * @param {TableState} state
 */
export function windowOf({ game, table }) {
  const view = gameOf(/** @type {any} */ ({ game }));
  if (view?.phase !== "buy" || view.buying == null) return null;
  return [table.match, view.deal, view.turn_number, view.buying.card, view.buying.due_at].join();
}

/**
 * Whether this player is still asked.
 *
 * @param {TableState} state
 * @param {string | null} answered The window that they have answered.
 */
export function isAsked(state, answered) {
  const open = windowOf(state);
  const { asked, answer } = ownOf(state);
  return open !== null && open !== answered && asked === true && answer == null;
}

/**
 * Whose clocks run while a card is offered: everybody's who may buy it, as who has answered is not told.
 *
 * @param {TableState} state
 * @param {string | null} answered
 * @returns {number[]}
 */
export function askedSeats(state, answered) {
  const seats = gameOf(state)?.buying?.seats ?? [];
  return seats.filter((seat) => seat !== state.you.seat || isAsked(state, answered));
}
