// The sentences for events of Rummikub.

/** @typedef {import("../../../table/core/tell.js").Teller} Teller */

/** @type {Record<string, string>} */
const OVER = {
  laid_out: "event_won_laid_out",
  blocked: "event_won_count",
  limit: "event_won_count",
  last_player: "event_won_last_player",
};
/** @type {Record<string, string>} */
const DRAWN = { turn: "event_drew", overtime: "event_drew_overtime", invalid: "event_drew_invalid" };

/** @type {Record<string, Teller>} */
export const TELLERS = {
  toss: () => "event_toss",
  turn: () => null,
  laid: () => "event_laid",
  opened: () => "event_opened",
  passed: () => "event_passed",
  drawn: (event) => DRAWN[event.why] ?? null,
  missed_turn: () => "event_missed_turn",
  out: () => "event_out",
  deal_over: (event) => OVER[event.how] ?? null,
  deal_due: () => null,
};
