// The result of a deal: every hand open, what it counted and what it cost.

import { make, region, setText } from "../../../lib/dom.js";
import { wildRankOf } from "../../../table/core/cards.js";
import { matchOf } from "../core/standing.js";
import { say } from "../../../table/core/say.js";
import { seatName } from "../../../table/core/tell.js";
import { groupPicture } from "../../rummy/view/groups.js";
import { ResultPanel } from "../../rummy/view/result.js";

/** @typedef {import("../../../table/core/protocol.js").ShownHand} ShownHand */
/** @typedef {import("../../../table/core/protocol.js").TableState} TableState */

export class ResultView extends ResultPanel {
  /** @override @param {TableState} state */
  hasPlayed(state) {
    return state.game?.match?.standings[String(state.you.seat)] !== undefined;
  }

  /** @override @param {TableState} state */
  fill(state) {
    const wild = wildRankOf(state.game?.wild);
    const result = state.game?.result;
    if (result == null) return;
    const winners = result.winners.map((seat) => seatName(state, seat)).join(", ");
    const isOwn = state.you.seat !== null && result.winners.includes(state.you.seat);
    setText(region("result-title"), this.#title(state, isOwn, winners));
    this.#reason(state);
    const hands = result.hands.toSorted((a, b) => a.points - b.points);
    region("result-hands").replaceChildren(...hands.map((hand) => this.#hand(state, hand, wild)));
  }

  /**
   * @param {TableState} state
   * @param {boolean} isOwn
   * @param {string} names
   */
  #title(state, isOwn, names) {
    const match = matchOf(state);
    if (match === null || state.game?.phase !== "over") {
      return isOwn ? say(this.texts, "result_won") : say(this.texts, "result_title", { names });
    }
    return this.matchTitle(state, match.winners);
  }

  /** Why a declaration failed, for everybody to see. @param {TableState} state */
  #reason({ game }) {
    const element = region("result-reason");
    const reason = game?.declaration?.valid === false ? game.declaration.reason : null;
    element.hidden = reason === null;
    if (reason !== null) setText(element, say(this.texts, `reason_${reason}`));
  }

  /**
   * @param {TableState} state
   * @param {ShownHand} hand
   * @param {number | null} wild
   */
  #hand(state, hand, wild) {
    const isWinner = state.game?.result?.winners.includes(hand.seat) ?? false;
    const points = make("span", { class: "result__points" }, say(this.texts, "points", { points: hand.points }));
    const head = make(
      "div",
      { class: "result__player" },
      this.who(state, hand.seat),
      make("span", { class: "badge" }, say(this.texts, `how_${hand.how}`)),
      points,
    );
    const amount = this.amountOf(state, hand.seat);
    if (amount !== null) head.append(amount);
    const groups = hand.groups.map((group, index) => this.#group(group, hand.kinds[index] ?? null, wild));
    return make(
      "article",
      { class: `result__hand${isWinner ? " result__hand--won" : ""}`, "data-seat": hand.seat },
      head,
      make("div", { class: "result__groups" }, ...groups),
    );
  }

  /**
   * @param {string[]} group
   * @param {string | null} kind
   * @param {number | null} wild
   */
  #group(group, kind, wild) {
    return groupPicture(this.painter, this.texts, group, kind, wild);
  }
}
