// Contract Rummy's melds and card points (C3, C4, C15).

import { isPrintedJoker, rankOf } from "../../../table/core/cards.js";
import { rulesOf } from "../../rummy/core/laid/seen.js";

/** @typedef {import("../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("../../../table/core/protocol.js").TableState} TableState */
/** @typedef {import("../../rummy/core/laid/melds.js").Shape} Shape */

/**
 * The rank that is wild besides jokers (C1).
 *
 * @param {TableState} state
 */
export const wildOf = (state) => (rulesOf(state).deuces_wild === true ? 2 : null);

/**
 * @param {TableState} state
 * @returns {Shape}
 */
export function shapeOf(state) {
  const rules = rulesOf(state);
  return {
    minSet: rules.min_set ?? 3,
    minRun: rules.min_run ?? 4,
    run: "run",
    aceHigh: true,
    repeats: true,
    wild: wildOf(state),
    naturalsInSet: rules.min_naturals_set ?? 1,
    naturalsInRun: rules.min_naturals_run ?? 2,
  };
}

/**
 * @param {TableState} state
 * @param {CardId} card
 */
export function worthOf(state, card) {
  const rules = rulesOf(state);
  const rank = rankOf(card);
  if (isPrintedJoker(card) || rank === wildOf(state)) return rules.joker_points ?? 25;
  if (rank === 1) return rules.ace_points ?? 15;
  return rules.number_points === "five" && rank <= 10 ? 5 : Math.min(rank, 10);
}
