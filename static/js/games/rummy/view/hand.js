// The player's hand: groups of cards, each with a label. Card nodes are reused and moved, so that focus and
// a running drag survive every change.

import { make, setAttribute, setText } from "../../../lib/dom.js";
import { PACES, readPreference, wantsMotion } from "../../../lib/prefs.js";
import { fitHand } from "../../../table/core/fit.js";
import { say } from "../../../table/core/say.js";

/** @typedef {import("../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("../../../table/core/protocol.js").Group} Group */
/** @typedef {import("../../../table/core/tell.js").Texts} Texts */
/** @typedef {import("../../../table/view/card.js").CardPainter} CardPainter */

/**
 * @typedef {object} Count The points of the groups.
 * @property {readonly (string | null)[]} kinds
 * @property {readonly boolean[]} free Groups that count nothing.
 * @property {readonly number[]} loose Each group's own points.
 */

/**
 * @typedef {object} HandModel
 * @property {readonly Group[]} groups
 * @property {Count} count
 * @property {number | null} wild
 * @property {ReadonlySet<CardId>} selection
 * @property {CardId | null} drawn
 * @property {CardId | readonly CardId[] | null} leaving The cards of the pending move.
 * @property {ReadonlySet<number>} [fitting] Groups that the drawn card may join.
 * @property {boolean} isOut Dropped or beaten: the cards are out of play.
 */

/** The duration of a rearrangement's animation. */
const GLIDE_MS = 180;
/** A rearrangement that arrives later than this is not animated. */
const GLIDES_WITHIN_MS = 1500;

export class HandView {
  /**
   * @param {HTMLElement} root
   * @param {CardPainter} painter
   * @param {Texts} texts
   */
  constructor(root, painter, texts) {
    this.root = root;
    this.painter = painter;
    this.texts = texts;
    /** @type {Map<CardId, HTMLButtonElement>} */
    this.cards = new Map();
    /** The only card that the Tab key reaches. @type {CardId | null} */
    this.current = null;
    /** @type {readonly number[]} */
    this.sizes = [];
    /** Until this time the next rearrangement is animated. */
    this.glidesUntil = 0;
    new ResizeObserver(() => this.fit()).observe(root);
  }

  /** @param {HandModel} model */
  render(model) {
    const focused = document.activeElement;
    const place = [...this.root.querySelectorAll("[data-card]")].findIndex((card) => card === focused);
    const before = this.#glidesTo(model.groups) ? this.#places() : null;
    this.#forget(model);
    this.sizes = model.groups.map((group) => group.length);
    const groups = model.groups.map((group, index) => this.#group(model, group, index));
    for (const [index, element] of groups.entries()) placeAt(this.root, element, index);
    while (this.root.children.length > groups.length) this.root.lastElementChild?.remove();
    this.root.classList.toggle("hand--out", model.isOut);
    this.root.classList.toggle("hand--choosing", model.selection.size > 0);
    this.#rove(model);
    this.fit();
    if (before !== null) this.#glideFrom(before);
    if (focused instanceof HTMLElement && focused !== document.activeElement && focused.isConnected) {
      focused.focus({ preventScroll: true });
    }
    if (place >= 0 && focused?.isConnected === false) this.#focusPlace(model, place);
  }

  /**
   * The focused card has left: move the focus to the card in its place.
   *
   * @param {HandModel} model
   * @param {number} place
   */
  #focusPlace({ groups }, place) {
    const cards = groups.flat();
    const card = cards[Math.min(place, cards.length - 1)];
    if (card !== undefined) this.focusCard(card);
  }

  /** Animates the next rearrangement, if the player's settings allow it. */
  glide() {
    this.glidesUntil = wantsMotion() ? performance.now() + GLIDES_WITHIN_MS : 0;
  }

