// The messages between the server and this page. Types only, and the only parser.

import { isolated } from "./isolated.js";

/** @typedef {string} CardId A face and its pack: "7H.0", "PJ.1". */
/** @typedef {CardId[]} Group */
/** @typedef {"pure_sequence" | "sequence" | "set"} MeldKind */

/** @typedef {{seats: number[], elsewhere?: number[]}} Here Seats whose browsers are connected, or whose players are on another page. */
/** @typedef {{id: number, name: string, bot: boolean, face: string, frame?: string, guest?: true, rating?: string}} Player */
/** @typedef {{seat: number, player: Player | null, stack: number, state: string | null, host?: true, again?: true, stand_in?: true}} SeatView `host`: may start a private table; `again`: plays the next match; `stand_in`: a bot plays for them. */

/**
 * @typedef {object} Settlement
 * @property {number} gross
 * @property {number} rake
 * @property {number} [rake_bps] The match's fee; the table may have another one by now.
 * @property {number} net
 * @property {number[]} winners
 * @property {Record<string, number>} amounts
 */

/**
 * @typedef {object} TableView
 * @property {number} id
 * @property {string} name
 * @property {string} format
 * @property {"per_point" | "entry_fee"} [stake]
 * @property {string} game
 * @property {number} max_seats
 * @property {string} currency
 * @property {number} point_value
 * @property {number} min_buy_in
 * @property {number | null} [max_buy_in]
 * @property {number} [entry_fee] Of a match of several deals; otherwise points are paid.
 * @property {{gross: number, rake: number, net: number} | null} [pot] The pot of a match for entry fees.
 * @property {{seat: number, amount: number}[] | null} [split] Each player's amount if all agreed to split
 * now.
 * @property {number} rake_bps
 * @property {number | null} [rake_cap]
 * @property {boolean} practice
 * @property {boolean} api_players players' own programs may sit here
 * @property {boolean} [watchers] Whether spectators are shown the game.
 * @property {boolean} [chat] Whether its people may chat.
 * @property {boolean} [fills] Bots fill the empty seats of a private table when its match begins.
 * @property {boolean} [plays_on] A bot plays on for a player who leaves a match.
 * @property {{arrangement: boolean, verdict: boolean}} [help] The server's help for players here.
 * @property {string} [event_url] The page of the table's event; empty if there is none.
 * @property {boolean} [awaits_press] The next match or deal begins once a player asks for it.
 * @property {boolean} [out_of_order] Nothing happens here until staff have decided.
 * @property {string} status
 * @property {number | null} due_at
 * @property {number | null} match
 * @property {Record<string, string>} [names] The match's players, by seat.
 * @property {Record<string, number>} [places] The places of the match's players by seat, once it is over.
 * @property {number[]} [stand_ins] Seats of that match for which a bot has played.
 * @property {string | null} commitment
 * @property {Settlement | null} settlement
 */

/**
 * @typedef {object} GamePlayer
 * @property {string} status
 * @property {number} cards
 * @property {number | null} points
 * @property {number} extra_ms
 * @property {number} missed
 * @property {number | null} drop_points
 * @property {boolean} shown
 */

/**
 * @typedef {object} Declaration
 * @property {number} seat
 * @property {Group[]} groups
 * @property {(MeldKind | null)[]} kinds
 * @property {boolean} valid
 * @property {string | null} reason
 * @property {number | null} failed_group
 */

/**
 * @typedef {object} ShownHand
 * @property {number} seat
 * @property {Group[]} groups
 * @property {(MeldKind | null)[]} kinds
 * @property {number} points
 * @property {string} how
 */

/** @typedef {{winners: number[], how: string, hands: ShownHand[]}} DealResult */

/**
 * @typedef {object} GameView
 * @property {number} deal
 * @property {string} phase
 * @property {number[]} order
 * @property {number} dealer
 * @property {{seat: number, card: CardId}[] | null} toss
 * @property {CardId} wild
 * @property {string} wild_rank
 * @property {number} closed_count
 * @property {CardId[]} open_pile
 * @property {[number, CardId][]} discards
 * @property {number | null} turn
 * @property {"draw" | "discard" | null} step
 * @property {number} turn_number
 * @property {boolean} open_drawable
 * @property {number | null} due_at
 * @property {number | null} deadline
 * @property {Record<string, GamePlayer>} players
 * @property {{seat: number, card: CardId} | null} finish
 * @property {Declaration | null} declaration
 * @property {DealResult | null} result
 * @property {MatchView} [match]
 */

/**
 * @typedef {object} Standing
 * @property {"in" | "eliminated" | "left"} membership
 * @property {number | null} [place] Of a player who is out.
 * @property {number} score
 * @property {number} chips
 * @property {number} deals_won
 * @property {number} entries
 * @property {number | null} drops_left
 */

/** @typedef {{deal: number, points: Record<string, number>, winners: number[]}} DealRecord */

/**
 * @typedef {object} MatchView
 * @property {number | null} deals
 * @property {number[]} [order] All players of the match, in order of play.
 * @property {boolean} tie_breaker
 * @property {number[]} winners
 * @property {Record<string, Standing>} standings
 * @property {number[]} waiting
 * @property {number | null} rejoin_score
 * @property {number | null} split_asker
 * @property {Record<string, number> | null} split_parts
 * @property {boolean} may_offer_split
 * @property {DealRecord[]} [history] Earlier deals, if the server sends them.
 */

