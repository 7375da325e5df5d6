// The sentences for events of games with melds on the table.

import { seatName } from "../../../../table/core/tell.js";
import { layingInWords, meldsInWords } from "./words.js";

/** @typedef {import("../../../../table/core/tell.js").Teller} Teller */

/** @type {Record<string, Teller>} */
export const LAID_TELLERS = {
  toss: () => "event_toss",
  turn: () => null,
  drawn: (event) => (event.source === "open" ? "event_drawn_open" : "event_drawn_closed"),
  discarded: () => "event_discarded",
  laid_off: (event, _, texts) => ({
    key: "event_laid_off",
    values: { cards: layingInWords(texts, /** @type {any} */ (event)) },
  }),
  reshuffled: () => "event_reshuffled",
  missed_turn: () => "event_missed_turn",
  deal_due: () => null,
};

/**
 * The text's key if several melds were laid.
 *
 * @param {string} key
 * @returns {Teller}
 */
export const tellMelds = (key) => (event, _, texts) => ({ key, values: { melds: meldsInWords(texts, event.melds) } });

/**
 * The end of a deal, by its cause.
 *
 * @param {Record<string, string>} keys
 * @returns {Teller}
 */
export const tellEnd = (keys) => (event, state) => {
  const key = keys[event.how];
  const [winner] = event.winners;
  if (key === undefined) return null;
  return { key, seat: winner, values: { name: winner === undefined ? "" : seatName(state, winner) } };
};
