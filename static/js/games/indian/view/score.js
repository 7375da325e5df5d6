// The result of a deal: every hand open, its points and its cost.

import { make, region } from "../../../lib/dom.js";
import { wildRankOf } from "../../../table/core/cards.js";
import { countHand } from "../core/meld.js";
import { matchOf } from "../core/standing.js";
import { say } from "../../../table/core/say.js";
import { namesOf } from "../../../table/core/tell.js";
import { groupPicture } from "../../rummy/view/groups.js";
import { ResultPanel } from "../../rummy/view/result.js";

/** @typedef {import("../../../table/core/protocol.js").ShownHand} ShownHand */
/** @typedef {import("../../../table/core/protocol.js").TableState} TableState */

/** The ways in which a hand is counted by its groups. */
const LAID = new Set(["shown", "saved", "best"]);
/** The ways to lose points without showing a hand. */
const OUT = new Set(["first_drop", "middle_drop", "full_count"]);

/** @typedef {"lesson_pure" | "lesson_second" | null} Lack What to learn from the sequence that is missing. */

/** What a hand that is counted by its groups lacks (R6.2). @param {ShownHand} hand @returns {Lack} */
function lackOf({ how, kinds, points }) {
  if (!LAID.has(how) || points === 0) return null;
  if (!kinds.includes("pure_sequence")) return "lesson_pure";
  return kinds.filter((kind) => kind?.endsWith("sequence")).length < 2 ? "lesson_second" : null;
}

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
    const own = result.hands.find((hand) => hand.seat === seat);
    const lack = own === undefined ? null : lackOf(own);
    const told = [say(this.texts, isOwn ? "result_won" : "result_title", { names })];
    const flaw = this.#flaw(state);
    // The one whose declaration was wrong reads it first.
    if (own?.how === "wrong") told.unshift(...flaw);
    else told.push(...flaw);
    const ended = {
      told,
      lost: own?.points,
      why: own && this.#why(own, lack),
      out: match?.standings[String(seat)]?.place,
      winners: state.game?.phase === "over" ? match?.winners : [],
    };
    this.head(state, ended, lack);
    const hands = result.hands.toSorted((a, b) => a.points - b.points);
    region("result-hands").replaceChildren(...hands.map((hand) => this.#hand(state, hand, wild)));
  }

  /** @param {ShownHand} hand @param {Lack} lack */
  #why({ how }, lack) {
    if (lack === null) return OUT.has(how) && say(this.texts, `how_${how}`);
    return say(this.texts, lack === "lesson_pure" ? "no_pure_sequence" : "flaw_no_second_sequence");
  }

  /**
   * The name of a group, and what it costs.
   *
   * @param {ShownHand} hand
   * @param {string | null} kind
   * @param {boolean} [isFree]
   * @param {number} [points]
   */
  #label({ how, points: lost }, kind, isFree = false, points = 0) {
    const name = say(this.texts, `kind_${kind ?? "none"}`);
    if (isFree || lost === 0 || !LAID.has(how)) return name;
    return say(this.texts, kind === null ? "group_loose" : "group_points", { kind: name, points });
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
      lackOf(hand) === "lesson_pure" ? make("span", { class: "badge" }, say(this.texts, "no_pure_sequence")) : null,
      make("span", { class: "result__points" }, say(this.texts, "points", { points: hand.points })),
      this.amountOf(state, hand.seat),
    );
    const count = countHand(hand.groups, wild, state.rules);
    const groups = hand.groups.map((group, index) => {
      const kind = hand.kinds[index] ?? null;
      return groupPicture(this.painter, this.texts, group, kind, wild, this.#label(hand, kind, count.free[index], count.loose[index]));
    });
    return make(
      "article",
      { class: `result__hand${isWinner ? " result__hand--won" : ""}`, "data-seat": hand.seat },
      head,
      make("div", { class: "result__groups" }, ...groups),
    );
  }
}
