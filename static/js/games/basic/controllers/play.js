// The player's hand in basic rummy.

import { say } from "../../../table/core/say.js";
import { LaidPlay } from "../../rummy/controllers/laid/play.js";
import { layOffs } from "../../rummy/core/laid/melds.js";
import { shapeOf, worthOf } from "../core/rules.js";

/** @typedef {import("../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("../../rummy/controllers/laid/play.js").Offer} Offer */

export class Play extends LaidPlay {
  /** @override */
  get shape() {
    return shapeOf(this.state);
  }

  /** @override @param {CardId} card */
  worth(card) {
    return worthOf(card);
  }

  /** @override */
  get mayLay() {
    return this.allowed("meld") !== null;
  }

  /**
   * @override
   * @param {number} number
   * @param {readonly CardId[]} cards
   * @returns {Offer[]}
   */
  offers(number, cards) {
    const meld = this.melds[number];
    if (meld === undefined || !this.may.layOff || layOffs(meld, cards, this.shape).length === 0) return [];
    const says = say(this.texts, "lay_off_here", { number: number + 1 });
    return [{ action: "lay-off", label: say(this.texts, "lay_off"), says, data: {} }];
  }
}
