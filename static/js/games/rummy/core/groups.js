// What may be done with the groups of a hand.

import { legalMove } from "../../../table/core/stakes.js";

/** @typedef {import("../../../table/core/protocol.js").TableState} TableState */

/**
 * Whether the server still takes groups of this player.
 *
 * @param {TableState} state
 */
export const mayArrange = (state) => legalMove(state, "arrange") !== null;
