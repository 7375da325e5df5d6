// 500 Rum's melds and card points (F4, F10).

import { rankOf } from "../../../table/core/cards.js";
import { rulesOf } from "../../rummy/core/laid/seen.js";

/** @typedef {import("../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("../../../table/core/protocol.js").TableState} TableState */
/** @typedef {import("../../rummy/core/laid/melds.js").Shape} Shape */

/**
 * @param {TableState} state
 * @returns {Shape}
 */
export const shapeOf = (state) => ({
  minSet: 3,
  minRun: 3,
  run: "sequence",
  aceHigh: true,
  repeats: rulesOf(state).repeated_suits === true,
  wild: null,
  naturalsInSet: 3,
  naturalsInRun: 3,
});

/**
 * The points of a card in hand.
 *
 * @param {TableState} state
 * @param {CardId} card
 */
export function worthOf(state, card) {
  const rank = rankOf(card);
  const rules = rulesOf(state);
  if (rank === 1) return rules.ace_points ?? 15;
  return rules.number_points === "five" && rank < 10 ? 5 : Math.min(rank, 10);
}
