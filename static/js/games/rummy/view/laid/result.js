// The result of a deal: its winner, and each player's cards and losses.

import { make, region } from "../../../../lib/dom.js";
import { say } from "../../../../table/core/say.js";
import { namesOf } from "../../../../table/core/tell.js";
import { gameOf } from "../../core/laid/seen.js";
import { ResultPanel } from "../result.js";

/** @typedef {import("../../core/laid/seen.js").HeldHand} HeldHand */
/** @typedef {import("../../core/laid/seen.js").LaidMatch} LaidMatch */
/** @typedef {import("../../core/laid/seen.js").LaidResult} LaidResult */
/** @typedef {import("../../../../table/core/protocol.js").TableState} TableState */

/**
 * Each seat's score in the match.
 *
 * @param {LaidMatch} match
 * @returns {Record<string, number>}
 */
export const standingIn = ({ scores, totals }) => scores ?? totals ?? {};

export class LaidResultView extends ResultPanel {
  /** Whether the match has several deals. @param {LaidMatch} match */
  static isLong = ({ deals }) => deals !== 1;

  /** @override @param {TableState} state */
  fill(state) {
    const game = gameOf(state);
    if (game === null || game.result === null) return;
    const { match, result } = game;
    const own = result.hands.find(({ seat }) => seat === state.you.seat);
    this.head(state, {
      told: [this.#outcome(state, result)],
      lost: result.points[String(state.you.seat)],
      why: own?.count && say(this.texts, "hand_left", { points: own.count }),
      winners: game.phase === "over" && LaidResultView.isLong(match) ? match.winners : [],
    });
    const won = (/** @type {HeldHand} */ { seat }) => result.winners.includes(seat);
    const hands = [...result.hands.filter(won), ...result.hands.filter((hand) => !won(hand))];
    region("result-hands").replaceChildren(...hands.map((hand) => this.#hand(state, result, hand)));
  }

  /**
   * @param {TableState} state
   * @param {LaidResult} result
   */
  #outcome(state, { how, winners }) {
    const names = namesOf(state, winners);
    if (winners.length === 0) return say(this.texts, "counted");
    const isOwn = winners[0] === state.you.seat && winners.length === 1;
    if (how === "blocked" || how === "limit") return say(this.texts, isOwn ? "you_won_lowest" : "won_lowest", { names });
    return say(this.texts, isOwn ? `you_won_${how}` : `won_${how}`, { name: names });
  }

  /**
   * @param {TableState} state
   * @param {LaidResult} result
   * @param {HeldHand} hand
   */
  #hand(state, { winners, points }, { seat, groups, count }) {
    const { painter, texts } = this;
    const isWinner = winners.includes(seat);
    const lost = points[String(seat)] ?? 0;
    const cards = groups.flat();
    const head = make(
      "div",
      { class: "result__player" },
      this.who(state, seat),
      isWinner ? make("span", { class: "badge badge--good" }, say(texts, "status_won")) : null,
      cards.length > 0 ? make("span", { class: "muted" }, say(texts, "hand_left", { points: count })) : null,
      make("span", { class: "result__points" }, say(texts, lost > 0 ? "points_lost" : "points", { points: lost })),
      this.amountOf(state, seat),
    );
    const wild = state.game === null ? null : this.wild(state);
    const held = cards.length === 0 ? null : painter.fan(cards, wild);
    return make("article", { class: `result__hand${isWinner ? " result__hand--won" : ""}`, "data-seat": seat }, head, held);
  }

  /** The rank that is wild. @param {TableState} _state @returns {number | null} */
  wild(_state) {
    return null;
  }
}