/**
 * @typedef {object} OwnView
 * @property {number | null} seat
 * @property {CardId[]} [hand]
 * @property {Group[]} [groups]
 * @property {number} [rev]
 * @property {Legal[]} [legal] The legal moves, an entry for each kind.
 * @property {Move | null} [deferred] Played as soon as it is legal.
 * @property {boolean} [last_deal] Leaves after the running match.
 * @property {CardId | null} [drawn]
 * @property {boolean} [from_open]
 */

/**
 * @typedef {object} RulesView
 * @property {number} [max_points]
 * @property {number} [wrong_declaration_points]
 * @property {string} [lone_pure_sequence]
 * @property {number | null} [max_set_size]
 * @property {boolean} [wild_twins]
 * @property {string} [joker_only_melds]
 * @property {string} [wrong_declaration_counts]
 * @property {boolean} [may_return_open_card]
 * @property {number} [point_chips] The chips per point, if chips decide the match (R10.11).
 * @property {number[]} [stacks] Each seat's stack at the start, if they differ.
 * @property {number} [max_missed_turns]
 * @property {number} [turn_seconds]
 * @property {number} [declare_seconds]
 * @property {number} [show_seconds]
 * @property {number} [break_seconds]
 * @property {number} [rejoin_seconds]
 * @property {number} [split_seconds]
 * @property {number | null} [elimination_score]
 * @property {number | null} [target]
 * @property {number} [knock_limit]
 * @property {number} [gin_bonus]
 * @property {boolean} [spades_double]
 */

/**
 * @typedef {object} TableState
 * @property {TableView} table
 * @property {SeatView[]} seats
 * @property {GameView | null} game
 * @property {RulesView} rules
 * @property {OwnView} you
 */

/** @typedef {{kind: string} & Record<string, any>} GameEvent */
/** @typedef {{kind: string} & Record<string, unknown>} Move */

/**
 * @typedef {object} Change
 * @property {number} v
 * @property {number} [at]
 * @property {GameEvent[]} events
 * @property {Record<string, unknown>} [patch]
 * @property {Record<string, unknown>} [you]
 */

/**
 * A legal move: the possible values of each field; null for any. `points` is its cost.
 *
 * @typedef {{kind: string} & Record<string, any>} Legal
 */
/** @typedef {{type: "answer", id: string, answer: Record<string, any>}} Answer */
/**
 * @typedef {object} Verdict The server's verdict on groups before they are declared.
 * @property {boolean} valid
 * @property {(MeldKind | null)[]} kinds
 * @property {string | null} reason
 * @property {number | null} failed_group
 * @property {number} points The cost of the declaration.
 */
/** @typedef {{type: "ack", id: string, v: number}} Ack */
/** @typedef {{type: "rej", id: string, code: string, message: string}} Rej */
/**
 * @typedef {{id: number, player: number, phrase: string, text: string, at: number, name?: string, face?: string}} ChatLine
 * With name and face for a spectator.
 */
/** @typedef {{type: "snap", epoch: string, v: number, now: number, state: TableState}} Snap */
/** @typedef {{type: "ev", now?: number, changes: Change[]}} Ev */
/**
 * @typedef {{type: "balance" | "table_ready" | "chair" | "withdrawal" | "identity" | "silence"}} OfOneself Messages of
 * `/ws/me/`.
 */
/**
 * @typedef {Snap
 *   | Ev
 *   | OfOneself
 *   | Ack
 *   | Rej
 *   | Answer
 *   | {type: "drafted", rev: number, draft?: unknown}
 *   | {type: "pong", c: number, s: number}
 *   | {type: "here", seats: number[], elsewhere?: number[]}
 *   | {type: "chat", lines: ChatLine[]}
 *   | {type: "bye", code: string, message?: string}
 *   | {type: "error", code: string, message: string}} ServerMessage
 */
/**
 * @typedef {{type: "hello", epoch: string, v: number}
 *   | {type: "act", id: string, v: number, move: Move}
 *   | {type: "draft", rev: number, draft: unknown}
 *   | {type: "ask", id: string, question: {kind: string} & Record<string, unknown>}
 *   | {type: "seed", promise: string, seed: string}
 *   | {type: "say", phrase: string, text: string}
 *   | {type: "pre_action", move: Move | {} | null, last_deal: boolean | null}
 *   | {type: "again", id: string, amount: number}
 *   | {type: "start", id: string}
 *   | {type: "back", id: string}
 *   | {type: "me"}
 *   | {type: "ping", c: number}} ClientMessage
 */

/** Personal news, on any page. */
export const OF_ONESELF = new Set(["balance", "table_ready", "chair", "tables", "withdrawal", "identity", "silence"]);
const KNOWN = new Set([
  ...OF_ONESELF,
  ...["snap", "ev", "ack", "rej", "drafted", "answer"],
  ...["pong", "here", "chat", "bye", "error"],
]);

/**
 * A newer server may send messages that this page does not know; ignore them.
 *
 * @param {string} text
 * @returns {ServerMessage | null}
 */
export function readMessage(text) {
  /** @type {unknown} */
  let data;
  try {
    data = JSON.parse(text, isolated);
  } catch {
    return null;
  }
  if (typeof data !== "object" || data === null || !("type" in data)) return null;
  return KNOWN.has(String(data.type)) ? /** @type {ServerMessage} */ (data) : null;
}
