// The player's actions at a table of gin: each works by button, by key and, where cards move, by dragging.

import { Arranging } from "../../rummy/controllers/arranging.js";
import { sortBySuit } from "../../../table/core/hand.js";
import { sortByRank } from "../../rummy/core/sorting.js";
import { say } from "../../../table/core/say.js";
import { costText } from "../../../table/view/amounts.js";
import { mayDiscard } from "../core/permitted.js";
import { isPlaying } from "../core/seen.js";

/** @typedef {import("../../../table/core/game.js").Shell} Shell */
/** @typedef {import("../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("../../../table/input/drag.js").Dragged} Dragged */
/** @typedef {import("../../../table/input/drag.js").Target} Target */
/** @typedef {import("../view/felt.js").Felt} Felt */
/** @typedef {import("./defending.js").Defending} Defending */
/** @typedef {import("./knocking.js").Knocking} Knocking */
/** @typedef {import("./play.js").Play} Play */

export class Hands extends Arranging {
  /**
   * @param {Shell} shell
   * @param {Play} play
   * @param {Felt} felt
   * @param {Knocking} knocking
   * @param {Defending} defending
   */
  constructor(shell, play, felt, knocking, defending) {
    super(shell, play, felt.hand);
    this.play = play;
    this.felt = felt;
    this.defending = defending;
    this.isByRank = false;
    this.cancelDrag = () => {};
    const discarded = () => this.discard(this.chosen ?? felt.hand.focusedCard);
    Object.assign(this.actions, {
      "draw-closed": () => this.draw("closed"),
      "draw-open": () => this.draw("open"),
      take: () => this.draw("open"),
      pass: () => this.pass(),
      discard: () => this.discard(this.chosen),
      knock: () => void knocking.knock(this.chosen),
      "big-gin": () => void knocking.bigGin(),
      defend: () => void defending.confirm(),
      "lay-off": (/** @type {HTMLElement} */ { dataset }) => this.layOff(Number(dataset.meld)),
      "take-back": (/** @type {HTMLElement} */ { dataset }) => defending.takeBack(dataset.laid ?? ""),
      "last-deal": () => felt.result.open(),
      "close-result": () => felt.result.close(),
    });
    Object.assign(this.letters, {
      c: () => this.draw("closed"),
      o: () => this.draw("open"),
      p: () => this.pass(),
      d: discarded,
      k: () => void knocking.knock(this.chosen),
      l: () => void defending.confirm(),
      1: () => this.layOff(0),
      2: () => this.layOff(1),
      3: () => this.layOff(2),
    });
  }

  /** @param {"closed" | "open"} source */
  draw(source) {
    const { may } = this.play;
    if (!(source === "open" ? may.drawOpen : may.drawClosed)) return;
    this.play.selection.clear();
    this.play.act({ kind: "draw", source });
  }

  pass() {
    if (this.play.may.pass) this.play.act({ kind: "pass" });
  }

  /** @param {CardId | null} card */
  discard(card) {
    const { may, state, selection } = this.play;
    if (card === null || !may.discard) return;
    if (mayDiscard(state, card)) {
      selection.clear();
      this.play.act({ kind: "discard", card });
    } else this.shell.warn(say(this.texts, "may_not_return"));
  }

  /** @param {number} meld */
  layOff(meld) {
    const { selection } = this.play;
    const focused = this.felt.hand.focusedCard;
    const cards = selection.size === 0 && focused !== null ? [focused] : [...selection];
    this.defending.layOff(meld, cards);
  }

  /** Sorts by suits and by ranks in turn. @override */
  sort() {
    super.sort(this.isByRank ? sortByRank : sortBySuit);
    this.isByRank = !this.isByRank;
  }

  /** @override */
  async best() {
    if (this.play.may.defend) this.defending.layBest();
    else await super.best();
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
    const isGame = state.game !== null && state.game.phase !== "over" && state.rules.target != null;
    if (isGame) return { text: say(this.texts, "leave_text_game"), isDanger: true };
    if (!isPlaying(state)) return { text: say(this.texts, "leave_text"), isDanger: false };
    const text = costText(this.texts, state.table, "leave_text_playing", state.rules.gin_bonus ?? 0);
    return { text, isDanger: true };
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
    return target.pile === "open" ? may.discard && dragged.cards.length === 1 : may.defend;
  }

  /**
   * @param {Dragged} dragged
   * @param {Target} target
   */
  dropped(dragged, target) {
    if (dragged.from !== "hand") this.draw(dragged.from);
    else if (target.onto === "hand") this.move(dragged.cards, target.place);
    else if (target.pile === "open") this.discard(dragged.cards[0] ?? null);
    else this.defending.layOff(Number(target.pile.replace("meld-", "")), dragged.cards);
  }
}
