// The sentences for events of gin.

/** @typedef {import("../../../table/core/tell.js").Teller} Teller */

/** @type {Record<string, string>} */
const OVER = {
  knock: "event_won_knock",
  gin: "event_won_gin",
  big_gin: "event_won_big_gin",
  undercut: "event_won_undercut",
  forfeit: "event_won_forfeit",
  dead: "event_dead",
};
/** @type {Record<string, string>} */
const KNOCKED = { knock: "event_knocked", gin: "event_gin", big_gin: "event_big_gin" };

/** @type {Record<string, Teller>} */
export const TELLERS = {
  toss: () => "event_toss",
  turn: () => null,
  passed: () => "event_passed",
  drawn: (event) => (event.source === "open" ? "event_drawn_open" : "event_drawn_closed"),
  discarded: () => "event_discarded",
  knocked: (event) => KNOCKED[event.how] ?? null,
  defended: () => "event_defended",
  missed_turn: () => "event_missed_turn",
  deal_over: (event) => OVER[event.how] ?? null,
  deal_due: () => null,
};
