// The views of tables with melds (docs/games/basic.md, docs/games/contract.md).

/** @typedef {import("../../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("../../../../table/core/protocol.js").Group} Group */
/** @typedef {import("../../../../table/core/protocol.js").TableState} TableState */

/**
 * @typedef {object} LaidMeld A meld on the table; all lists have one order, that of a run from its low end.
 * @property {string} kind
 * @property {CardId[]} cards
 * @property {string[]} as The face that each card stands for: "8H".
 * @property {number[]} by The seats that laid the cards.
 */
/**
 * @typedef {object} LaidPlayer
 * @property {string} status
 * @property {number} cards
 * @property {boolean} has_laid
 * @property {number} missed
 * @property {number} extra_ms
 * @property {number | null} points
 * @property {number} [score] In a race.
 * @property {number} [laid_points] If cards are laid for points.
 * @property {number} [total] Over several contracts.
 * @property {number | null} [buys_left] Null for no limit.
 */
/** @typedef {{seat: number, groups: Group[], count: number}} HeldHand */
/**
 * @typedef {object} LaidResult
 * @property {string} how
 * @property {number[]} winners
 * @property {Record<string, number>} points Each seat's losses.
 * @property {HeldHand[]} hands
 */
/**
 * @typedef {object} SheetLine
 * @property {number} deal
 * @property {string} how
 * @property {number[]} winners
 * @property {Record<string, number>} points
 * @property {Record<string, number>} [scores] In games in which every player scores.
 */
/**
 * @typedef {object} LaidMatch
 * @property {number | null} deals
 * @property {SheetLine[]} sheet
 * @property {number[]} left
 * @property {number[]} winners
 * @property {number | null} [target]
 * @property {Record<string, number>} [scores]
 * @property {string[][]} [contracts]
 * @property {Record<string, number>} [totals]
 */
/** @typedef {{card: CardId, seats: number[], due_at: number}} Buying */
/**
 * @typedef {object} LaidView
 * @property {number} deal
 * @property {string} phase
 * @property {"draw" | "discard" | null} step
 * @property {number[]} order
 * @property {number} dealer
 * @property {number | null} turn
 * @property {number} turn_number
 * @property {{seat: number, card: CardId}[] | null} toss
 * @property {CardId[]} open_pile
 * @property {[number, CardId][]} discards
 * @property {Record<string, CardId[]>} taken The cards that each seat took from the open pile.
 * @property {number} closed_count
 * @property {LaidMeld[]} melds
 * @property {number} laid New melds in this turn.
 * @property {Record<string, LaidPlayer>} players
 * @property {LaidResult | null} result
 * @property {LaidMatch} match
 * @property {string[]} [contract]
 * @property {boolean} [is_whole] The contract takes the whole hand.
 * @property {Buying | null} [buying]
 * @property {CardId | null} [must_use] A card of the open pile that must be laid first.
 */
/**
 * @typedef {object} OwnLaid
 * @property {number | null} seat
 * @property {CardId[]} [hand]
 * @property {CardId | null} [drawn]
 * @property {number} [count] The points of the hand.
 * @property {CardId[]} [bought] The upcard and the closed card of the last buy.
 * @property {boolean} [never_buy]
 * @property {boolean} [asked]
 * @property {"buy" | "pass" | null} [answer]
 * @property {number | null} [missing] The number of cards that the contract lacks; null once it is laid.
 */
/**
 * @typedef {object} LaidRules
 * @property {"low" | "both"} [ace]
 * @property {number | null} [melds_a_turn]
 * @property {boolean} [deuces_wild]
 * @property {number} [min_set]
 * @property {number} [min_run]
 * @property {number} [min_naturals_set]
 * @property {number} [min_naturals_run]
 * @property {boolean} [exact_contract]
 * @property {boolean} [lay_off_same_turn]
 * @property {boolean} [buying]
 * @property {number | null} [max_buys]
 * @property {number} [joker_points]
 * @property {number} [ace_points]
 * @property {string} [number_points]
 * @property {boolean} [repeated_suits]
 * @property {number} [leave_points]
 * @property {number} [rummy_factor]
 * @property {number} [max_missed_turns]
 * @property {number} [turn_seconds]
 * @property {number} [buy_seconds]
 * @property {number} [break_seconds]
 */

/**
 * @param {TableState} state
 * @returns {LaidView | null}
 */
export const gameOf = ({ game }) => /** @type {any} */ (game);

/**
 * @param {TableState} state
 * @returns {OwnLaid}
 */
export const ownOf = ({ you }) => /** @type {any} */ (you);

/**
 * @param {TableState} state
 * @returns {LaidRules}
 */
export const rulesOf = ({ rules }) => /** @type {any} */ (rules);

/**
 * This player's status in the deal; null if they are not in it.
 *
 * @param {TableState} state
 */
export const ownPlayer = (state) => gameOf(state)?.players[String(state.you.seat)] ?? null;

/**
 * Whether the player is in the running deal.
 *
 * @param {TableState} state
 */
export function isPlaying(state) {
  const game = gameOf(state);
  return game !== null && game.result === null && ["playing", "absent"].includes(ownPlayer(state)?.status ?? "");
}

/**
 * The seat to move, while a person or bot plays it.
 *
 * @param {TableState} state
 * @returns {number[]}
 */
export function atTurn(state) {
  const game = gameOf(state);
  return game?.phase === "turn" && game.turn !== null ? [game.turn] : [];
}

/**
 * The full length of the running turn, by the table's rules.
 *
 * @param {TableState} state
 * @returns {number} Milliseconds.
 */
export function windowMs(state) {
  const rules = rulesOf(state);
  const { phase } = state.game ?? {};
  if (phase === "between") return (rules.break_seconds ?? 8) * 1000;
  if (phase === "buy") return (rules.buy_seconds ?? 8) * 1000;
  return (rules.turn_seconds ?? 30) * 1000;
}
