// The sentences for events of basic rummy.

import { LAID_TELLERS, tellEnd, tellMelds } from "../../rummy/core/laid/tellers.js";

/** @type {Record<string, import("../../../table/core/tell.js").Teller>} */
export const TELLERS = {
  ...LAID_TELLERS,
  melded: tellMelds("event_melded"),
  turned_over: () => "event_turned_over",
  dropped: () => "event_dropped",
  deal_over: tellEnd({
    out: "event_out",
    rummy: "event_rummy",
    blocked: "event_blocked",
    limit: "event_limit",
    last_player: "event_last_player",
  }),
};
