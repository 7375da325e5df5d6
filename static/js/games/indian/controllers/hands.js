// The player's actions at the table: each works by button, by key and, where cards move, by dragging.

import { Arranging } from "../../rummy/controllers/arranging.js";
import { meldAround } from "../core/gathering.js";
import { isPlaying, mayDiscard } from "../core/permitted.js";
import { questionFor, standingOf } from "../core/standing.js";
import { say } from "../../../table/core/say.js";
import { costText } from "../../../table/view/amounts.js";

/** @typedef {import("../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("./declaring.js").Declaring} Declaring */
/** @typedef {import("../../../table/input/drag.js").Dragged} Dragged */
/** @typedef {import("../../../table/input/drag.js").Target} Target */
/** @typedef {import("../../../table/core/game.js").Shell} Shell */
/** @typedef {import("../view/felt.js").Felt} Felt */
/** @typedef {import("./play.js").Play} Play */

export class Hands extends Arranging {
  /**
   * @param {Shell} shell
   * @param {Play} play
   * @param {Felt} felt
   * @param {Declaring} declaring
   * @param {() => void} readTable
   */
  constructor(shell, play, felt, declaring, readTable) {
    super(shell, play, felt.hand);
    this.play = play;
    this.felt = felt;
    this.declaring = declaring;
    this.cancelDrag = () => {};
    Object.assign(this.actions, {
      "draw-closed": () => this.draw("closed"),
      "draw-open": () => this.draw("open"),
      discard: () => this.discard(this.chosen),
      finish: () => void declaring.finish(this.chosen),
      declare: () => void declaring.declare(),
      show: () => void declaring.show(),
      drop: () => void this.drop(),
      "auto-drop": () => shell.session.preAction({ move: play.state.you.deferred ? {} : { kind: "drop" } }),
      "last-deal": () => felt.result.open(),
      "close-result": () => felt.result.close(),
      "ask-yes": () => this.answer(true),
      "ask-no": () => this.answer(false),
    });
    Object.assign(this.letters, {
      c: () => this.draw("closed"),
      o: () => this.draw("open"),
      d: () => this.discard(this.chosen ?? felt.hand.focusedCard),
      f: () => void declaring.finish(this.chosen ?? felt.hand.focusedCard),
      r: readTable,
    });
    this.dragRules = {
      cardsWith: (/** @type {CardId} */ card) => this.cardsWith(card),
      accepts: (/** @type {Dragged} */ dragged, /** @type {Target} */ target) =>
        this.#accepts(dragged, target),
      drop: (/** @type {Dragged} */ dragged, /** @type {Target} */ target) =>
        this.#dropped(dragged, target),
    };
  }

  /** A single card is grouped with the meld that it makes. @override @param {CardId[]} cards */
  gathered(cards) {
    const [card] = cards;
    const { groups, wild, state } = this.play;
    return cards.length === 1 && card !== undefined ? meldAround(card, groups, wild, state.rules) : cards;
  }

  /** @param {"closed" | "open"} source */
  draw(source) {
    const { may } = this.play;
    if (source === "open" ? !may.drawOpen : !may.drawClosed) return;
    this.play.selection.clear();
    this.play.act({ kind: "draw", source });
  }

  /** @param {CardId | null} card */
  discard(card) {
    const { play } = this;
    if (card === null || !play.may.discard) return;
    if (!mayDiscard(play.state, card)) {
      this.shell.warn(say(this.texts, "may_not_return"));
      return;
    }
    play.selection.clear();
    play.act({ kind: "discard", card });
  }

  /** Answers the match's question between two deals. @param {boolean} accept */
  answer(accept) {
    const { play } = this;
    if (play.may.rejoin) play.act({ kind: "rejoin", accept });
    else if (play.may.answerSplit) play.act({ kind: "answer_split", accept });
    else if (play.may.offerSplit && accept) play.act({ kind: "offer_split" });
    else if (play.may.bring > 0 && accept) void this.shell.session.done((id) => ({ type: "again", id, amount: play.may.bring }));
  }

  async drop() {
    const { play } = this;
    const { drop, dropPoints } = play.may;
    if (!drop || dropPoints === null) return;
    const confirmed = await this.shell.dialogs.confirm({
      title: say(this.texts, "drop_title"),
      text: this.#costs("drop_text", dropPoints),
      confirm: say(this.texts, "drop"),
      isDanger: true,
      isOptional: true,
    });
    if (confirmed && play.may.drop) play.act({ kind: "drop" });
  }

  escape() {
    this.cancelDrag();
    this.felt.result.close();
    this.shell.closeDrawer();
    this.play.clearSelection();
  }

  /** The consequences of leaving now. */
  leaving() {
    const { state } = this.play;
    const standing = standingOf(state, state.you.seat);
    if (standing !== null && state.game?.phase !== "over") {
      const isIn = standing.membership === "in" || questionFor(state)?.isAsked === true;
      return { text: say(this.texts, isIn ? "leave_text_match" : "leave_text"), isDanger: isIn };
    }
    const isDanger = isPlaying(state) && state.game?.phase !== "over";
    const own = state.game?.players[String(state.you.seat)];
    const points = own?.drop_points ?? state.rules.max_points ?? 80;
    const text = isDanger ? this.#costs("leave_text_playing", points) : say(this.texts, "leave_text");
    return { text, isDanger };
  }

  /**
   * @param {string} key
   * @param {number} points
   */
  #costs(key, points) {
    return costText(this.texts, this.play.state.table, key, points);
  }

  /**
   * @param {Dragged} dragged
   * @param {Target} target
   */
  #accepts(dragged, target) {
    const { may } = this.play;
    if (dragged.from === "hand") {
      return target.onto === "hand" || (may.discard && dragged.cards.length === 1);
    }
    return target.onto === "hand" && (dragged.from === "closed" ? may.drawClosed : may.drawOpen);
  }

  /**
   * @param {Dragged} dragged
   * @param {Target} target
   */
  #dropped(dragged, target) {
    if (dragged.from !== "hand") {
      this.draw(dragged.from);
      return;
    }
    if (target.onto === "hand") {
      this.move(dragged.cards, target.place);
      return;
    }
    const [card = null] = dragged.cards;
    if (target.pile === "open") this.discard(card);
    else void this.declaring.finish(card);
  }
}
