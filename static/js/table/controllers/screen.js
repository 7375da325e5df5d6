// Shows a table: hands what changed to the views, and keeps clocks running.

import { find, region, setAttribute, setText } from "../../lib/dom.js";
import { formatRate } from "../../lib/format.js";
import { clockText, remaining } from "../core/clock.js";
import { countHand, declarationFlaw, HAND_SIZE } from "../core/meld.js";
import { withoutCard } from "../core/hand.js";
import { isOut, isOwnClock, isPlaying, mayDiscard } from "../core/permitted.js";
import { DealHistory } from "../core/history.js";
import { isMatchTable, matchOf, prizeOf } from "../core/standing.js";
import { say } from "../core/tell.js";
import { sessionMemory } from "../io/storage.js";
import { amountText } from "../view/amounts.js";
import { AskView } from "../view/ask.js";
import { CardPainter } from "../view/card.js";
import { DiscardsView, MovesView } from "../view/discards.js";
import { HandView } from "../view/hand.js";
import { ChatView } from "../view/chat.js";
import { noticeFor, statusFor } from "../view/notice.js";
import { PilesView } from "../view/piles.js";
import { ResultView } from "../view/score.js";
import { SeatsView, showClock } from "../view/seats.js";
import { StandingsView } from "../view/standings.js";

/** @typedef {import("../core/protocol.js").CardId} CardId */
/** @typedef {import("../core/tell.js").Texts} Texts */
/** @typedef {import("./play.js").Play} Play */

export class Screen {
  /**
   * @param {HTMLElement} root
   * @param {Texts} texts
   */
  constructor(root, texts) {
    this.root = root;
    this.texts = texts;
    const { suits = "", icons = "" } = root.dataset;
    this.painter = new CardPainter(suits, texts);
    this.hand = new HandView(region("hand"), this.painter, texts);
    this.piles = new PilesView(this.painter, texts);
    this.seats = new SeatsView(this.painter, texts, icons);
    this.discards = new DiscardsView(this.painter, texts);
    this.result = new ResultView(this.painter, texts);
    this.moves = new MovesView();
    this.ask = new AskView(texts);
    this.scores = [region("scores"), region("result-scores")].map((at) => new StandingsView(at, texts));
    const dock = region("dock");
    new ResizeObserver(() => root.style.setProperty("--dock-height", `${dock.offsetHeight}px`)).observe(dock);
    this.history = new DealHistory(sessionMemory(`openrummy.deals.${root.dataset.socket}`));
    this.toastRegion = region("toast");
    this.chat = new ChatView(texts);
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.toastTimer = undefined;
  }

  /** @param {Play} play */
  render(play) {
    const { state, wild } = play;
    document.body.dataset.net = play.net;
    setText(region("status"), statusFor(this.texts, play.net, play.sync.synced));
    this.root.dataset.phase = state.game?.phase ?? "none";
    this.root.dataset.seated = String(state.you.seat !== null);
    this.root.classList.toggle("table--own-turn", isOwnClock(state));
    this.#stakes(play);
    this.#entrance(play);
    this.seats.render(state, acting(play), wild, play.here);
    this.piles.render(state.game, wild, play.may, play.moving);
    this.#hand(play);
    this.discards.render(state, wild);
    this.result.follow(state);
    this.history.follow(state);
    for (const scores of this.scores) scores.render(state, this.history.records);
    this.ask.render(state, play.net === "online" && play.sync.ready, play.purse);
    this.root.dataset.asks = String(!this.ask.root.hidden);
    this.chat.render(state);
    this.#buttons(play);
    setText(region("commitment"), state.table.commitment ?? "–");
    setText(region("own-seed"), play.seed === "" ? "–" : play.seed);
    this.tick(play);
  }

