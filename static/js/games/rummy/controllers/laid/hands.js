// The player's actions at tables with melds: each works by button, by key and, where cards move, by
// dragging.

import { sortBySuit } from "../../../../table/core/hand.js";
import { isMatchTable } from "../../../../table/core/stakes.js";
import { say } from "../../../../table/core/say.js";
import { costText } from "../../../../table/view/amounts.js";
import { isPlaying, rulesOf } from "../../core/laid/seen.js";
import { sortByRank } from "../../core/sorting.js";
import { Arranging } from "../arranging.js";

/** @typedef {import("../../../../table/core/game.js").Shell} Shell */
/** @typedef {import("../../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("../../../../table/input/drag.js").Dragged} Dragged */
/** @typedef {import("../../../../table/input/drag.js").Target} Target */
/** @typedef {import("../../view/laid/felt.js").LaidFelt} LaidFelt */
/** @typedef {import("./play.js").LaidPlay} LaidPlay */

/** Keys that lay off on the melds with these numbers. */
const DIGITS = [1, 2, 3, 4, 5, 6, 7, 8, 9];

export class LaidHands extends Arranging {
  /**
   * @param {Shell} shell
   * @param {LaidPlay} play
   * @param {LaidFelt} felt
   */
  constructor(shell, play, felt) {
    super(shell, play, felt.hand);
    this.play = play;
    this.felt = felt;
    this.isByRank = false;
    this.cancelDrag = () => {};
    Object.assign(this.actions, {
      "draw-closed": () => this.draw("closed"),
      "draw-open": () => this.draw("open"),
      discard: () => this.discard(this.chosen),
      lay: () => void this.lay(),
      "lay-off": (/** @type {HTMLElement} */ { dataset }) => this.layOff(Number(dataset.meld), this.play.chosen(), Number(dataset.way)),
      "last-deal": () => felt.result.open(),
      "close-result": () => felt.result.close(),
    });
    Object.assign(this.letters, {
      c: () => this.draw("closed"),
      o: () => this.draw("open"),
      d: () => this.discard(this.chosen ?? felt.hand.focusedCard),
      l: () => void this.lay(),
    });
    for (const digit of DIGITS) {
      this.letters[digit] = () => this.layOff(digit - 1, this.play.chosen(felt.hand.focusedCard));
    }
  }

  /** Lays melds: of the chosen cards, or of the hand as it lies. @returns {void | Promise<void>} */
  lay() {}

  /**
   * Lays cards off on a meld.
   *
   * @param {number} _meld
   * @param {readonly CardId[]} _cards
   * @param {number} [_way] Which of several possible ways.
   */
  layOff(_meld, _cards, _way) {}

  /** @param {"closed" | "open"} source */
  draw(source) {
    const { may } = this.play;
    if (!(source === "open" ? may.drawOpen : may.drawClosed)) return;
    this.play.selection.clear();
    this.play.act({ kind: "draw", source });
  }

  /** @param {CardId | null} card */
  discard(card) {
    const { play } = this;
    if (card === null || !play.may.discard) return;
    if (play.mayDiscard(card)) this.send({ kind: "discard", card });
    else this.shell.warn(say(this.texts, "may_not_return"));
  }

  /** @param {import("../../../../table/core/protocol.js").Move} move A move with the chosen cards. */
  send(move) {
    this.play.selection.clear();
    this.play.act(move);
  }

  /** Sorts by suits and by ranks in turn. @override */
  sort() {
    super.sort(this.isByRank ? sortByRank : sortBySuit);
    this.isByRank = !this.isByRank;
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
    const isMatch = isMatchTable(state.table) && state.game !== null && state.game.phase !== "over";
    if (isMatch && state.you.seat !== null) return { text: say(this.texts, "leave_text_game"), isDanger: true };
    if (!isPlaying(state)) return { text: say(this.texts, "leave_text"), isDanger: false };
    return { text: costText(this.texts, state.table, "leave_text_playing", rulesOf(state).leave_points ?? 0), isDanger: true };
  }

  /**
   * @param {Dragged} dragged
   * @param {Target} target
   */
  accepts(dragged, target) {
    const { may } = this.play;
    if (dragged.from !== "hand") {
      return target.onto === "hand" && (dragged.from === "closed" ? may.drawClosed : may.drawOpen);
    }
    if (target.onto === "hand") return true;
    if (target.pile === "open") return may.discard && dragged.cards.length === 1;
    return target.pile === "board" ? may.lay : this.play.offers(meldOf(target.pile), dragged.cards).length > 0;
  }

  /**
   * @param {Dragged} dragged
   * @param {Target} target
   */
  dropped(dragged, target) {
    if (dragged.from !== "hand") this.draw(dragged.from);
    else if (target.onto === "hand") this.move(dragged.cards, target.place);
    else if (target.pile === "open") this.discard(dragged.cards[0] ?? null);
    else if (target.pile === "board") this.dragged(dragged.cards);
    else this.layOff(meldOf(target.pile), dragged.cards);
  }

  /** Cards were dropped beside the melds. @param {readonly CardId[]} _cards */
  dragged(_cards) {}
}

/** @param {string} pile The value of `data-drop`. */
const meldOf = (pile) => Number(pile.replace("meld-", ""));
