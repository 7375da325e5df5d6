// Basic rummy's melds and card points (B4, B12).

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
  aceHigh: rulesOf(state).ace === "both",
  repeats: false,
  wild: null,
  naturalsInSet: 3,
  naturalsInRun: 3,
});

/**
 * The others' losses, credited to the winner of the deal; equal winners share them (B13).
 *
 * @param {import("../../rummy/core/laid/seen.js").SheetLine} line
 * @param {number} seat
 * @returns {number | null} Null if this seat has not won.
 */
export function creditOf({ winners, points }, seat) {
  const place = winners.indexOf(seat);
  if (place < 0) return null;
  const gain = Object.values(points).reduce((sum, one) => sum + one, 0);
  return Math.floor(gain / winners.length) + (place < gain % winners.length ? 1 : 0);
}

/** @param {CardId} card */
export const worthOf = (card) => Math.min(rankOf(card), 10);
