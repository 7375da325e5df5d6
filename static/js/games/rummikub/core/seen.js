// The views of a deal of Rummikub (docs/games/rummikub.md).

/** @typedef {import("../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("../../../table/core/protocol.js").TableState} TableState */

/** @typedef {{cards: CardId[], as: string[], kind: string | null, points: number}} SeenMeld */
/** @typedef {{status: string, tiles: number, opened: boolean, missed: number, score: number}} SeenPlayer */
/** @typedef {{seat: number, tiles: CardId[], count: number, lost: number}} SeenRack */
/** @typedef {{how: string, winners: number[], points: number, racks: SeenRack[]}} SeenResult */
/** @typedef {{deal: number, how: string, winners: number[], counts: Record<string, number>, scores: Record<string, number>}} SheetLine */
/** @typedef {{seat: number, from_rack: CardId[], moved: CardId[], points: number}} LastLay */
/**
 * @typedef {object} RummikubView
 * @property {number} deal
 * @property {"turn" | "between" | "over"} phase
 * @property {number[]} order
 * @property {number | null} turn
 * @property {number} turn_number
 * @property {{seat: number, card: CardId}[] | null} toss
 * @property {SeenMeld[]} table
 * @property {LastLay | null} last_lay
 * @property {number} pool_count
 * @property {number} initial_meld
 * @property {Record<string, SeenPlayer>} players
 * @property {SeenResult | null} result
 * @property {{deals: number, scores: Record<string, number>, sheet: SheetLine[], winners: number[]}} match
 */
/** @typedef {{cards: CardId[], as: string[] | null, kind: string | null, points: number, readings: string[][]}} DraftMeld */
/**
 * @typedef {object} SeenDraft The server's evaluation of the table being built.
 * @property {DraftMeld[]} table
 * @property {CardId[]} missing
 * @property {string | null} refusal
 * @property {number} tiles
 * @property {number} points
 * @property {number} opening_points
 */
/** @typedef {{seat: number | null, hand?: CardId[], drawn?: CardId[], points?: number | null, rev?: number, draft?: SeenDraft | null}} OwnRummikub */

/**
 * @param {TableState} state
 * @returns {RummikubView | null}
 */
export const gameOf = ({ game }) => /** @type {any} */ (game);

/**
 * @param {TableState} state
 * @returns {OwnRummikub}
 */
export const ownOf = ({ you }) => /** @type {any} */ (you);

/**
 * The seats whose clocks run.
 *
 * @param {TableState} state
 * @returns {number[]}
 */
export function acting(state) {
  const game = gameOf(state);
  return game === null || game.turn === null ? [] : [game.turn];
}

/** @param {TableState} state */
export const isOwnClock = (state) => state.you.seat !== null && acting(state).includes(state.you.seat);

/**
 * This player's entry among the players of the deal.
 *
 * @param {TableState} state
 */
export const ownPlayer = (state) => gameOf(state)?.players[String(state.you.seat)] ?? null;

/**
 * Whether the player is in the running deal.
 *
 * @param {TableState} state
 */
export const isPlaying = (state) => gameOf(state)?.result === null && ownPlayer(state)?.status === "playing";

/**
 * The full length of the running turn, by the table's rules.
 *
 * @param {TableState} state
 * @returns {number} Milliseconds.
 */
export function windowMs({ game, rules }) {
  if (game?.phase === "between") return (rules.break_seconds ?? 12) * 1000;
  return (rules.turn_seconds ?? 120) * 1000;
}
