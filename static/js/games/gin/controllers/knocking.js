// Knocking: every knock is confirmed first, in a dialog that shows all cards to be laid open.

import { make } from "../../../lib/dom.js";
import { say } from "../../../table/core/say.js";
import { seatName } from "../../../table/core/tell.js";
import { captioned, groupPicture } from "../../rummy/view/groups.js";
import { planOf, proposal } from "../core/knocking.js";
import { meldKind } from "../core/melds.js";
import { gameOf } from "../core/seen.js";

/** @typedef {import("../../../table/core/game.js").Shell} Shell */
/** @typedef {import("../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("../core/knocking.js").Plan} Plan */
/** @typedef {import("./play.js").Play} Play */

export class Knocking {
  /**
   * @param {Shell} shell
   * @param {Play} play
   */
  constructor(shell, play) {
    this.shell = shell;
    this.play = play;
    this.texts = shell.texts;
  }

  /** @param {CardId | null} chosen */
  async knock(chosen) {
    const { play } = this;
    if (!play.may.knock) return;
    const plan = proposal(play.state, play.groups, chosen);
    if (plan === null) this.shell.warn(say(this.texts, chosen === null ? "knock_lay_out" : "knock_not_with"));
    else await this.#ask(plan);
  }

  async bigGin() {
    const { play } = this;
    if (!play.may.bigGin) return;
    const plan = planOf(play.state, play.groups, null);
    if (plan === null) this.shell.warn(say(this.texts, "knock_lay_out"));
    else await this.#ask(plan);
  }

  /** @param {Plan} plan */
  async #ask(plan) {
    const { play, texts } = this;
    const { kind, card, groups, points } = plan;
    const confirmed = await this.shell.dialogs.confirm({
      title: say(texts, `title_${kind}`),
      text: this.#consequence(plan),
      confirm: say(texts, kind),
      pictures: this.#pictures(plan),
      verdict: { text: say(texts, "deadwood_of", { points }), tone: points === 0 ? "good" : "open" },
    });
    const isLegal = kind === "big_gin" ? play.may.bigGin : play.may.knock;
    if (!confirmed || !isLegal) return;
    play.selection.clear();
    play.act({ kind: "knock", card, groups });
  }

  /** The opponent's options after it. @param {Plan} plan */
  #consequence({ kind, points }) {
    const { state } = this.play;
    if (kind !== "knock") return say(this.texts, "then_nothing");
    const other = gameOf(state)?.order.find((seat) => seat !== state.you.seat);
    const name = other === undefined ? "" : seatName(state, other);
    return say(this.texts, "then_defends", { name, deadwood: points });
  }

  /** @param {Plan} plan */
  #pictures({ card, groups, loose }) {
    const { painter, texts } = this.shell;
    const pictures = groups.map((group) => groupPicture(painter, texts, group, meldKind(group), null));
    if (loose.length > 0) pictures.push(captioned(painter.fan(loose, null), null, say(texts, "deadwood")));
    if (card !== null) {
      const put = captioned(painter.fan([card], null), null, make("strong", {}, say(texts, "put_down")));
      pictures.push(put);
    }
    return pictures;
  }
}
