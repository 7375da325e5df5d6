// One's own hand at the table, and what may be done with it.

import { OwnHand } from "../../rummy/controllers/own_hand.js";
import { wildRankOf } from "../../../table/core/cards.js";
import { permitted } from "../core/permitted.js";

/** @typedef {import("../../../table/core/protocol.js").Group} Group */
/** @typedef {import("../../../table/core/protocol.js").Verdict} Verdict */

export class Play extends OwnHand {
  get wild() {
    return wildRankOf(this.state.game?.wild);
  }

  get may() {
    return permitted(this.state, this.session.ready, this.session.purse);
  }

  /** @override */
  get mayAsk() {
    return this.may.best;
  }

  /**
   * What the server would say to these groups; null if it does not tell.
   *
   * @param {Group[]} groups
   * @returns {Promise<Verdict | null>}
   */
  async judge(groups) {
    if (this.state.table.help?.verdict !== true) return null;
    const answer = await this.session.ask({ kind: "judge", groups });
    return answer?.type === "answer" ? /** @type {Verdict} */ (answer.answer) : null;
  }
}
