// What comes after a result: the next deal or match, at its time or at somebody's request.

import { clockText } from "./clock.js";
import { say } from "./say.js";
import { hostAwaited, isMatchTable } from "./stakes.js";

/** @typedef {import("./protocol.js").TableState} TableState */

/**
 * When the next deal or match begins, or who begins it; empty during a deal.
 *
 * @param {import("./say.js").Texts} texts
 * @param {TableState} state
 * @param {number} now
 */
export function nextDealText(texts, state, now) {
  const { game, table, you } = state;
  if (game?.phase !== "between" && game?.phase !== "over") return "";
  const host = hostAwaited(state);
  if (host !== null) return say(texts, host.seat === you.seat ? "next_start" : "next_host", { name: host.player?.name ?? "" });
  if (table.awaits_press) return say(texts, "next_asked");
  const due = game.phase === "between" ? game.due_at : table.due_at;
  const key = isMatchTable(table) && game.phase === "over" ? "next_match" : "next_deal";
  return due === null ? "" : say(texts, key, { time: clockText(due - now) });
}
