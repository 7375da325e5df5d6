// Sentences for events, for the list of moves and for screen readers.

import { formatShare, wordsIn } from "../../lib/format.js";
import { isPrintedJoker, isWild, suitOf } from "./cards.js";
import { say } from "./say.js";
import { isMatchTable } from "./stakes.js";

/** @typedef {import("./protocol.js").CardId} CardId */
/** @typedef {import("./protocol.js").GameEvent} GameEvent */
/** @typedef {import("./protocol.js").TableState} TableState */
/** @typedef {import("./say.js").Texts} Texts */
/**
 * @typedef {object} Told The text of an event.
 * @property {string} key Of the text.
 * @property {Record<string, string | number>} [values] Besides those that `tell` adds itself.
 * @property {number} [seat] The seat concerned, if the event names none.
 */
/**
 * @typedef {object} Ended What has ended, and with what result for its reader.
 * @property {string[]} told Of the deal.
 * @property {number | undefined} [lost] The reader's losses in points.
 * @property {string | false | 0 | undefined} [why] Why the reader has lost them.
 * @property {number | null | undefined} [out] The reader's place, once they are out of the match.
 * @property {readonly number[] | undefined} [winners] Of a match of several deals that is over.
 */
/**
 * @typedef {(event: GameEvent, state: TableState, texts: Texts) => string | Told | null} Teller Only a
 * key, or null for none.
 */

/**
 * "7 of hearts", "queen of spades, wild", "joker".
 *
 * @param {Texts} texts
 * @param {CardId} card
 * @param {number | null} wild
 */
export function cardName(texts, card, wild) {
  if (isPrintedJoker(card)) return say(texts, "printed_joker");
  const name = say(texts, card.startsWith("Q") ? "card_queen" : "card", {
    rank: say(texts, `rank_${card.charAt(0)}`),
    suit: say(texts, `suit_${suitOf(card)}`),
  });
  return isWild(card, wild) ? say(texts, "card_wild", { card: name }) : name;
}

/**
 * The name of a seat's player; in a match and its result the player may have left.
 *
 * @param {TableState} state
 * @param {number} seat
 */
export function seatName(state, seat) {
  return state.table.names?.[String(seat)] ?? state.seats[seat]?.player?.name ?? "–";
}

/**
 * @param {TableState} state
 * @param {readonly number[]} seats
 */
export const namesOf = (state, seats) => seats.map((seat) => seatName(state, seat)).join(", ");

/**
 * A result's texts: first what happened to its reader, then the text for everybody.
 *
 * @param {Texts} texts
 * @param {TableState} state With the reader's present or last seat.
 * @param {Ended} ended
 * @returns {string[]} The heading, and the lines below it.
 */
export function headings(texts, state, { told, lost = 0, why, out, winners = [] }) {
  const { names = {}, places = {} } = state.table;
  const { seat } = state.you;
  const players = Object.keys(names).length;
  const own = out ?? (winners.length > 0 ? places[String(seat)] : 0);
  const values = { points: lost, place: texts[`place_${own}`] ?? "", players };
  /** @type {string | null} */
  let key = lost > 0 ? "result_lost" : null;
  if (own === 1) key = winners.length > 1 ? "result_match_shared" : "result_match_won";
  else if (own && players === 2 && winners.length > 0) key = "result_match_lost";
  else if (own) key = out ? "result_out" : "result_place";
  const match = say(texts, "result_match", { names: namesOf(state, winners) });
  const below = winners.length > 0 && own !== 1 ? [match, ...told] : told;
  if (key === null) return below;
  return [say(texts, key, values), ...(lost > 0 && why ? [why] : []), ...below];
}

/**
 * One sentence, or null if none is needed. `own` means that it is about this player.
 *
 * @param {Texts} texts
 * @param {GameEvent} event
 * @param {TableState} state
 * @param {number | null} wild
 * @param {Record<string, Teller>} tellers The game's.
 * @returns {{text: string, own: boolean} | null}
 */
export function tell(texts, event, state, wild, tellers) {
  const describe = tellers[event.kind] ?? TELLERS[event.kind];
  if (describe === undefined) return null;
  const told = describe(event, state, texts);
  if (told === null) return null;
  const { key, seat: meant, values: more } = typeof told === "string" ? { key: told } : told;
  const seat = typeof event.seat === "number" ? event.seat : (meant ?? null);
  const several = event.winners ?? event.seats;
  const only = seat === null && Array.isArray(several) && several.length === 1 ? several[0] : seat;
  const own = only !== null && only === state.you.seat;
  /** @type {Record<string, string | number>} */
  const values = { name: seat === null ? "" : seatName(state, seat) };
  for (const field of ["points", "missed", "count"]) {
    if (typeof event[field] === "number") values[field] = event[field];
  }
  if (typeof event.rake_bps === "number") values.rate = percent(event.rake_bps);
  if (typeof event.card === "string") values.card = cardName(texts, event.card, wild);
  if (Array.isArray(several)) {
    values.names = namesOf(state, several);
    values.count = several.length;
  }
  Object.assign(values, more);
  const ownKey = `${key}_own`;
  return { text: say(texts, own && ownKey in texts ? ownKey : key, values), own };
}

/**
 * Basis points as "10%" or "2.5%".
 *
 * @param {number} bps
 */
export const percent = (bps) => formatShare(bps / 10_000);

/**
 * @param {unknown} at In milliseconds.
 * @param {Texts} texts
 */
const timeOf = (at, texts) =>
  new Date(Number(at)).toLocaleTimeString(wordsIn(texts.language ?? "en"), { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/** Events of any table. @type {Record<string, Teller>} */
const TELLERS = {
  dealt: () => "event_dealt",
  left: () => "event_left",
  deal_over: () => "event_deal_over",
  match_over: (_, { table }) => (isMatchTable(table) ? "event_match_over" : null),
  match_cancelled: () => "event_match_cancelled",
  fee_changed: (_, { table }) => (isMatchTable(table) ? "event_fee_changed_match" : "event_fee_changed"),
  bot_took_over: () => "event_bot_took_over",
  came_back: () => "event_came_back",
  plays_again: () => "event_plays_again",
  closing: () => "event_closing",
  resting: () => "event_resting",
  rest_announced: (event, _, texts) => ({ key: "event_rest_announced", values: { time: timeOf(event.at, texts) } }),
  closed: (_, { table }) => (table.event_url ? null : "event_closed"),
};
