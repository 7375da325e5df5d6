// The player's hand in gin, and the cards that they lay off.

import { OwnHand } from "../../rummy/controllers/own_hand.js";
import { localNow } from "../../../lib/local_now.js";
import { sameGroups } from "../../../table/core/hand.js";
import { inMeldOrder } from "../../rummy/core/meld_order.js";
import { meldKind } from "../core/melds.js";
import { permitted } from "../core/permitted.js";

/** @typedef {import("../../../table/core/protocol.js").Group} Group */
/** @typedef {import("../core/seen.js").LayOff} LayOff */

export class Play extends OwnHand {
  /** Cards laid off on the knocker's melds so far. @type {LayOff[]} */
  aside = [];

  get may() {
    return permitted(this.state, this.session.ready);
  }

  /** @override */
  get groups() {
    const laid = new Set(this.aside.map(([card]) => card));
    const { groups } = this.arrangement;
    if (laid.size === 0) return groups;
    return groups.map((group) => group.filter((card) => !laid.has(card))).filter((group) => group.length > 0);
  }

  /** @override @param {Group} group */
  ordered(group) {
    const kind = meldKind(group);
    return kind === null ? group : inMeldOrder(group, kind, null);
  }

  /** @override @param {Group[]} groups */
  arrange(groups) {
    const all = this.aside.length === 0 ? groups : [...groups, this.aside.map(([card]) => card)];
    if (!sameGroups(all, this.arrangement.groups)) this.arrangement.change(all, localNow());
    this.session.changed();
  }
}
