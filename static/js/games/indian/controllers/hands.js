// What the player's hands can do at the table, whichever way they do it: every action here is
// reached by a button, by a key and, where cards move, by dragging.

import { find } from "../../../lib/dom.js";
import { gather, moveCards, shiftCard, sortBySuit } from "../core/hand.js";
import { isPlaying, mayDiscard } from "../core/permitted.js";
import { questionFor, standingOf } from "../core/standing.js";
import { say } from "../../../table/core/tell.js";
import { costText } from "../../../table/view/amounts.js";

/** @typedef {import("../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("./declaring.js").Declaring} Declaring */
/** @typedef {import("../input/drag.js").Dragged} Dragged */
/** @typedef {import("../input/drag.js").Target} Target */
/** @typedef {import("../../../table/core/game.js").Shell} Shell */
/** @typedef {import("../view/felt.js").Felt} Felt */
/** @typedef {import("./play.js").Play} Play */

export class Hands {
  /**
   * @param {Shell} shell
   * @param {Play} play
   * @param {Felt} felt
   * @param {Declaring} declaring
   * @param {() => void} readTable
   */
  constructor(shell, play, felt, declaring, readTable) {
    this.shell = shell;
    this.play = play;
    this.felt = felt;
    this.declaring = declaring;
    this.texts = shell.texts;
    this.cancelDrag = () => {};
    /** @type {Record<string, (element: HTMLElement) => void>} */
    this.actions = {
      "draw-closed": () => this.draw("closed"),
      "draw-open": () => this.draw("open"),
      discard: () => this.discard(this.chosen),
      finish: () => void declaring.finish(this.chosen),
      declare: () => void declaring.declare(),
      show: () => void declaring.show(),
      drop: () => void this.drop(),
      "auto-drop": () => shell.session.wish({ move: play.state.you.deferred ? {} : { kind: "drop" } }),
      sort: () => this.sort(),
      best: () => void this.best(),
      group: () => this.group(),
      "group-label": (element) => this.label(element),
      "last-deal": () => felt.result.open(),
      "close-result": () => felt.result.close(),
      "ask-yes": () => this.answer(true),
      "ask-no": () => this.answer(false),
    };
    /** @type {Record<string, () => void>} */
    this.letters = {
      c: () => this.draw("closed"),
      o: () => this.draw("open"),
      d: () => this.discard(this.chosen ?? felt.hand.focusedCard),
      f: () => void declaring.finish(this.chosen ?? felt.hand.focusedCard),
      b: () => void this.best(),
      u: () => this.undo(),
      g: () => this.group(),
      s: () => this.sort(),
      r: readTable,
      "?": () => void shell.dialogs.keys(),
    };
    this.dragRules = {
      cardsWith: (/** @type {CardId} */ card) => this.#cardsWith(card),
      accepts: (/** @type {Dragged} */ dragged, /** @type {Target} */ target) =>
        this.#accepts(dragged, target),
      drop: (/** @type {Dragged} */ dragged, /** @type {Target} */ target) =>
        this.#dropped(dragged, target),
    };
  }

  /** The one card that is selected. */
  get chosen() {
    const [card] = this.play.selection;
    return this.play.selection.size === 1 ? (card ?? null) : null;
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

  /** What a match asks between two deals. @param {boolean} accept */
  answer(accept) {
    const { play } = this;
    if (play.may.rejoin) play.act({ kind: "rejoin", accept });
    else if (play.may.answerSplit) play.act({ kind: "answer_split", accept });
    else if (play.may.offerSplit && accept) play.act({ kind: "offer_split" });
    else if (play.may.bring > 0 && accept) bringMore(play.may.bring);
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
    });
    if (confirmed && play.may.drop) play.act({ kind: "drop" });
  }

  sort() {
    this.play.selection.clear();
    this.felt.hand.glide();
    this.play.arrange(sortBySuit(this.play.groups));
  }

  /** Lets the server lay the hand out; once more, and the former arrangement comes back. */
  async best() {
    const { play, felt } = this;
    if (play.arrangement.isBest) {
      this.undo();
      return;
    }
    play.selection.clear();
    felt.hand.glide();
    if (await play.layBest()) this.shell.announcer.say(say(this.texts, "best_laid"));
  }

  undo() {
    this.felt.hand.glide();
    if (this.play.undo()) this.shell.announcer.say(say(this.texts, "undone"));
  }

  /** Makes a group of the selected cards. */
  group() {
    const { play } = this;
    if (play.selection.size === 0) return;
    const cards = [...play.selection];
    play.selection.clear();
    play.arrange(gather(play.groups, cards));
  }

  /**
   * With cards selected, a label takes them into its group; otherwise it selects the group.
   *
   * @param {HTMLElement} element
   */
  label(element) {
    const { play } = this;
    const index = Number(element.parentElement?.dataset.group);
    const group = play.groups[index] ?? [];
    const cards = [...play.selection];
    if (cards.some((card) => !group.includes(card))) {
      play.selection.clear();
      play.arrange(moveCards(play.groups, cards, { group: index, index: group.length }));
      return;
    }
    const isAll = group.every((card) => play.selection.has(card));
    play.selection.clear();
    if (!isAll) for (const card of group) play.selection.add(card);
    play.arrange(play.groups);
  }

  /**
   * @param {CardId} card
   * @param {-1 | 1} step
   */
  shift(card, step) {
    this.play.arrange(shiftCard(this.play.groups, card, step));
    this.felt.hand.focusCard(card);
  }

  escape() {
    this.cancelDrag();
    this.felt.result.close();
    this.shell.closeDrawer();
    this.play.clearSelection();
  }

  /** What leaving means now. */
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

  /** @param {CardId} card */
  #cardsWith(card) {
    const { selection, groups } = this.play;
    return selection.has(card) ? groups.flat().filter((other) => selection.has(other)) : [card];
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
    const { play } = this;
    if (dragged.from !== "hand") {
      this.draw(dragged.from);
      return;
    }
    if (target.onto === "hand") {
      play.selection.clear();
      play.arrange(moveCards(play.groups, dragged.cards, target.place));
      return;
    }
    const [card = null] = dragged.cards;
    if (target.onto === "open") this.discard(card);
    else void this.declaring.finish(card);
  }
}

/**
 * Tops up the stack by the page's own form; the page comes back with it.
 *
 * @param {number} amount
 */
function bringMore(amount) {
  const form = find('form[data-form="top-up"]');
  if (!(form instanceof HTMLFormElement)) return;
  const field = form.elements.namedItem("amount");
  if (field instanceof HTMLInputElement) field.value = String(amount);
  form.submit();
}
