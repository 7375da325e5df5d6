// Everything that a table of Indian rummy shows: piles, hand, discards, result, questions.

import { find, region, setText } from "../../../lib/dom.js";
import { clockText } from "../../../table/core/clock.js";
import { legalMove } from "../../../table/core/stakes.js";
import { say } from "../../../table/core/say.js";
import { showButton } from "../../../table/view/buttons.js";
import { sessionMemory } from "../../../table/io/storage.js";
import { withoutCard } from "../../../table/core/hand.js";
import { DealHistory } from "../core/history.js";
import { countHand, declarationFlaw, HAND_SIZE } from "../core/meld.js";
import { isOut, isPlaying, mayDiscard, owesShow } from "../core/permitted.js";
import { AskView } from "./ask.js";
import { DiscardsView } from "../../rummy/view/discards.js";
import { HandView } from "../../rummy/view/hand.js";
import { PilesView } from "./piles.js";
import { ResultView } from "./score.js";
import { StandingsView } from "./standings.js";

/** @typedef {import("../../../table/core/game.js").Shell} Shell */
/** @typedef {import("../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("../core/permitted.js").Permitted} Permitted */
/** @typedef {import("../controllers/play.js").Play} Play */

export class Felt {
  /**
   * @param {Shell} shell
   * @param {Play} play
   */
  constructor({ root, texts, painter, session, left }, play) {
    this.root = root;
    this.texts = texts;
    this.session = session;
    this.left = left;
    this.play = play;
    this.hand = new HandView(region("hand"), painter, texts);
    this.piles = new PilesView(painter, texts);
    this.discards = new DiscardsView(painter, texts);
    this.result = new ResultView(painter, texts);
    this.ask = new AskView(texts);
    this.scores = [region("scores"), region("result-scores")].map((at) => new StandingsView(at, texts));
    this.history = new DealHistory(sessionMemory(`openrummy.deals.${root.dataset.socket}`));
  }

  render() {
    const { play, session } = this;
    const { state, wild, may } = play;
    this.piles.render(state.game, wild, may, play.moving);
    this.#hand();
    this.discards.render(state, wild);
    this.result.follow(state);
    this.history.follow(state);
    for (const scores of this.scores) scores.render(state, this.history.records);
    this.ask.render(state, session.ready, session.purse);
    this.root.dataset.asks = String(!this.ask.root.hidden);
    this.#buttons(may);
  }

  /** Updates the clocks only. */
  tick() {
    const { state, now } = this.session;
    this.result.tick(state, now);
    const left = this.left();
    const due = state.game?.phase === "over" ? state.table.due_at : null;
    const next = due === null ? "" : clockText(due - now);
    this.ask.tick(left === null ? next : clockText(left.ms));
  }

  #hand() {
    const { state, wild, groups, moving, selection } = this.play;
    const count = countHand(groups, wild, state.rules);
    this.hand.render({
      groups,
      count,
      wild,
      selection,
      drawn: state.you.drawn ?? null,
      fitting: this.play.fitting,
      leaving: moving !== null && typeof moving.card === "string" ? moving.card : null,
      isOut: isOut(state.game?.players[String(state.you.seat)]),
    });
    const isMost = count.points >= (state.rules.max_points ?? Infinity);
    const key = isMost ? "hand_points_most" : "hand_points";
    const points = isPlaying(state) ? say(this.texts, key, { points: count.points }) : "";
    const isReady = isPlaying(state) && declarationFlaw(groups, wild, state.rules) === null;
    setText(region("hand-count"), isReady ? say(this.texts, "ready_to_declare") : points);
    region("hand-count").classList.toggle("me__count--ready", isReady);
  }

  /** @param {Permitted} may */
  #buttons(may) {
    const { play } = this;
    const { state, selection } = play;
    const [card] = selection;
    const one = selection.size === 1 && card !== undefined ? card : null;
    const buttons = showButton.bind(null, this.root);
    const shows = may.declare || state.game?.phase === "declare" || state.game?.phase === "show";
    const isOver = state.game === null || state.game.phase === "over" || !isPlaying(state);
    buttons("sort", { enabled: play.groups.length > 0 && !isOver });
    buttons("group", { enabled: selection.size > 0 && !isOver });
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
    buttons("declare", { enabled: may.declare, hidden: legalMove(state, "declare") === null });
    buttons("show", { enabled: may.show, hidden: !owesShow(state) });
    const mayDropLater = !isOver && !shows && may.dropPoints !== null && !may.drop;
    buttons("drop", { enabled: may.drop, hidden: isOver || shows || may.dropPoints === null || mayDropLater });
    buttons("auto-drop", {
      enabled: this.session.isConnected,
      hidden: !mayDropLater || state.game?.turn === state.you.seat,
      pressed: state.you.deferred?.kind === "drop",
    });
    buttons("last-deal", { enabled: true, hidden: this.result.last === null });
    const finish = find('[data-action="finish"]', this.root);
    finish.classList.toggle("actions__finish--ready", this.#finishes(one));
  }

  /**
   * Whether discarding the chosen card leaves a hand that can be declared as it lies.
   *
   * @param {CardId | null} card
   */
  #finishes(card) {
    const { groups, wild, state } = this.play;
    if (card === null || groups.flat().length !== HAND_SIZE + 1) return false;
    return declarationFlaw(withoutCard(groups, card), wild, state.rules) === null;
  }
}
