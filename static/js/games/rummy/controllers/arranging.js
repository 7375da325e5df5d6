// Actions that only arrange the cards of a hand: sort, group and move, by any input.

import { gather, moveCards, shiftCard, sortBySuit } from "../../../table/core/hand.js";
import { say } from "../../../table/core/say.js";

/** @typedef {import("../../../table/core/game.js").Shell} Shell */
/** @typedef {import("../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("../../../table/input/drag.js").Place} Place */
/** @typedef {import("../view/hand.js").HandView} HandView */
/** @typedef {import("./own_hand.js").OwnHand} OwnHand */

export class Arranging {
  /**
   * @param {Shell} shell
   * @param {OwnHand} own
   * @param {HandView} view
   */
  constructor(shell, own, view) {
    this.shell = shell;
    this.texts = shell.texts;
    this.own = own;
    this.view = view;
    /** @type {Record<string, (element: HTMLElement) => void>} */
    this.actions = {
      sort: () => this.sort(),
      best: () => void this.best(),
      group: () => this.group(),
      "group-label": (element) => this.label(element),
    };
    /** @type {Record<string, () => void>} */
    this.letters = {
      b: () => void this.best(),
      u: () => this.undo(),
      g: () => this.group(),
      s: () => this.sort(),
      "?": () => void shell.dialogs.keys(),
    };
  }

  /** The only selected card. */
  get chosen() {
    const [card] = this.own.selection;
    return this.own.selection.size === 1 ? (card ?? null) : null;
  }

  /** @param {import("../../../table/core/hand.js").Sorting} [sorting] */
  sort(sorting = sortBySuit) {
    this.own.selection.clear();
    this.view.glide();
    this.own.arrange(sorting(this.own.groups));
  }

  /** Has the server arrange the hand; pressed again, it restores the former arrangement. */
  async best() {
    const { own, view } = this;
    if (own.arrangement.isBest) {
      this.undo();
      return;
    }
    own.selection.clear();
    view.glide();
    if (await own.layBest()) this.shell.announcer.say(say(this.texts, "best_laid"));
  }

  undo() {
    this.view.glide();
    if (this.own.undo()) this.shell.announcer.say(say(this.texts, "undone"));
  }

  /** Makes a group of the selected cards. */
  group() {
    const { own } = this;
    if (own.selection.size === 0) return;
    const cards = this.gathered([...own.selection]);
    own.selection.clear();
    this.view.glide();
    own.arrange(own.tidied(gather(own.groups, cards)));
  }

  /** The cards of a group that is made of these. @param {CardId[]} cards */
  gathered(cards) {
    return cards;
  }

  /**
   * A pressed label adds the selected cards to its group, or a drawn card that fits there; otherwise it
   * selects the group.
   *
   * @param {HTMLElement} element
   */
  label(element) {
    const { own } = this;
    const index = Number(element.parentElement?.dataset.group);
    const group = own.groups[index] ?? [];
    const cards = [...own.selection];
    if (cards.some((card) => !group.includes(card))) {
      this.move(cards, { group: index, index: group.length });
      return;
    }
    const { drawn } = own.state.you;
    if (cards.length === 0 && drawn != null && own.fitting.has(index)) {
      this.move([drawn], { group: index, index: group.length });
      return;
    }
    const isAll = group.every((card) => own.selection.has(card));
    own.selection.clear();
    if (!isAll) for (const card of group) own.selection.add(card);
    own.arrange(own.groups);
  }

  /**
   * @param {readonly CardId[]} cards
   * @param {Place} place
   */
  move(cards, place) {
    this.own.selection.clear();
    this.own.arrange(this.own.tidied(moveCards(this.own.groups, cards, place)));
  }

  /**
   * @param {CardId} card
   * @param {-1 | 1} step
   */
  shift(card, step) {
    this.own.arrange(this.own.tidied(shiftCard(this.own.groups, card, step)));
    this.view.focusCard(card);
  }

  /** The cards that are dragged along with a card. @param {CardId} card */
  cardsWith(card) {
    const { selection, groups } = this.own;
    return selection.has(card) ? groups.flat().filter((other) => selection.has(other)) : [card];
  }
}
