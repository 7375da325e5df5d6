// The result of a deal: every hand open, its points and its cost.

import { make, region } from "../../../lib/dom.js";
import { wildRankOf } from "../../../table/core/cards.js";
import { matchOf } from "../core/standing.js";
import { say } from "../../../table/core/say.js";
import { namesOf } from "../../../table/core/tell.js";
import { groupPicture } from "../../rummy/view/groups.js";
import { ResultPanel } from "../../rummy/view/result.js";

/** @typedef {import("../../../table/core/protocol.js").ShownHand} ShownHand */
/** @typedef {import("../../../table/core/protocol.js").TableState} TableState */

/** The ways in which a hand is counted by its groups. */
const LAID = new Set(["shown", "saved", "best"]);

export class ResultView extends ResultPanel {
  /** @override @param {TableState} state */
  fill(state) {
    const wild = wildRankOf(state.game?.wild);
    const result = state.game?.result;
    if (result == null) return;
    const { seat } = state.you;
    const names = namesOf(state, result.winners);
    const isOwn = seat !== null && result.winners.includes(seat);
    const match = matchOf(state);
    this.head(state, {
      told: [say(this.texts, isOwn ? "result_won" : "result_title", { names }), ...this.#flaw(state)],
      lost: result.hands.find((hand) => hand.seat === seat)?.points,
      out: match?.standings[String(seat)]?.place,
      winners: state.game?.phase === "over" ? match?.winners : [],
    });
    const hands = result.hands.toSorted((a, b) => a.points - b.points);
    region("result-hands").replaceChildren(...hands.map((hand) => this.#hand(state, hand, wild)));
  }

  /** Why every card of a hand counts (R6.2). @param {ShownHand} hand */
  #lack({ how, kinds, points }) {
    if (!LAID.has(how) || points === 0 || kinds.includes("pure_sequence")) return [];
    return [make("span", { class: "badge" }, say(this.texts, "no_pure_sequence"))];
  }

  /** The reason why a declaration failed, shown to everybody. @param {TableState} state */
  #flaw({ game }) {
    const reason = game?.declaration?.valid === false ? game.declaration.reason : null;
    return reason === null ? [] : [say(this.texts, `reason_${reason}`)];
  }

  /**
   * @param {TableState} state
   * @param {ShownHand} hand
   * @param {number | null} wild
   */
  #hand(state, hand, wild) {
    const isWinner = state.game?.result?.winners.includes(hand.seat);
    const head = make(
      "div",
      { class: "result__player" },
      this.who(state, hand.seat),
      make("span", { class: "badge" }, say(this.texts, `how_${hand.how}`)),
      ...this.#lack(hand),
      make("span", { class: "result__points" }, say(this.texts, "points", { points: hand.points })),
      this.amountOf(state, hand.seat),
    );
    const groups = hand.groups.map((group, index) =>
      groupPicture(this.painter, this.texts, group, hand.kinds[index] ?? null, wild),
    );
    return make(
      "article",
      { class: `result__hand${isWinner ? " result__hand--won" : ""}`, "data-seat": hand.seat },
      head,
      make("div", { class: "result__groups" }, ...groups),
    );
  }
}
