// The player's hand, and the moves that it allows.

import { OwnHand } from "../../rummy/controllers/own_hand.js";
import { wildRankOf } from "../../../table/core/cards.js";
import { inMeldOrder } from "../../rummy/core/meld_order.js";
import { meldKind } from "../core/meld.js";
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

  /** @override */
  get fitting() {
    const { drawn } = this.state.you;
    const isLoose = this.groups.some((group) => group.length === 1 && group[0] === drawn);
    if (drawn == null || !isLoose) return new Set();
    const fits = (/** @type {Group} */ group) => group.length > 1 && this.#kind([...group, drawn]) !== null;
    return new Set(this.groups.flatMap((group, index) => (fits(group) ? [index] : [])));
  }

  /** @override @param {Group} group */
  ordered(group) {
    const kind = this.#kind(group);
    return kind === null ? group : inMeldOrder(group, kind, this.wild);
  }

  /** @param {Group} group */
  #kind(group) {
    return meldKind(group, this.wild, this.state.rules);
  }

  /**
   * The server's verdict on these groups; null if it gives none.
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
