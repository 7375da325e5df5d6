// The panel with the result of a deal: when it opens, where its replay is, what was paid. What
// stands in it a game says.

import { make, region, setAttribute, setText } from "../../../lib/dom.js";
import { formatRate } from "../../../lib/format.js";
import { say } from "../../../table/core/say.js";
import { seatName } from "../../../table/core/tell.js";
import { amountText, changeText } from "../../../table/view/amounts.js";
import { faceOfPlayer } from "../../../table/view/face.js";

/** @typedef {import("../../../table/core/protocol.js").TableState} TableState */
/** @typedef {import("../../../table/core/tell.js").Texts} Texts */
/** @typedef {import("../../../table/view/card.js").CardPainter} CardPainter */

const HINTS_FROM_PX = 12;

export class ResultPanel {
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
    /** Where this player has sat in a match. @type {{match: number | null, seat: number | null}} */
    this.own = { match: null, seat: null };
    this.replay = region("result-replay");
    this.matches = this.replay.getAttribute("href") ?? "";
    this.shown = "";
    this.openedItself = false;
    const body = this.root.querySelector(".result__body");
    if (body instanceof HTMLElement) hintAtMore(body, region("result-more"));
  }

  /** What came of the deal. @param {TableState} _state */
  fill(_state) {}

  /**
   * A player of the match; somebody else may have the seat by now.
   *
   * @param {TableState} state
   * @param {number} seat
   */
  who(state, seat) {
    const name = seatName(state, seat);
    const player = state.seats[seat]?.player;
    return make("strong", {}, player?.name === name ? faceOfPlayer(player) : "", name);
  }

  /** Whether this player was in the match. @param {TableState} _state */
  hasPlayed(_state) {
    return false;
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
    this.#noteOwnSeat(state);
    if (game === null || game.result === null) {
      if (this.openedItself) this.close();
      return;
    }
    const before = this.last;
    this.last = { ...state, you: { ...state.you, seat: this.own.seat } };
    this.#offerReplay(state);
    const isNew = before?.table.match !== table.match || before?.game?.deal !== game.deal;
    const opensItself = isNew && this.own.seat !== null;
    this.openedItself ||= opensItself;
    if (opensItself || !this.root.hidden) this.open();
  }

  open() {
    if (this.last?.game?.result == null) return;
    const { game, table } = this.last;
    const key = JSON.stringify([game.result, table.settlement, table.stand_ins, game.phase === "over"]);
    if (key !== this.shown) {
      this.fill(this.last);
      this.#fee(this.last);
    }
    this.shown = key;
    this.root.hidden = false;
  }

  close() {
    this.openedItself = false;
    this.root.hidden = true;
  }

  /**
   * Keep the seat of a player who is stood up when the match ends: the result speaks to them.
   *
   * @param {TableState} state
   */
  #noteOwnSeat({ you, table }) {
    if (you.seat !== null || this.own.match !== table.match) this.own = { match: table.match, seat: you.seat };
  }

  /**
   * Who has won the match, as its reader is told.
   *
   * @param {TableState} state
   * @param {readonly number[]} winners
   */
  matchTitle(state, winners) {
    const { seat } = state.you;
    if (seat !== null && winners.includes(seat)) {
      return say(this.texts, winners.length > 1 ? "result_match_shared" : "result_match_won");
    }
    const names = winners.map((winner) => seatName(state, winner)).join(", ");
    return say(this.texts, "result_match", { names });
  }

  /**
   * What the match has changed for a seat; null before it is paid.
   *
   * @param {TableState} state
   * @param {number} seat
   */
  amountOf({ table }, seat) {
    const amount = table.settlement?.amounts[String(seat)];
    if (amount === undefined) return null;
    const change = changeText(this.texts, amount, table.currency);
    return make("span", { class: `result__amount num--${amount < 0 ? "out" : "in"}` }, change);
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
    const isOpen = last.game.phase === "over" || table.match !== match || game?.deal !== last.game.deal;
    this.replay.hidden = !this.hasPlayed(last) || !isOpen;
    setAttribute(this.replay, "href", `${this.matches}${match}/deals/${last.game.deal}/`);
  }

  /** What the reader wins or loses, what becomes of the pot, and for whom a bot has played. @param {TableState} state */
  #fee(state) {
    const { table, you } = state;
    const { settlement, currency } = table;
    const parts = [];
    if (settlement !== null) {
      const own = you.seat === null ? 0 : (settlement.amounts[String(you.seat)] ?? 0);
      const amount = amountText(this.texts, Math.abs(own), currency);
      if (own !== 0) parts.push(say(this.texts, own > 0 ? "result_own_won" : "result_own_lost", { amount }));
      if (settlement.gross > 0) parts.push(this.#pot(state, settlement));
    }
    const standIns = table.stand_ins ?? [];
    if (standIns.length > 0) {
      const names = standIns.map((seat) => seatName(state, seat)).join(", ");
      parts.push(say(this.texts, "result_stand_ins", { names }));
    }
    setText(region("result-fee"), parts.join(" "));
  }

  /**
   * @param {TableState} state
   * @param {import("../../../table/core/protocol.js").Settlement} settlement
   */
  #pot(state, { gross, rake, rake_bps: rate, net, winners }) {
    const { table, you } = state;
    const names = winners.map((seat) => (seat === you.seat ? say(this.texts, "result_pot_you") : seatName(state, seat)));
    return say(this.texts, rake > 0 ? "result_pot" : "result_pot_free", {
      gross: amountText(this.texts, gross, table.currency),
      rate: formatRate(rate ?? table.rake_bps),
      rake: amountText(this.texts, rake, table.currency),
      net: amountText(this.texts, net, table.currency),
      names: names.join(", "),
    });
  }
}

/**
 * Says so while there is something below what is in sight.
 *
 * @param {HTMLElement} body
 * @param {HTMLElement} hint
 */
function hintAtMore(body, hint) {
  const look = () => {
    hint.hidden = body.scrollHeight - body.scrollTop - body.clientHeight <= HINTS_FROM_PX;
  };
  body.addEventListener("scroll", look, { passive: true });
  const sizes = new ResizeObserver(look);
  for (const part of [body, ...body.children]) sizes.observe(part);
}

/**
 * When the next deal begins by itself, in this match or the next one.
 *
 * @param {TableState} state
 */
export function nextDealAt({ game, table }) {
  if (game?.phase === "between") return game.due_at;
  return game?.phase === "over" ? table.due_at : null;
}
