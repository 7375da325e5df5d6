// The sentences for events of 500 Rum.

import { LAID_TELLERS, tellEnd, tellMelds } from "../../rummy/core/laid/tellers.js";

/** @type {Record<string, import("../../../table/core/tell.js").Teller>} */
export const TELLERS = {
  ...LAID_TELLERS,
  drawn(event) {
    if (event.source === "closed") return "event_drawn_closed";
    const count = event.cards.length;
    return count === 1 ? "event_drawn_open" : { key: "event_taken", values: { count } };
  },
  melded: tellMelds("event_melded"),
  dropped: () => "event_dropped",
  deal_over: tellEnd({
    out: "event_out",
    blocked: "event_blocked",
    limit: "event_limit",
    last_player: "event_last_player",
  }),
};
