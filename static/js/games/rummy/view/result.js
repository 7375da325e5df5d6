// The panel with the result of a deal: when it opens, where its replay is, what was paid. What
// stands in it a game says.

import { find, make, region, setAttribute, setText } from "../../../lib/dom.js";
import { say } from "../../../table/core/say.js";
import { headings, namesOf, percent, seatName } from "../../../table/core/tell.js";
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
    hintAtMore(find(".result__body", this.root), region("result-more"));
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

  /**
   * Opens by itself for a player when a deal has ended, once, and makes way for the next one.
   * To spectators it would hide the free seats; they have a button for it.
   *
   * @param {TableState} state
   */
  follow(state) {
    const { game, table, you } = state;
    // A player who is stood up when the match ends keeps the seat here: the result speaks to them.
    if (you.seat !== null || this.own.match !== table.match) this.own = { match: table.match, seat: you.seat };
    if (game?.result != null) this.#note(state, game);
    else if (this.openedItself) this.close();
    this.#offerReplay(state);
  }

  /**
   * @param {TableState} state
   * @param {import("../../../table/core/protocol.js").GameView} game
   */
  #note(state, game) {
    const { last, own } = this;
    this.last = { ...state, you: { ...state.you, seat: own.seat } };
    const isNew = last?.table.match !== state.table.match || last?.game?.deal !== game.deal;
    const opensItself = isNew && own.seat !== null;
    this.openedItself ||= opensItself;
    if (opensItself || !this.root.hidden) this.open();
  }

  open() {
    const { last } = this;
    if (last === null) return;
    const { game, table } = last;
    const key = JSON.stringify([game?.result, game?.phase, table.settlement, table.stand_ins]);
    if (key !== this.shown) {
      this.fill(last);
      this.#fee(last);
    }
    this.shown = key;
    this.root.hidden = false;
  }

  close() {
    this.openedItself = false;
    this.root.hidden = true;
  }

  /**
   * @param {TableState} state
   * @param {import("../../../table/core/tell.js").Ended} ended
   */
  head(state, ended) {
    const [title = "", ...below] = headings(this.texts, state, ended);
    setText(region("result-title"), title);
    const more = region("result-reason");
    more.hidden = below.length === 0;
    setText(more, below.join(" · "));
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
    this.replay.hidden = !(String(last.you.seat) in (last.table.names ?? {})) || !isOpen;
    setAttribute(this.replay, "href", `${this.matches}${match}/deals/${last.game.deal}/`);
  }

  /** What the reader wins or loses, what becomes of the pot, and for whom a bot has played. @param {TableState} state */
  #fee(state) {
    const { texts } = this;
    const { table, you } = state;
    const amount = (/** @type {number} */ one) => amountText(texts, one, table.currency);
    const parts = [];
    if (table.settlement !== null) {
      const { amounts, gross, rake, rake_bps: rate = table.rake_bps, net, winners } = table.settlement;
      const own = amounts[String(you.seat)] ?? 0;
      if (own !== 0) parts.push(say(texts, own > 0 ? "result_own_won" : "result_own_lost", { amount: amount(Math.abs(own)) }));
      const names = winners.map((seat) => (seat === you.seat ? say(texts, "result_pot_you") : seatName(state, seat))).join(", ");
      const pot = { gross: amount(gross), rate: percent(texts, rate), rake: amount(rake), net: amount(net), names };
      if (gross > 0) parts.push(say(texts, rake > 0 ? "result_pot" : "result_pot_free", pot));
    }
    const names = namesOf(state, table.stand_ins ?? []);
    if (names !== "") parts.push(say(texts, "result_stand_ins", { names }));
    setText(region("result-fee"), parts.join(" "));
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
