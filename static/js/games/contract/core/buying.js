// The open sale of a card (C7). Answers are secret until it is over, even from the player's own page, so
// the page remembers its own.

import { gameOf, ownOf } from "../../rummy/core/laid/seen.js";

/** @typedef {import("../../../table/core/protocol.js").TableState} TableState */

/**
 * The key of the open sale, null if there is none.
 *
 * @param {TableState} state
 */
export function windowOf({ game, table }) {
  const view = gameOf(/** @type {any} */ ({ game }));
  if (view?.phase !== "buy" || view.buying == null) return null;
  return [table.match, view.deal, view.turn_number, view.buying.card, view.buying.due_at].join();
}

/**
 * Whether this player has yet to answer.
 *
 * @param {TableState} state
 * @param {string | null} answered The sale that they have answered.
 */
export function isAsked(state, answered) {
  const open = windowOf(state);
  const { asked, answer } = ownOf(state);
  return open !== null && open !== answered && asked === true && answer == null;
}

/**
 * The seats whose clocks run during a sale: all that may buy, because answers are secret.
 *
 * @param {TableState} state
 * @param {string | null} answered
 * @returns {number[]}
 */
export function askedSeats(state, answered) {
  const seats = gameOf(state)?.buying?.seats ?? [];
  return seats.filter((seat) => seat !== state.you.seat || isAsked(state, answered));
}
