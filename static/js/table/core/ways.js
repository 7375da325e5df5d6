// A player's options after the result of a deal, and the players of the next match.

import { isMatchTable, missingStack, STACKS } from "./stakes.js";

/** @typedef {import("./protocol.js").TableState} TableState */
/** @typedef {import("./protocol.js").TableView} TableView */

/**
 * The amount that a player without a seat brings, within the purse; null if it is too little.
 *
 * @param {TableView} table
 * @param {number | null} purse
 */
export function usualStack(table, purse) {
  const most = Math.min(purse ?? Infinity, table.max_buy_in ?? Infinity);
  if (most < table.min_buy_in) return null;
  return Math.min(isMatchTable(table) ? table.min_buy_in : table.min_buy_in * STACKS, most);
}

/**
 * @typedef {object} WayOn A player's option after the result of a deal.
 * @property {"go_on" | "again" | "start" | "wait" | "sit" | null} kind Wait for the next deal, ask for the
 * next match or deal, start it for all, wait for it, take a seat again; null for nothing at this table.
 * @property {boolean} isOver The match is over, so that leaving costs nothing.
 * @property {number | undefined} [bring] In the smallest unit of the currency; missing if the purse has too
 * little.
 * @property {number | undefined} [seat] This player's last seat, or a free one.
 */

/**
 * @param {TableState} state
 * @param {number | null} purse The amount that the player can bring to the table.
 * @param {number | null} [lastSeat] This player's last seat.
 * @param {boolean} [mayStart] Whether they may start the next match for all.
 * @returns {WayOn}
 */
export function wayOn(state, purse, lastSeat = null, mayStart = false) {
  const { table, you, seats, game } = state;
  const isOver = game === null || game.phase === "over";
  if (table.status === "closed") return { kind: null, isOver: true };
  const own = you.seat === null ? null : seats[you.seat];
  if (own == null) {
    const free = seats.filter(({ player }) => player === null).map(({ seat }) => seat);
    if (free.length === 0 || table.event_url) return { kind: null, isOver };
    const seat = lastSeat !== null && free.includes(lastSeat) ? lastSeat : free[0];
    return { kind: "sit", isOver, seat, bring: usualStack(table, purse) ?? undefined };
  }
  if (table.event_url || !(isOver || table.awaits_press)) return { kind: "go_on", isOver };
  const bring = missingStack(state, purse ?? Infinity);
  if (mayStart && (own.again || (own.host && bring === 0))) return { kind: "start", isOver };
  return { kind: own.again ? "wait" : "again", isOver, bring };
}

/**
 * The players of the last match who have asked for the next one, and those who have not yet.
 *
 * @param {TableState} state
 */
export function rematch({ seats, table }) {
  const staying = seats.filter(({ seat, player }) => player?.bot === false && String(seat) in (table.names ?? {}));
  return { asked: staying.filter(({ again }) => again), awaited: staying.filter(({ again }) => !again) };
}
