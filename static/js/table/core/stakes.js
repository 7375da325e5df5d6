// What is played for, and what the server says may be played.

import { isLong } from "./clock.js";

/** @typedef {import("./protocol.js").TableState} TableState */
/** @typedef {import("./protocol.js").TableView} TableView */

/**
 * A match for an entry fee; otherwise each point is money.
 *
 * @param {TableView} table
 */
export const isMatchTable = (table) => table.stake === "entry_fee";

/**
 * Nothing is at stake: neither at a free table nor at that of an event.
 *
 * @param {TableView} table
 */
export const isFree = (table) => table.point_value === 0 && (table.entry_fee ?? 0) === 0;

/**
 * A turn takes hours: nobody sits there and waits.
 *
 * @param {TableState} state
 */
export const isSlow = ({ rules }) => isLong((rules?.turn_seconds ?? 0) * 1000);

/**
 * What is to be won, in the smallest unit of the currency.
 *
 * @param {TableView} table
 */
export const prizeOf = (table) => table.pot?.net ?? 0;

/**
 * The host of a private table whose first match waits for them, with two players there or bots to fill up; null if
 * nothing waits for a host.
 *
 * @param {TableState} state
 */
export function hostAwaited({ table, seats }) {
  const host = seats.find((seat) => seat.host) ?? null;
  const seated = seats.filter(({ player }) => player !== null).length;
  return table.status === "waiting" && (seated > 1 || table.fills) ? host : null;
}

/**
 * Whether a bot plays for this player, who may take the seat back.
 *
 * @param {TableState} state
 */
export const isPlayedFor = ({ seats, you }) => you.seat !== null && seats[you.seat]?.stand_in === true;

/**
 * What the server says of a kind of move that may be played now; null if it may not.
 *
 * @param {TableState} state
 * @param {string} kind
 */
export const legalMove = ({ you }, kind) => you.legal?.find((entry) => entry.kind === kind) ?? null;

/** A stack for points should last a few deals; an entry fee is what it is. */
const STACKS = 3;

/**
 * What this player's stack wants before the next match, as far as the purse goes, in the smallest
 * unit of the currency; never less than the table asks for.
 *
 * @param {TableState} state
 * @param {number} purse
 */
export function missingStack({ table, seats, game, you }, purse) {
  const own = you.seat === null ? null : seats[you.seat];
  const isRunning = game !== null && game.phase !== "over" && own?.state !== "waiting";
  if (own == null || isRunning || own.state === "leaving" || own.stack >= table.min_buy_in) return 0;
  const wanted = isMatchTable(table) ? table.min_buy_in : table.min_buy_in * STACKS;
  const most = Math.min(wanted, table.max_buy_in ?? wanted, own.stack + purse);
  return Math.max(most, table.min_buy_in) - own.stack;
}

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
