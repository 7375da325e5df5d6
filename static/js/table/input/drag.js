// Dragging by mouse, finger and pen, with Pointer Events. A short movement is still a tap.

import { make } from "../../lib/dom.js";
import { placeAtPoint } from "../core/place.js";

/** @typedef {import("../core/hand.js").Place} Place */
/** @typedef {import("../core/protocol.js").CardId} CardId */
/** @typedef {{from: "hand", cards: CardId[]} | {from: "closed" | "open"}} Dragged */
/**
 * @typedef {{onto: "hand", place: Place} | {onto: "pile", pile: string}} Target `pile` is the value of
 * `data-drop`.
 */

/**
 * @typedef {object} Drag
 * @property {Dragged} dragged
 * @property {HTMLElement} source
 * @property {number} pointer
 * @property {{x: number, y: number}} start
 * @property {HTMLElement | null} ghost Null until the pointer has moved far enough.
 * @property {HTMLElement[]} lifted
 */

/**
 * @typedef {object} DragRules
 * @property {(card: CardId) => CardId[]} cardsWith The cards that move along with this one.
 * @property {(dragged: Dragged, target: Target) => boolean} accepts
 * @property {(dragged: Dragged, target: Target) => void} drop
 */

const TAP_DISTANCE = 6;
const MARKS = ["card--before", "card--after", "group--target", "drop--target"];

export class DragInput {
  /** Whether the last press was a drag. */
  #wasDragged = false;

  /**
   * @param {HTMLElement} root
   * @param {HTMLElement} hand
   * @param {DragRules} rules
   */
  constructor(root, hand, rules) {
    this.root = root;
    this.hand = hand;
    this.rules = rules;
    /** @type {Drag | null} */
    this.drag = null;
    root.addEventListener("pointerdown", (event) => this.#down(event));
    root.addEventListener("pointermove", (event) => this.#move(event));
    root.addEventListener("pointerup", (event) => this.#up(event));
    root.addEventListener("pointercancel", () => this.cancel());
    // Keep the browser from dragging pictures and links itself.
    root.addEventListener("dragstart", (event) => event.preventDefault());
    root.addEventListener("click", (event) => this.#afterDrag(event), { capture: true });
    addEventListener("keydown", (event) => event.key === "Escape" && this.cancel());
    addEventListener("blur", () => this.cancel());
  }

  get isDragging() {
    return this.drag?.ghost != null;
  }

  cancel() {
    if (this.drag === null) return;
    this.drag.ghost?.remove();
    for (const element of this.drag.lifted) element.classList.remove("card--lifted");
    this.#unmark();
    this.root.classList.remove("table--dragging");
    this.drag = null;
  }

  /** @param {PointerEvent} event */
  #down(event) {
    this.#wasDragged = false;
    if (!event.isPrimary || event.button !== 0 || !(event.target instanceof Element)) return;
    const source = event.target.closest("[data-card], [data-pile]");
    if (!(source instanceof HTMLElement) || source.matches(":disabled")) return;
    const dragged = this.#draggedBy(source);
    if (dragged === null) return;
    const start = { x: event.clientX, y: event.clientY };
    this.drag = { dragged, source, pointer: event.pointerId, start, ghost: null, lifted: [] };
  }

  /**
   * @param {HTMLElement} source
   * @returns {Dragged | null}
   */
  #draggedBy(source) {
    const { card, pile } = source.dataset;
    if (card !== undefined) return { from: "hand", cards: this.rules.cardsWith(card) };
    return pile === "closed" || pile === "open" ? { from: pile } : null;
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const { drag } = this;
    if (drag === null || event.pointerId !== drag.pointer) return;
    const point = { x: event.clientX, y: event.clientY };
    if (drag.ghost === null) {
      if (Math.hypot(point.x - drag.start.x, point.y - drag.start.y) < TAP_DISTANCE) return;
      this.#lift(drag);
    }
    drag.ghost?.style.setProperty("transform", `translate(${point.x}px, ${point.y}px)`);
    this.#unmark();
    this.#mark(this.#targetAt(drag.dragged, point));
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const { drag } = this;
    if (drag === null || event.pointerId !== drag.pointer) return;
    this.#wasDragged = drag.ghost !== null;
    const target = this.#wasDragged
      ? this.#targetAt(drag.dragged, { x: event.clientX, y: event.clientY })
      : null;
    this.cancel();
    if (target !== null) this.rules.drop(drag.dragged, target);
  }

  /** @param {Drag} drag */
  #lift(drag) {
    drag.source.setPointerCapture(drag.pointer);
    const elements =
      drag.dragged.from === "hand"
        ? drag.dragged.cards.flatMap((card) => this.#cardElement(card))
        : [drag.source];
    drag.ghost = make("div", { class: "ghost", "aria-hidden": "true" });
    for (const element of elements) {
      const copy = /** @type {HTMLElement} */ (element.cloneNode(true));
      copy.removeAttribute("data-card");
      copy.removeAttribute("data-action");
      drag.ghost.append(copy);
      element.classList.add("card--lifted");
    }
    const width = drag.source.getBoundingClientRect().width;
    drag.ghost.style.setProperty("--card-w", `${width}px`);
    drag.lifted = elements;
    this.root.append(drag.ghost);
    this.root.classList.add("table--dragging");
  }

  /** @param {CardId} card */
  #cardElement(card) {
    const element = this.hand.querySelector(`[data-card="${card}"]`);
    return element instanceof HTMLElement ? [element] : [];
  }

  /**
   * @param {Dragged} dragged
   * @param {{x: number, y: number}} point
   * @returns {Target | null}
   */
  #targetAt(dragged, point) {
    const under = document.elementFromPoint(point.x, point.y)?.closest("[data-drop]");
    const onto = under instanceof HTMLElement ? under.dataset.drop : undefined;
    /** @type {Target | null} */
    let target = null;
    if (onto !== undefined) target = { onto: "pile", pile: onto };
    else if (this.#isOverHand(point)) target = { onto: "hand", place: this.#placeAt(point) };
    return target !== null && this.rules.accepts(dragged, target) ? target : null;
  }

  /** @param {{x: number, y: number}} point */
  #isOverHand({ x, y }) {
    const box = this.hand.getBoundingClientRect();
    return y > box.top - 16 && y < box.bottom + 40 && x >= box.left && x <= box.right;
  }

