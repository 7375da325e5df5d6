// What a player can do after the result of a deal, and who plays the next match.

import { isMatchTable, missingStack, STACKS } from "./stakes.js";

/** @typedef {import("./protocol.js").TableState} TableState */
/** @typedef {import("./protocol.js").TableView} TableView */

/**
 * What a player who has no seat brings, as far as the purse goes; null if it has too little.
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
 * @typedef {object} WayOn What a player can do after the result of a deal.
 * @property {"go_on" | "again" | "wait" | "sit" | null} kind To wait for the next deal, to ask for the
 *   next match, to wait for it, to take a seat again; null: nothing at this table.
 * @property {boolean} isOver The match is over, so that leaving costs nothing.
 * @property {number | undefined} [bring] In the smallest unit of the currency; missing: the purse has too little.
 * @property {number | undefined} [seat] The one that this player had, or a free one.
 */

/**
 * @param {TableState} state
 * @param {number | null} purse What the player can bring to the table.
 * @param {number | null} [lastSeat] Where this player has sat.
 * @returns {WayOn}
 */
export function wayOn(state, purse, lastSeat = null) {
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
  if (!isOver || table.event_url) return { kind: "go_on", isOver };
  return own.again ? { kind: "wait", isOver } : { kind: "again", isOver, bring: missingStack(state, purse ?? Infinity) };
}

/**
 * The players of the last match who have asked for the next one, and those who have not yet.
 *
 * @param {TableState} state
 */
export function rematch({ seats, table }) {
  const staying = seats.filter(({ seat, player }) => player?.bot === false && String(seat) in (table.names ?? {}));
  const asked = staying.filter(({ again }) => again === true);
  return { asked, awaited: staying.filter((seat) => !asked.includes(seat)) };
}
