// What comes after a deal, in this match or the next.

import { nextText } from "../../../table/core/next_deal.js";

/**
 * When the next deal or match begins, or who begins it; empty during a deal.
 *
 * @param {import("../../../table/core/tell.js").Texts} texts
 * @param {import("../../../table/core/protocol.js").TableState} state
 * @param {number} now
 */
export function nextDealText(texts, state, now) {
  const { game, table } = state;
  if (game?.phase === "between") return nextText(texts, state, game.due_at, now);
  return game?.phase === "over" ? nextText(texts, state, table.due_at, now) : "";
}