  /** @param {{x: number, y: number}} point */
  #placeAt(point) {
    const groups = [...this.hand.children].map((element) => ({
      box: element.getBoundingClientRect(),
      cards: [...element.querySelectorAll("[data-card]")].map((card) => card.getBoundingClientRect()),
    }));
    const strip = parseFloat(getComputedStyle(this.hand).getPropertyValue("--strip")) || 24;
    return placeAtPoint(groups, point, strip);
  }

  /** @param {Target | null} target */
  #mark(target) {
    if (target === null) return;
    if (target.onto !== "hand") {
      this.root.querySelector(`[data-drop="${target.pile}"]`)?.classList.add("drop--target");
      return;
    }
    const group = this.hand.children[target.place.group];
    if (group === undefined) {
      this.hand.classList.add("group--target");
      return;
    }
    group.classList.add("group--target");
    const cards = [...group.querySelectorAll("[data-card]")];
    const next = cards[target.place.index];
    if (next !== undefined) next.classList.add("card--before");
    else cards.at(-1)?.classList.add("card--after");
  }

  #unmark() {
    for (const mark of MARKS) {
      for (const element of this.root.querySelectorAll(`.${mark}`)) element.classList.remove(mark);
    }
  }

  /**
   * The click that a browser sends after a drag is no tap. It sends none after a finger's drag, and a click without
   * `detail` comes from the keyboard.
   *
   * @param {MouseEvent} event
   */
  #afterDrag(event) {
    if (!this.#wasDragged || event.detail === 0) return;
    this.#wasDragged = false;
    event.stopPropagation();
    event.preventDefault();
  }
}