  /** Clocks only; called several times a second. @param {Play} play */
  tick(play) {
    const { state } = play;
    const left = remaining(state.game, state.rules, play.now);
    const running = acting(play);
    for (const { seat } of state.seats) {
      const own = running.includes(seat) ? left : null;
      showClock(this.seats.clockOf(seat), own, own === null ? "" : this.#clock(own));
    }
    setText(region("notice"), noticeFor(this.texts, play));
    const due = nextDealAt(play);
    const next = due === null ? "" : clockText(due - play.now);
    const key = isMatchTable(state.table) && state.game?.phase === "over" ? "next_match" : "next_deal";
    setText(this.result.next, next && say(this.texts, key, { time: next }));
    this.ask.tick(left === null ? next : clockText(left.ms));
  }

  /**
   * Says something for a moment, over everything else.
   *
   * @param {string} text
   */
  toast(text) {
    clearTimeout(this.toastTimer);
    this.toastRegion.hidden = false;
    setText(this.toastRegion, text);
    this.toastTimer = setTimeout(() => {
      this.toastRegion.hidden = true;
    }, 5000);
  }

  /** @param {import("../core/clock.js").Remaining} left */
  #clock({ part, ms }) {
    const time = clockText(ms);
    return part === "extra" ? say(this.texts, "extra_time", { time }) : time;
  }

