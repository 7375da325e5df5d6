// What comes after a result: the next deal or match, at its time or at somebody's request.

import { clockText } from "./clock.js";
import { say } from "./say.js";
import { hostAwaited, isMatchTable } from "./stakes.js";

/**
 * When the next deal or match begins, or who begins it; empty without a time.
 *
 * @param {import("./say.js").Texts} texts
 * @param {import("./protocol.js").TableState} state
 * @param {number | null} due
 * @param {number} now
 */
export function nextText(texts, state, due, now) {
  const { game, table, you } = state;
  const host = hostAwaited(state);
  if (host !== null) return say(texts, host.seat === you.seat ? "next_start" : "next_host", { name: host.player?.name ?? "" });
  if (table.awaits_press) return say(texts, "next_asked");
  const key = isMatchTable(table) && game?.phase === "over" ? "next_match" : "next_deal";
  return due === null ? "" : say(texts, key, { time: clockText(due - now) });
}
