// The moves that the server permits the player now.

import { legalMove } from "../../../table/core/stakes.js";
import { knockCards } from "./knocking.js";
import { isPlaying } from "./seen.js";

/** @typedef {import("../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("../../../table/core/protocol.js").TableState} TableState */

/**
 * @param {TableState} state
 * @param {boolean} ready Connected, with no pending move.
 */
export function permitted(state, ready) {
  const may = (/** @type {string} */ kind) => (ready && isPlaying(state) ? legalMove(state, kind) : null);
  const sources = may("draw")?.source ?? [];
  const knocks = may("knock") === null ? [] : knockCards(state);
  return {
    drawClosed: sources.includes("closed"),
    drawOpen: sources.includes("open"),
    pass: may("pass") !== null,
    discard: may("discard") !== null,
    knock: knocks.some((card) => card !== null),
    bigGin: knocks.includes(null),
    defend: may("defend") !== null,
  };
}

/** @typedef {ReturnType<typeof permitted>} Permitted */

/**
 * @param {TableState} state
 * @param {CardId} card
 */
export const mayDiscard = (state, card) => legalMove(state, "discard")?.card.includes(card) === true;