  /** The waiting list is for who finds all seats taken. @param {Play} play */
  #entrance({ state }) {
    // In a deal the hand needs the room.
    const invite = this.root.querySelector('[data-region="invite"]');
    if (invite instanceof HTMLElement) invite.hidden = isPlaying(state);
    const queue = this.root.querySelector('[data-region="queue"]');
    if (!(queue instanceof HTMLElement)) return;
    const isFull = state.seats.every((seat) => seat.player !== null);
    queue.hidden = state.you.seat !== null || !isFull || this.root.dataset.signedIn !== "yes";
  }

  /** @param {Play} play */
  #stakes({ state }) {
    const { table, game } = state;
    const match = matchOf(state);
    if (isMatchTable(table)) {
      const parts = [];
      // What is won at the table of an event, the event's own page says.
      if (!table.event_url) {
        const fee = amountText(this.texts, table.entry_fee ?? 0, table.currency);
        parts.push(say(this.texts, "entry", { fee }));
      }
      if (match !== null && game !== null) {
        const number = { deal: game.deal, deals: match.deals ?? 0 };
        if (!table.event_url) {
          const prize = amountText(this.texts, prizeOf(table), table.currency);
          parts.push(say(this.texts, "prize", { prize }));
        }
        parts.push(
          say(this.texts, match.deals === null || game.deal > match.deals ? "deal_number" : "deal_of", number),
        );
      }
      setText(region("stakes"), parts.join(" · "));
      return;
    }
    const value = amountText(this.texts, table.point_value, table.currency);
    const text = say(this.texts, "stakes", { value, rate: formatRate(table.rake_bps) });
    setText(region("stakes"), text);
  }

  /** @param {Play} play */
  #hand(play) {
    const { state, wild, groups } = play;
    const count = countHand(groups, wild, state.rules);
    const move = play.moving;
    this.hand.render({
      groups,
      count,
      wild,
      selection: play.selection,
      drawn: state.you.drawn ?? null,
      leaving: move !== null && typeof move.card === "string" ? move.card : null,
      isOut: isOut(state.game?.players[String(state.you.seat)]),
    });
    const points = isPlaying(state) ? say(this.texts, "group_loose", { points: count.points }) : "";
    const isReady = isPlaying(state) && declarationFlaw(groups, wild, state.rules) === null;
    setText(region("hand-count"), isReady ? say(this.texts, "ready_to_declare") : points);
    region("hand-count").classList.toggle("me__count--ready", isReady);
  }

  /** @param {Play} play */
  #buttons(play) {
    const { may, state, selection } = play;
    const [card] = selection;
    const one = selection.size === 1 && card !== undefined ? card : null;
    const buttons = this.#button.bind(this);
    const shows = may.declare || state.game?.phase === "declare" || state.game?.phase === "show";
    const isConnected = play.net === "online" && play.sync.synced;
    const isOver = state.game === null || state.game.phase === "over" || !isPlaying(state);
    buttons("sort", { enabled: play.groups.length > 0 });
    buttons("group", { enabled: selection.size > 0 });
    const mayUndo = play.arrangement.isBest;
    buttons("best", {
      enabled: may.best || mayUndo,
      hidden: state.table.help?.arrangement !== true || isOver,
    });
    setText(find('[data-part="best"]', this.root), say(this.texts, mayUndo ? "undo" : "best"));
    buttons("discard", {
      enabled: may.discard && one !== null && mayDiscard(state, one),
      hidden: shows || isOver,
    });
    buttons("finish", { enabled: may.finish && one !== null, hidden: shows || isOver });
    buttons("declare", { enabled: may.declare, hidden: !isDeclaring(play) });
    buttons("show", { enabled: may.show, hidden: !isOwnShow(play) });
    const mayDropLater = !isOver && !shows && may.dropPoints !== null && !may.drop;
    buttons("drop", { enabled: may.drop, hidden: isOver || shows || may.dropPoints === null || mayDropLater });
    buttons("auto-drop", {
      enabled: isConnected,
      hidden: !mayDropLater || state.game?.turn === state.you.seat,
      pressed: state.you.deferred?.kind === "drop",
    });
    buttons("last-one", {
      enabled: isConnected,
      hidden: isOver || Boolean(state.table.event_url),
      pressed: state.you.last_deal ?? false,
    });
    buttons("last-deal", { enabled: true, hidden: this.result.last === null });
    buttons("leave", { enabled: true, hidden: state.you.seat === null || Boolean(state.table.event_url) });
    const finish = find('[data-action="finish"]', this.root);
    finish.classList.toggle("actions__finish--ready", this.#finishes(play, one));
  }

  /**
   * Whether the chosen card leaves a hand that may be declared as it lies.
   *
   * @param {Play} play
   * @param {CardId | null} card
   */
  #finishes({ groups, wild, state }, card) {
    if (card === null || groups.flat().length !== HAND_SIZE + 1) return false;
    return declarationFlaw(withoutCard(groups, card), wild, state.rules) === null;
  }

  /**
   * @param {string} name
   * @param {{enabled: boolean, hidden?: boolean, pressed?: boolean}} how
   */
  #button(name, { enabled, hidden = false, pressed }) {
    const button = find(`[data-action="${name}"]`, this.root);
    if (pressed !== undefined) setAttribute(button, "aria-pressed", String(pressed));
    setAttribute(button, "disabled", !enabled);
    button.hidden = hidden;
  }
}

/**
 * The seats whose clock runs.
 *
 * @param {Play} play
 * @returns {number[]}
 */
function acting({ state: { game } }) {
  if (game === null) return [];
  if (game.phase === "turn") return game.turn === null ? [] : [game.turn];
  if (game.phase === "declare") return game.finish === null ? [] : [game.finish.seat];
  if (game.phase === "rejoin" || game.phase === "split") return game.match?.waiting ?? [];
  if (game.phase !== "show") return [];
  return Object.entries(game.players).flatMap(([seat, player]) =>
    player.status === "playing" && !player.shown && Number(seat) !== game.declaration?.seat
      ? [Number(seat)]
      : [],
  );
}

/**
 * When the next deal begins by itself, in this match or the next one.
 *
 * @param {Play} play
 */
function nextDealAt({ state: { game, table } }) {
  if (game?.phase === "between") return game.due_at;
  return game?.phase === "over" ? table.due_at : null;
}

/** @param {Play} play */
const isDeclaring = ({ state: { game, you } }) =>
  game?.phase === "declare" && game.finish?.seat === you.seat;

/** @param {Play} play */
const isOwnShow = ({ state }) => state.game?.phase === "show" && isOwnClock(state);
