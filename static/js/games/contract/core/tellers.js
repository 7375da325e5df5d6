// The sentences for events of Contract Rummy.

import { namesOf } from "../../../table/core/tell.js";
import { LAID_TELLERS, tellEnd, tellMelds } from "../../rummy/core/laid/tellers.js";

/** @type {Record<string, import("../../../table/core/tell.js").Teller>} */
export const TELLERS = {
  ...LAID_TELLERS,
  offered: () => "event_offered",
  // The buyers are announced after the sale (C20).
  bought(event, state) {
    const others = event.wanted.filter((/** @type {number} */ seat) => seat !== event.seat);
    if (others.length === 0) return "event_bought";
    const names = namesOf(state, others);
    return { key: "event_bought_wanted", values: { names } };
  },
  unsold: () => "event_unsold",
  contract_laid: tellMelds("event_contract_laid"),
  swapped_joker: (event) => (event.to === "hand" ? "event_swapped_hand" : "event_swapped_moved"),
  absent: () => "event_absent",
  left: (event) => (event.absent === true ? "event_gone" : "event_left"),
  deal_over: tellEnd({
    out: "event_out",
    blocked: "event_blocked",
    limit: "event_limit",
    last_player: "event_last_player",
  }),
};
