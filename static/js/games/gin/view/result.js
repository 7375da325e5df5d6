// The result of a deal: both hands open, lay-offs, deadwood, and the winner's points.

import { make, region } from "../../../lib/dom.js";
import { say } from "../../../table/core/say.js";
import { seatName } from "../../../table/core/tell.js";
import { captioned, groupPicture } from "../../rummy/view/groups.js";
import { ResultPanel } from "../../rummy/view/result.js";
import { meldKind } from "../core/melds.js";
import { gameOf } from "../core/seen.js";

/** @typedef {import("../core/seen.js").GinResult} GinResult */
/** @typedef {import("../core/seen.js").LaidHand} LaidHand */
/** @typedef {import("../../../table/core/protocol.js").TableState} TableState */

export class ResultView extends ResultPanel {
  /** @override @param {TableState} state */
  fill(state) {
    const game = gameOf(state);
    if (game === null || game.result === null) return;
    const { result } = game;
    const { winners, target } = game.match;
    const { winner, points } = result;
    const { seat } = state.you;
    this.head(state, {
      told: [this.#outcome(state, result)],
      lost: target === null && seat !== null && winner !== null && winner !== seat ? points : 0,
      why: say(this.texts, "deadwood_of", { points: result.hands.find((hand) => hand.seat === seat)?.deadwood ?? 0 }),
      winners: game.phase === "over" && target !== null ? winners : [],
    });
    this.hasLost = seat !== null && winner !== null && winner !== seat;
    const knocker = game.knock?.seat ?? null;
    region("result-hands").replaceChildren(
      ...result.hands.map((hand) => this.#hand(state, result, hand, hand.seat === knocker)),
    );
  }

  /**
   * @param {TableState} state
   * @param {GinResult} result
   */
  #outcome(state, { how, winner, points }) {
    if (winner === null) return say(this.texts, "dead");
    const key = winner === state.you.seat ? `you_won_${how}` : `won_${how}`;
    return say(this.texts, key, { name: seatName(state, winner), points });
  }

  /**
   * @param {TableState} state
   * @param {GinResult} result
   * @param {LaidHand} hand
   * @param {boolean} hasKnocked
   */
  #hand(state, result, { seat, groups, loose, deadwood }, hasKnocked) {
    const { painter, texts } = this;
    const isWinner = result.winner === seat;
    const head = make(
      "div",
      { class: "result__player" },
      this.who(state, seat),
      hasKnocked ? make("span", { class: "badge" }, say(texts, "status_knocked")) : null,
      isWinner && result.how === "undercut" ? make("span", { class: "badge badge--good" }, say(texts, "undercut")) : null,
      make("span", { class: "result__points" }, say(texts, "deadwood_of", { points: deadwood })),
      this.amountOf(state, seat),
    );
    const pictures = groups.map((group) => groupPicture(painter, texts, group, meldKind(group), null));
    const laid = hasKnocked ? [] : result.lay_offs.map(([card]) => card);
    const put = hasKnocked && result.card !== null ? [result.card] : [];
    for (const [key, cards] of /** @type {[string, string[]][]} */ ([
      ["laid_off", laid],
      ["deadwood", loose],
      ["put_down", put],
    ])) {
      if (cards.length > 0) pictures.push(captioned(painter.fan(cards, null), null, say(texts, key)));
    }
    return make(
      "article",
      { class: `result__hand${isWinner ? " result__hand--won" : ""}`, "data-seat": seat },
      head,
      make("div", { class: "result__groups" }, ...pictures),
    );
  }
}
