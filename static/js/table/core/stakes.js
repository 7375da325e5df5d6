// What is played for, and what the server says may be played.

/** @typedef {import("./protocol.js").TableState} TableState */
/** @typedef {import("./protocol.js").TableView} TableView */

/**
 * A match for an entry fee; otherwise each point is money.
 *
 * @param {TableView} table
 */
export const isMatchTable = (table) => table.stake === "entry_fee";

/**
 * What is to be won, in the smallest unit of the currency.
 *
 * @param {TableView} table
 */
export const prizeOf = (table) => table.pot?.net ?? 0;

/**
 * What the server says of a kind of move that may be played now; null if it may not.
 *
 * @param {TableState} state
 * @param {string} kind
 */
export const legalMove = ({ you }, kind) => you.legal?.find((entry) => entry.kind === kind) ?? null;
