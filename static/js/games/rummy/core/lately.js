// A player's last discard.

import { say } from "../../../table/core/say.js";
import { cardName } from "../../../table/core/tell.js";

/** @typedef {import("../../../table/core/protocol.js").TableState} TableState */
/** @typedef {import("../../../table/core/tell.js").Texts} Texts */

/**
 * The card that this player discarded last, during the deal.
 *
 * @param {Texts} texts
 * @param {TableState} state
 * @param {number} seat
 * @param {number | null} wild
 */
export function lastDiscard(texts, { game, you }, seat, wild) {
  if (game === null || game.phase === "over" || seat === you.seat) return null;
  const card = game.discards.findLast(([by]) => by === seat)?.[1];
  return card === undefined ? null : { card, title: say(texts, "last_discard", { card: cardName(texts, card, wild) }) };
}