  /** @param {readonly Group[]} groups */
  #glidesTo(groups) {
    const shown = [...this.root.querySelectorAll("[data-card]")].map((card) => card.getAttribute("data-card"));
    return performance.now() < this.glidesUntil && shown.join() !== groups.flat().join();
  }

  #places() {
    return new Map([...this.cards].map(([card, element]) => [card, element.getBoundingClientRect()]));
  }

  /** @param {Map<CardId, DOMRect>} before */
  #glideFrom(before) {
    this.glidesUntil = 0;
    const duration = GLIDE_MS * (PACES[readPreference("motion")] ?? 1);
    for (const [card, element] of this.cards) {
      const old = before.get(card);
      const { left, top } = element.getBoundingClientRect();
      if (old === undefined || (old.left === left && old.top === top)) continue;
      const away = `${old.left - left}px ${old.top - top}px`;
      element.animate([{ translate: away }, { translate: "0 0" }], { duration, easing: "ease-out" });
    }
  }

  /** Sizes the cards so that all of them are visible. */
  fit() {
    const style = getComputedStyle(this.root);
    const width = this.root.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    if (width <= 0) return;
    const read = (/** @type {string} */ name) => parseFloat(style.getPropertyValue(name));
    const { card, strip } = fitHand(this.sizes, {
      width,
      gap: parseFloat(style.columnGap),
      card: read("--hand-card"),
      minCard: read("--hand-card-min"),
      maxRows: read("--hand-rows"),
    });
    this.root.style.setProperty("--card-w", `${card}px`);
    this.root.style.setProperty("--strip", `${strip}px`);
  }

  /** @param {CardId} card */
  focusCard(card) {
    const element = this.cards.get(card);
    if (element === undefined) return;
    for (const other of this.cards.values()) other.tabIndex = -1;
    this.current = card;
    element.tabIndex = 0;
    element.focus({ preventScroll: true });
  }

  /** The card with the keyboard focus. */
  get focusedCard() {
    const active = document.activeElement;
    return active instanceof HTMLElement && this.root.contains(active)
      ? (active.dataset.card ?? null)
      : null;
  }

  /** @param {HandModel} model */
  #forget({ groups }) {
    const held = new Set(groups.flat());
    for (const [card, element] of this.cards) {
      if (held.has(card)) continue;
      element.remove();
      this.cards.delete(card);
    }
  }

  /**
   * @param {HandModel} model
   * @param {Group} group
   * @param {number} index
   */
  #group(model, group, index) {
    const element = this.#groupElement(index);
    const kind = model.count.kinds[index] ?? null;
    const label = kind === null ? say(this.texts, "kind_none") : say(this.texts, `kind_${kind}`);
    setAttribute(element, "data-kind", kind ?? "none");
    setAttribute(element, "data-counts", model.count.free[index] ? "free" : "counted");
    setAttribute(
      element,
      "aria-label",
      say(this.texts, "group_label", { number: index + 1, kind: label, count: group.length }),
    );
    this.#label(/** @type {HTMLElement} */ (element.firstElementChild), model, group, index, label);
    const row = /** @type {HTMLElement} */ (element.lastElementChild);
    for (const [place, card] of group.entries()) placeAt(row, this.#card(model, card), place);
    while (row.children.length > group.length) row.lastElementChild?.remove();
    return element;
  }

  /** @param {number} index */
  #groupElement(index) {
    const existing = this.root.children[index];
    if (existing instanceof HTMLElement) return existing;
    const element = make(
      "div",
      { class: "group", role: "group", "data-group": index },
      make("button", { class: "group__label", type: "button", "data-action": "group-label" }),
      make("div", { class: "group__cards" }),
    );
    this.root.append(element);
    return element;
  }

  /**
   * The label names the group; while cards are selected, pressing it adds them.
   *
   * @param {HTMLElement} element
   * @param {HandModel} model
   * @param {Group} group
   * @param {number} index
   * @param {string} label
   */
  #label(element, { count, selection, fitting }, group, index, label) {
    const isOffered = selection.size === 0 && fitting?.has(index) === true;
    const canTake = isOffered || [...selection].some((card) => !group.includes(card));
    const points = count.loose[index] ?? 0;
    const isMeld = count.kinds[index] !== null;
    const key = isMeld ? "group_points" : "group_loose";
    const text = count.free[index] ? label : say(this.texts, key, { kind: label, points });
    // There is no room for text below a single card.
    const shown = group.length === 1 ? String(points) : text;
    setText(element, canTake ? say(this.texts, group.length === 1 ? "add_here_short" : "add_here") : shown);
    element.classList.toggle("group__label--target", canTake);
    setAttribute(
      element,
      "aria-label",
      canTake
        ? `${element.textContent} · ${say(this.texts, "add_to_group", { number: index + 1 })}`
        : say(this.texts, "choose_group", { number: index + 1, kind: text }),
    );
  }

  /**
   * @param {HandModel} model
   * @param {CardId} card
   */
  #card({ wild, selection, drawn, leaving }, card) {
    let element = this.cards.get(card);
    if (element === undefined) {
      element = make("button", { class: "card", type: "button", tabindex: -1, "data-card": card });
      this.cards.set(card, element);
    }
    this.painter.paint(element, card, wild);
    setAttribute(element, "aria-pressed", String(selection.has(card)));
    element.classList.toggle("card--drawn", card === drawn);
    element.classList.toggle("card--leaving", card === leaving || leaving?.includes(card) === true);
    return element;
  }

  /** @param {HandModel} model */
  #rove({ groups }) {
    const first = groups[0]?.[0] ?? null;
    if (this.current === null || !this.cards.has(this.current)) this.current = first;
    for (const [card, element] of this.cards) element.tabIndex = card === this.current ? 0 : -1;
  }
}

/**
 * Puts a child at an index, unless it is there already.
 *
 * @param {Element} parent
 * @param {Element} child
 * @param {number} index
 */
function placeAt(parent, child, index) {
  const there = parent.children[index] ?? null;
  if (there !== child) parent.insertBefore(child, there);
}
