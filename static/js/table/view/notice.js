// One sentence about the connection, or about a table without a running deal.

import { clockText } from "../core/clock.js";
import { hostAwaited, isMatchTable, isPlayedFor } from "../core/stakes.js";
import { say } from "../core/say.js";
import { nextText } from "../core/next_deal.js";

/** @typedef {import("../core/game.js").TableGame} TableGame */
/** @typedef {import("../core/protocol.js").TableState} TableState */
/** @typedef {import("../core/tell.js").Texts} Texts */

/**
 * @param {Texts} texts
 * @param {"connecting" | "online" | "offline"} net
 * @param {boolean} isSynced
 */
export function statusFor(texts, net, isSynced) {
  if (net === "online") return say(texts, isSynced ? "net_online" : "net_syncing");
  return say(texts, net === "offline" ? "net_offline" : "net_connecting");
}

/**
 * @param {Texts} texts
 * @param {{state: TableState, now: number, moving: unknown}} seen
 * @param {TableGame} game
 * @returns {string}
 */
export function noticeFor(texts, { state, now, moving }, game) {
  if (state.table.out_of_order) return say(texts, "notice_out_of_order");
  if (moving !== null) return say(texts, "notice_sending");
  if (isPlayedFor(state)) return say(texts, "notice_played_for");
  return game.notice() ?? betweenMatches(texts, state, now);
}

/**
 * @param {Texts} texts
 * @param {TableState} state
 * @param {number} now
 */
function betweenMatches(texts, state, now) {
  const { table, you, seats } = state;
  if (table.due_at !== null) {
    const next = isMatchTable(table) ? "next_match" : "next_deal";
    const key = table.status === "starting" ? "notice_starting" : next;
    return say(texts, key, { time: clockText(table.due_at - now) });
  }
  if (table.event_url && table.status === "closed") return say(texts, "notice_event_over");
  if (table.status === "closed") return say(texts, "notice_closed");
  const host = hostAwaited(state);
  if (table.awaits_press) return nextText(texts, state, null, now);
  if (host !== null) {
    const key = host.seat === you.seat ? "notice_start" : "notice_host";
    return say(texts, key, { name: host.player?.name ?? "" });
  }
  if (you.seat === null && table.status === "playing" && table.watchers === false) return say(texts, "notice_hidden");
  if (you.seat === null && seats.some((seat) => seat.player === null)) return say(texts, "notice_sit");
  if (table.status === "waiting" && seats.some((seat) => seat.host)) {
    const here = seats.filter(({ player }) => player !== null).length;
    return say(texts, "notice_company", { here, seats: seats.length });
  }
  return say(texts, "notice_waiting");
}
