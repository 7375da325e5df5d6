// The views of a table of gin (docs/games/gin.md).

/** @typedef {import("../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("../../../table/core/protocol.js").Group} Group */
/** @typedef {import("../../../table/core/protocol.js").TableState} TableState */

/** @typedef {[CardId, number]} LayOff A card, and the number of the knocker's meld. */
/** @typedef {{status: string, cards: number, score: number, missed: number, extra_ms: number}} GinPlayer */
/**
 * @typedef {object} Knock
 * @property {number} seat
 * @property {"knock" | "gin" | "big_gin"} kind
 * @property {Group[]} groups
 * @property {("set" | "sequence")[]} kinds
 * @property {CardId[]} loose
 * @property {number} points
 * @property {boolean} can_lay_off
 */
/** @typedef {{seat: number, groups: Group[], loose: CardId[], deadwood: number}} LaidHand */
/**
 * @typedef {object} GinResult
 * @property {string} how
 * @property {number | null} winner
 * @property {number} points
 * @property {LaidHand[]} hands
 * @property {LayOff[]} lay_offs
 * @property {CardId | null} card The knocker's discard.
 */
/** @typedef {{deal: number, how: string, winner: number | null, points: number}} SheetLine */
/**
 * @typedef {object} Bonus A bonus at the end of a game.
 * @property {number} boxes
 * @property {number} game
 * @property {boolean} shutout
 * @property {number} total
 */
/**
 * @typedef {object} GinMatch
 * @property {number | null} target
 * @property {number | null} deals
 * @property {Record<string, number>} scores
 * @property {SheetLine[]} sheet
 * @property {Record<string, Bonus>} bonuses
 * @property {number[]} winners
 */
/**
 * @typedef {object} GinView
 * @property {number} deal
 * @property {string} phase
 * @property {"draw" | "discard" | null} step
 * @property {number[]} order
 * @property {number} dealer
 * @property {number | null} turn
 * @property {number} turn_number
 * @property {{seat: number, card: CardId}[] | null} toss
 * @property {CardId} upcard
 * @property {CardId[]} open_pile
 * @property {[number, CardId][]} discards
 * @property {number} closed_count
 * @property {boolean} must_draw_closed
 * @property {number} knock_limit
 * @property {Record<string, GinPlayer>} players
 * @property {Knock | null} knock
 * @property {GinResult | null} result
 * @property {GinMatch} match
 */
/** @typedef {{groups: Group[], lay_offs: LayOff[], loose: CardId[], points: number}} Defence */
/**
 * @typedef {object} OwnGin
 * @property {number | null} seat
 * @property {CardId[]} [hand]
 * @property {number | null} [deadwood] The least deadwood.
 * @property {Group[]} [best_groups]
 * @property {Defence | null} [defence]
 */

/**
 * @param {TableState} state
 * @returns {GinView | null}
 */
export const gameOf = ({ game }) => /** @type {any} */ (game);

/**
 * @param {TableState} state
 * @returns {OwnGin}
 */
export const ownOf = ({ you }) => /** @type {any} */ (you);

/**
 * The seat that has to answer a knock, or null.
 *
 * @param {GinView} game
 */
function defenderOf({ phase, knock, order }) {
  if (phase !== "defend" || knock === null) return null;
  return order.find((seat) => seat !== knock.seat) ?? null;
}

/**
 * The seats whose clocks run.
 *
 * @param {TableState} state
 * @returns {number[]}
 */
export function acting(state) {
  const game = gameOf(state);
  if (game === null) return [];
  const seat = defenderOf(game) ?? (game.phase === "upcard" || game.phase === "turn" ? game.turn : null);
  return seat === null ? [] : [seat];
}

/** @param {TableState} state */
export const isOwnClock = (state) => state.you.seat !== null && acting(state).includes(state.you.seat);

/**
 * Whether the seat plays in the running deal.
 *
 * @param {TableState} state
 */
export function isPlaying(state) {
  const game = gameOf(state);
  if (game === null || game.result !== null || state.you.seat === null) return false;
  return ["playing", "knocked"].includes(game.players[String(state.you.seat)]?.status ?? "");
}

/**
 * The full length of the running turn, by the table's rules.
 *
 * @param {TableState} state
 * @returns {number} Milliseconds.
 */
export function windowMs({ game, rules }) {
  if (game?.phase === "defend") return (rules.show_seconds ?? 45) * 1000;
  if (game?.phase === "between") return (rules.break_seconds ?? 8) * 1000;
  return (rules.turn_seconds ?? 30) * 1000;
}
