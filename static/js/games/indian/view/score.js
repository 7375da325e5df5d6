// The result of a deal: every hand open, what it counted and what it cost.

import { make, region, setAttribute, setText } from "../../../lib/dom.js";
import { formatRate } from "../../../lib/format.js";
import { wildRankOf } from "../../../table/core/cards.js";
import { matchOf } from "../core/standing.js";
import { say, seatName } from "../../../table/core/tell.js";
import { amountText, changeText } from "../../../table/view/amounts.js";

/** @typedef {import("../../../table/core/protocol.js").ShownHand} ShownHand */
/** @typedef {import("../../../table/core/protocol.js").TableState} TableState */
/** @typedef {import("../../../table/core/tell.js").Texts} Texts */
/** @typedef {import("../../../table/view/card.js").CardPainter} CardPainter */

export class ResultView {
  /**
   * @param {CardPainter} painter
   * @param {Texts} texts
   */
  constructor(painter, texts) {
    this.painter = painter;
    this.texts = texts;
    this.root = region("result");
    this.next = region("result-next");
    /** The last finished deal, to look at again. @type {TableState | null} */
    this.last = null;
    this.replay = region("result-replay");
    this.matches = this.replay.getAttribute("href") ?? "";
    this.shown = "";
    this.openedItself = false;
  }

  /**
   * Opens by itself for a player when a deal has ended, once, and makes way for the next one.
   * To spectators it would hide the free seats; they have a button for it.
   *
   * @param {TableState} state
   */
  follow(state) {
    const { game, table } = state;
    this.#offerReplay(state);
    if (game === null || game.result === null) {
      if (this.openedItself) this.close();
      return;
    }
    const before = this.last;
    this.last = state;
    this.#offerReplay(state);
    const isNew = before?.table.match !== table.match || before?.game?.deal !== game.deal;
    const opensItself = isNew && state.you.seat !== null;
    this.openedItself ||= opensItself;
    if (opensItself || !this.root.hidden) this.open();
  }

  open() {
    if (this.last?.game?.result == null) return;
    const { game, table } = this.last;
    const key = JSON.stringify([game.result, table.settlement, game.phase === "over"]);
    if (key !== this.shown) this.#fill(this.last, wildRankOf(this.last.game.wild));
    this.shown = key;
    this.root.hidden = false;
  }

  /**
   * To who played in the match; of a match that goes on, a deal is open once the next one is dealt.
   *
   * @param {TableState} state
   */
  #offerReplay({ game, table }) {
    const { last } = this;
    if (last?.game == null) return;
    const { match } = last.table;
    const played = last.game.match?.standings[String(last.you.seat)] !== undefined;
    const isOpen = last.game.phase === "over" || table.match !== match || game?.deal !== last.game.deal;
    this.replay.hidden = !played || !isOpen;
    setAttribute(this.replay, "href", `${this.matches}${match}/deals/${last.game.deal}/`);
  }

  close() {
    this.openedItself = false;
    this.root.hidden = true;
  }

  /**
   * @param {TableState} state
   * @param {number | null} wild
   */
  #fill(state, wild) {
    const result = state.game?.result;
    if (result == null) return;
    const winners = result.winners.map((seat) => seatName(state, seat)).join(", ");
    const isOwn = state.you.seat !== null && result.winners.includes(state.you.seat);
    setText(region("result-title"), this.#title(state, isOwn, winners));
    this.#reason(state);
    this.#fee(state);
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
    const { seat } = state.you;
    if (seat !== null && match.winners.includes(seat)) {
      return say(this.texts, match.winners.length > 1 ? "result_match_shared" : "result_match_won");
    }
    const all = match.winners.map((winner) => seatName(state, winner)).join(", ");
    return say(this.texts, "result_match", { names: all });
  }

  /** Why a declaration failed, for everybody to see. @param {TableState} state */
  #reason({ game }) {
    const element = region("result-reason");
    const reason = game?.declaration?.valid === false ? game.declaration.reason : null;
    element.hidden = reason === null;
    if (reason !== null) setText(element, say(this.texts, `reason_${reason}`));
  }

  /** @param {TableState} state */
  #fee({ table }) {
    const { settlement, currency } = table;
    const text =
      settlement === null
        ? ""
        : say(this.texts, "result_fee", {
            gross: amountText(this.texts, settlement.gross, currency),
            rate: formatRate(settlement.rake_bps ?? table.rake_bps),
            rake: amountText(this.texts, settlement.rake, currency),
            net: amountText(this.texts, settlement.net, currency),
          });
    setText(region("result-fee"), text);
  }

  /**
   * @param {TableState} state
   * @param {ShownHand} hand
   * @param {number | null} wild
   */
  #hand(state, hand, wild) {
    const isWinner = state.game?.result?.winners.includes(hand.seat) ?? false;
    const amount = state.table.settlement?.amounts[String(hand.seat)];
    const points = make("span", { class: "result__points" }, say(this.texts, "points", { points: hand.points }));
    const head = make(
      "div",
      { class: "result__player" },
      make("strong", {}, seatName(state, hand.seat)),
      make("span", { class: "badge" }, say(this.texts, `how_${hand.how}`)),
      points,
    );
    if (amount !== undefined) {
      const change = changeText(this.texts, amount, state.table.currency);
      head.append(make("span", { class: `result__amount num--${amount < 0 ? "out" : "in"}` }, change));
    }
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

/**
 * A group with its name below, to look at.
 *
 * @param {CardPainter} painter
 * @param {Texts} texts
 * @param {readonly string[]} group
 * @param {string | null} kind
 * @param {number | null} wild
 */
export function groupPicture(painter, texts, group, kind, wild) {
  return make(
    "figure",
    { class: "shown-group", "data-kind": kind ?? "none" },
    painter.fan(group, wild),
    make(
      "figcaption",
      {},
      make("span", { class: kind === null ? "visually-hidden" : null }, say(texts, `kind_${kind ?? "none"}`)),
    ),
  );
}
