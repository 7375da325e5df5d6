// The stakes, and the moves that the server permits.

/** @typedef {import("./protocol.js").TableState} TableState */
/** @typedef {import("./protocol.js").TableView} TableView */

/**
 * Whether the match is for an entry fee; otherwise each point is paid.
 *
 * @param {TableView} table
 */
export const isMatchTable = (table) => table.stake === "entry_fee";

/**
 * Whether nothing is at stake, as at a free table or an event's.
 *
 * @param {TableView} table
 */
export const isFree = (table) => table.point_value === 0 && (table.entry_fee ?? 0) === 0;

/**
 * Whether a match counts points without any chips: nothing is at stake, and it is no tournament's.
 *
 * @param {TableView} table
 */
export const isPlayedForPoints = (table) => isFree(table) && !table.event_url;

/**
 * The prize, in the smallest unit of the currency.
 *
 * @param {TableView} table
 */
export const prizeOf = (table) => table.pot?.net ?? 0;

/**
 * The host of a private table whose next match they can start, with two players there or bots to fill up;
 * null if nothing waits for a host.
 *
 * @param {TableState} state
 */
export function hostAwaited({ table, seats }) {
  const host = seats.find((seat) => seat.host) ?? null;
  const seated = seats.filter(({ player }) => player !== null).length;
  if (table.awaits_press) return table.status === "playing" ? null : host;
  return table.status === "waiting" && (seated > 1 || table.fills) ? host : null;
}

/** Nobody is known to be away. */
export const EVERYBODY = { seats: [0, 1, 2, 3, 4, 5, 6, 7] };

/**
 * Whether this player may start the match that waits for its host: the host, or anybody while the host has no
 * page open. At a slow table anybody starts the first match, and the last answer any other.
 *
 * @param {TableState} state
 * @param {import("./protocol.js").Here | null} here Null where everybody may be away.
 */
export function mayStart(state, here) {
  const host = hostAwaited(state);
  if (host === null || state.you.seat === null) return false;
  if (here === null) return state.table.status === "waiting";
  if (host.seat === state.you.seat) return true;
  return !here.seats.includes(host.seat) && here.elsewhere?.includes(host.seat) !== true;
}

/**
 * Whether a bot plays for this player, who may take the seat back.
 *
 * @param {TableState} state
 */
export const isPlayedFor = ({ seats, you }) => you.seat !== null && seats[you.seat]?.stand_in === true;

/**
 * The server's entry for a kind of move; null if it is not legal.
 *
 * @param {TableState} state
 * @param {string} kind
 */
export const legalMove = ({ you }, kind) => you.legal?.find((entry) => entry.kind === kind) ?? null;

/** A stack for points should last a few deals; an entry fee is fixed. */
export const STACKS = 3;

/**
 * The amount to add to this player's stack before the next match, within the purse, in the smallest unit of
 * the currency; at least what the table requires.
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
