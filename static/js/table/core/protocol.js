// The shapes that travel between the server and this page. Types only, and the one reader.

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
 * @property {number} [rake_bps] What the match was played for; the table may have another one by now.
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
 * @property {number} [entry_fee] Of a match of several deals; points are played for money each.
 * @property {{gross: number, rake: number, net: number} | null} [pot] What a match for entry fees is played for.
 * @property {{seat: number, amount: number}[] | null} [split] What each would get of it if all agreed now.
 * @property {number} rake_bps
 * @property {number | null} [rake_cap]
 * @property {boolean} practice
 * @property {boolean} api_players players' own programs may sit here
 * @property {boolean} [watchers] Without a seat the game is shown as well.
 * @property {boolean} [chat] Its people may talk.
 * @property {boolean} [fills] Bots fill the empty seats of a private table when its match begins.
 * @property {boolean} [plays_on] A bot plays on for a player who leaves a match.
 * @property {{arrangement: boolean, verdict: boolean}} [help] What the server does for a player here.
 * @property {string} [event_url] The page of the event that the table belongs to; empty: none.
 * @property {boolean} [out_of_order] Nothing happens here until staff have decided.
 * @property {string} status
 * @property {number | null} due_at
 * @property {number | null} match
 * @property {Record<string, string>} [names] Of the players of that match, by seat.
 * @property {Record<string, number>} [places] Of the players of that match by seat, once it is over.
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
 * @property {number[]} [order] Everybody who began, in order of play.
 * @property {boolean} tie_breaker
 * @property {number[]} winners
 * @property {Record<string, Standing>} standings
 * @property {number[]} waiting
 * @property {number | null} rejoin_score
 * @property {number | null} split_asker
 * @property {Record<string, number> | null} split_parts
 * @property {boolean} may_offer_split
 * @property {DealRecord[]} [history] Earlier deals, where the server tells them.
 */

/**
 * @typedef {object} OwnView
 * @property {number | null} seat
 * @property {CardId[]} [hand]
 * @property {Group[]} [groups]
 * @property {number} [rev]
 * @property {Legal[]} [legal] What may be played now, an entry for each kind of move.
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
 * @property {number} [point_chips] What a point moves, where chips decide the match (R10.11).
 * @property {number[]} [stacks] What each seat began with, where that is not alike.
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
 * What may be played: the values that each field of the move may have; null: any. `points`: its cost.
 *
 * @typedef {{kind: string} & Record<string, any>} Legal
 */
/** @typedef {{type: "answer", id: string, answer: Record<string, any>}} Answer */
/**
 * @typedef {object} Verdict How groups would be judged, as the server says before they are declared.
 * @property {boolean} valid
 * @property {(MeldKind | null)[]} kinds
 * @property {string | null} reason
 * @property {number | null} failed_group
 * @property {number} points What the declaration would cost.
 */
/** @typedef {{type: "ack", id: string, v: number}} Ack */
/** @typedef {{type: "rej", id: string, code: string, message: string}} Rej */
/**
 * @typedef {{id: number, player: number, phrase: string, text: string, at: number, name?: string, face?: string}} ChatLine
 * With name and face of somebody who watches.
 */
/** @typedef {{type: "snap", epoch: string, v: number, now: number, state: TableState}} Snap */
/** @typedef {{type: "ev", now?: number, changes: Change[]}} Ev */
/** @typedef {{type: "balance" | "table_ready" | "chair" | "withdrawal" | "identity"}} OfOneself What `/ws/me/` carries. */
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
 * @typedef {{type: "hello", epoch: string, v: number, wire: number}
 *   | {type: "act", id: string, v: number, move: Move}
 *   | {type: "draft", rev: number, draft: unknown}
 *   | {type: "ask", id: string, question: {kind: string} & Record<string, unknown>}
 *   | {type: "seed", promise: string, seed: string}
 *   | {type: "say", phrase: string, text: string}
 *   | {type: "pre_action", move: Move | {} | null, last_deal: boolean | null}
 *   | {type: "again", id: string, amount: number}
 *   | {type: "back", id: string}
 *   | {type: "me"}
 *   | {type: "ping", c: number}} ClientMessage
 */

/** What concerns the player alone, on whatever page. */
export const OF_ONESELF = new Set(["balance", "table_ready", "chair", "tables", "withdrawal", "identity"]);
const KNOWN = new Set([
  ...OF_ONESELF,
  ...["snap", "ev", "ack", "rej", "drafted", "answer"],
  ...["pong", "here", "chat", "bye", "error"],
]);

/**
 * A newer server may say things that this page does not know; they are passed over.
 *
 * @param {string} text
 * @returns {ServerMessage | null}
 */
export function readMessage(text) {
  /** @type {unknown} */
  let data;
  try {
    data = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof data !== "object" || data === null || !("type" in data)) return null;
  return KNOWN.has(String(data.type)) ? /** @type {ServerMessage} */ (data) : null;
}
