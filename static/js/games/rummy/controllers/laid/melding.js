// The player's actions in games where any meld may be laid, without a contract.

import { say } from "../../../../table/core/say.js";
import { LaidHands } from "./hands.js";
import { groupPicture } from "../../view/groups.js";
import { readMeld } from "../../core/laid/melds.js";
import { meldsMeant } from "../../core/laid/laying.js";

/** @typedef {import("../../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("../../../../table/core/protocol.js").Group} Group */

export class MeldingHands extends LaidHands {
  /** Lays the chosen melds at once; without a choice all melds in the hand, after a question. @override */
  async lay() {
    const { play } = this;
    if (!play.may.lay) return;
    const melds = meldsMeant(play.groups, play.selection, play.shape);
    if (melds === null) this.shell.warn(say(this.texts, play.selection.size > 0 ? "not_a_meld" : "lay_choose"));
    else if (play.selection.size > 0 || (await this.#confirms(melds))) this.#meld(melds);
  }

  /** @override @param {readonly CardId[]} cards */
  dragged(cards) {
    const { play } = this;
    if (!play.may.lay) return;
    const melds = meldsMeant(play.groups, new Set(cards), play.shape);
    if (melds === null) this.shell.warn(say(this.texts, "not_a_meld"));
    else this.#meld(melds);
  }

  /**
   * @override
   * @param {number} meld
   * @param {readonly CardId[]} cards
   */
  layOff(meld, cards) {
    const { play } = this;
    if (!play.may.layOff || cards.length === 0 || play.melds[meld] === undefined) return;
    if (play.offers(meld, cards).length > 0) this.send({ kind: "lay_off", meld, cards: [...cards] });
    else this.shell.warn(say(this.texts, "lay_off_not"));
  }

  /** @param {readonly Group[]} melds */
  #confirms(melds) {
    const { painter, dialogs } = this.shell;
    const pictures = melds.map((group) =>
      groupPicture(painter, this.texts, group, readMeld(group, this.play.shape)?.kind ?? null, null),
    );
    return dialogs.confirm({
      title: say(this.texts, "lay_title"),
      text: say(this.texts, "lay_text"),
      confirm: say(this.texts, "lay"),
      pictures,
    });
  }

  /** @param {readonly Group[]} melds */
  #meld(melds) {
    if (this.play.may.lay) this.send({ kind: "meld", groups: melds.map((group) => [...group]) });
  }
}
