// The sentences for events of 13-card Indian rummy.

/** @typedef {import("../../../table/core/tell.js").Teller} Teller */

/** @type {Record<string, Teller>} */
export const TELLERS = {
  toss: () => "event_toss",
  turn: () => null,
  drawn: (event) => (event.source === "open" ? "event_drawn_open" : "event_drawn_closed"),
  discarded: () => "event_discarded",
  reshuffled: () => "event_reshuffled",
  dropped: () => "event_dropped",
  missed_turn: () => "event_missed_turn",
  finished: () => "event_finished",
  declared: (event) => (event.valid ? "event_declared" : "event_declared_wrong"),
  shown: () => "event_shown",
  eliminated: () => "event_eliminated",
  rejoin_open: () => "event_rejoin_open",
  rejoined: () => "event_rejoined",
  rejoin_declined: () => "event_rejoin_declined",
  split_offered: () => "event_split_offered",
  split_open: () => "event_split_open",
  split_answered: (event) => (event.accept ? "event_split_accepted" : "event_split_refused"),
  split_closed: (event) => (event.agreed ? "event_split_agreed" : "event_split_closed"),
  deal_due: (event) => (event.tie_breaker ? "event_tie_breaker" : null),
};
