// The panel with the result of a deal: when it opens, the link to its replay, the payments. The game
// provides its content.

import { find, make, region, setAttribute, setText } from "../../../lib/dom.js";
import { nextDealText } from "../core/next_deal.js";
import { say } from "../../../table/core/say.js";
import { headings, namesOf, percent, seatName } from "../../../table/core/tell.js";
import { amountText, changeText } from "../../../table/view/amounts.js";
import { faceOfPlayer } from "../../../table/view/face.js";

/** @typedef {import("../../../table/core/protocol.js").TableState} TableState */
/** @typedef {import("../../../table/core/tell.js").Texts} Texts */
/** @typedef {import("../../../table/view/card.js").CardPainter} CardPainter */

const HINTS_FROM_PX = 12;
/** The winner's cards turn over when the panel opens itself. */
const TURNS_MS = 600;

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
    /** The last finished deal, to be reopened. @type {TableState | null} */
    this.last = null;
    /** This player's seat in a match. @type {{match: number | null, seat: number | null}} */
    this.own = { match: null, seat: null };
    /** Whether the reader has lost points in that deal. */
    this.hasLost = false;
    this.due = /** @type {number | null} */ (null);
    this.replay = region("result-replay");
    this.analysis = region("result-analysis");
    this.lesson = region("result-lesson");
    this.matches = this.replay.getAttribute("href") ?? "";
    this.shown = "";
    this.openedItself = false;
    hintAtMore(find(".result__body", this.root), region("result-more"));
  }

  /** The result of the deal. @param {TableState} _state */
  fill(_state) {}

  /**
   * A player of the match; somebody else may have the seat now.
   *
   * @param {TableState} state
   * @param {number} seat
   */
  who(state, seat) {
    const name = seatName(state, seat);
    const player = state.seats[seat]?.player;
    const face = player?.name === name ? faceOfPlayer(player) : "";
    return make("strong", {}, face, seat === state.you.seat ? say(this.texts, "result_you") : name);
  }

  /**
   * Opens automatically for a player at the end of a deal, once, and closes for the next one. Spectators
   * open it with a button, because it would cover the free seats.
   *
   * @param {TableState} state
   */
  follow(state) {
    const { game, table, you } = state;
    // A player who is stood up at the end of the match keeps the seat here, so that the result addresses
    // them.
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
    if (opensItself) {
      this.root.classList.add("result--new");
      setTimeout(() => this.root.classList.remove("result--new"), TURNS_MS);
    }
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
   * What the result means to its reader, and the key of a sentence from which they may learn.
   *
   * @param {TableState} state
   * @param {import("../../../table/core/tell.js").Ended} ended
   * @param {string | null} [lesson]
   */
  head(state, ended, lesson = "lesson") {
    const [title = "", ...below] = headings(this.texts, state, ended);
    setText(region("result-title"), title);
    const more = region("result-reason");
    more.hidden = below.length === 0;
    // A sentence has its own full stop.
    setText(more, below.join(" · ").replace(/([.।]) · /gu, "$1 "));
    const { seat } = state.you;
    region("result-amount").replaceChildren((seat === null ? null : this.amountOf(state, seat)) ?? "");
    this.hasLost = (ended.lost ?? 0) > 0;
    setText(this.lesson, lesson === null ? "" : say(this.texts, lesson));
  }

  /**
   * The time until the next deal, in words and as a ring that runs down.
   *
   * @param {TableState} state
   * @param {number} now
   */
  tick(state, now) {
    setText(this.next, nextDealText(this.texts, state, now));
    const due = (state.game?.phase === "over" ? state.table : state.game)?.due_at ?? null;
    const isAwaited = !this.root.hidden && this.next.textContent !== "" && due !== null;
    if (this.due === (isAwaited ? due : null)) return;
    this.due = isAwaited ? due : null;
    const ways = region("result-ways");
    ways.classList.toggle("result__ways--awaited", isAwaited);
    if (due !== null) ways.style.setProperty("--wait", `${due - now}ms`);
  }

  /**
   * A seat's gain or loss in the match; null before the payment.
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
   * For players of the match; in an unfinished match, a deal is open once the next one is dealt.
   *
   * @param {TableState} state
   */
  #offerReplay({ game, table }) {
    const { last } = this;
    if (last?.game == null) return;
    const { match } = last.table;
    const isOpen = last.game.phase === "over" || table.match !== match || game?.deal !== last.game.deal;
    this.replay.hidden = !(String(last.you.seat) in (last.table.names ?? {})) || !isOpen;
    const address = `${this.matches}${match}/deals/${last.game.deal}/`;
    setAttribute(this.replay, "href", address);
    setAttribute(this.analysis, "href", `${address}#analysis`);
    const learns = this.hasLost && !this.replay.hidden;
    this.analysis.hidden = !learns;
    this.lesson.hidden = !learns;
  }

  /**
   * The pot, and the players for whom a bot has played. @param {TableState} state
   */
  #fee(state) {
    const { texts } = this;
    const { table, you } = state;
    const amount = (/** @type {number} */ one) => amountText(texts, one, table.currency);
    const parts = [];
    if (table.settlement !== null) {
      const { gross, rake, rake_bps: rate = table.rake_bps, net, winners } = table.settlement;
      const names = winners.map((seat) => (seat === you.seat ? say(texts, "result_pot_you") : seatName(state, seat))).join(", ");
      const pot = { gross: amount(gross), rate: percent(rate), rake: amount(rake), net: amount(net), names };
      if (gross > 0) parts.push(say(texts, rake > 0 ? "result_pot" : "result_pot_free", pot));
    }
    const names = namesOf(state, table.stand_ins ?? []);
    if (names !== "") parts.push(say(texts, "result_stand_ins", { names }));
    setText(region("result-fee"), parts.join(" "));
  }
}

/**
 * Hints at content below the visible part.
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
