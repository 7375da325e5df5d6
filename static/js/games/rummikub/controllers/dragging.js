// Dragging tiles by mouse, finger and pen. A short movement is still a tap.

import { make } from "../../../lib/dom.js";

/** @typedef {import("../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("../core/board.js").Target} Target */
/** @typedef {import("./build.js").Build} Build */

const TAP_DISTANCE = 6;

/** @param {string} name The value of `data-drop`. @returns {Target} */
function targetOf(name) {
  if (name.startsWith("meld:")) return { onto: "meld", meld: Number(name.slice(5)) };
  return name === "rack" ? { onto: "rack" } : { onto: "new" };
}

export class Dragging {
  /** @type {{tiles: CardId[], x: number, y: number, ghost: HTMLElement | null, source: HTMLElement} | null} */
  #drag = null;
  /** Whether the last press was a drag. */
  #wasDragged = false;

  /**
   * @param {HTMLElement} root
   * @param {Build} build
   */
  constructor(root, build) {
    this.root = root;
    this.build = build;
    root.addEventListener("pointerdown", (event) => this.#down(event));
    root.addEventListener("pointermove", (event) => this.#move(event));
    root.addEventListener("pointerup", (event) => this.#up(event));
    root.addEventListener("pointercancel", () => this.cancel());
    root.addEventListener("dragstart", (event) => event.preventDefault());
    root.addEventListener("click", (event) => this.#click(event), { capture: true });
    addEventListener("blur", () => this.cancel());
  }

  get isDragging() {
    return this.#drag?.ghost != null;
  }

  cancel() {
    this.#drag?.ghost?.remove();
    this.#mark(null);
    this.root.classList.remove("table--dragging");
    this.#drag = null;
  }

  /** @param {PointerEvent} event */
  #down(event) {
    this.#wasDragged = false;
    if (!event.isPrimary || event.button !== 0 || !(event.target instanceof Element)) return;
    const source = event.target.closest("[data-card]");
    if (!(source instanceof HTMLElement) || !this.build.mayBuild) return;
    const card = source.dataset.card ?? "";
    const { selection } = this.build;
    const tiles = selection.has(card) ? [...selection] : [card];
    this.#drag = { tiles, x: event.clientX, y: event.clientY, ghost: null, source };
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const drag = this.#drag;
    if (drag === null) return;
    if (drag.ghost === null) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < TAP_DISTANCE) return;
      this.root.setPointerCapture(event.pointerId);
      this.root.classList.add("table--dragging");
      const pictures = drag.tiles.map((card) => this.root.querySelector(`[data-card="${card}"]`)?.cloneNode(true) ?? null);
      drag.ghost = make("div", { class: "drag-ghost tiles", "aria-hidden": true }, ...pictures);
      document.body.append(drag.ghost);
    }
    drag.ghost.style.transform = `translate(${event.clientX}px, ${event.clientY}px) translate(-50%, -70%)`;
    this.#mark(this.#placeAt(event));
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const drag = this.#drag;
    if (drag?.ghost) {
      this.#wasDragged = true;
      const place = this.#placeAt(event);
      if (place !== null) this.build.move(drag.tiles, targetOf(place.dataset.drop ?? ""));
    }
    this.cancel();
  }

  /** @param {PointerEvent} event */
  #placeAt(event) {
    const under = document.elementFromPoint(event.clientX, event.clientY);
    const place = under?.closest("[data-drop]") ?? null;
    if (!(place instanceof HTMLElement) || this.#drag === null) return null;
    return this.build.mayMove(this.#drag.tiles, targetOf(place.dataset.drop ?? "")) ? place : null;
  }

  /** @param {HTMLElement | null} place */
  #mark(place) {
    for (const marked of this.root.querySelectorAll(".drop--over")) marked.classList.remove("drop--over");
    place?.classList.add("drop--over");
  }

  /** The click that ends a drag chooses nothing. @param {MouseEvent} event */
  #click(event) {
    if (!this.#wasDragged || event.detail === 0) return; // a click without `detail` comes from the keyboard
    this.#wasDragged = false;
    event.stopPropagation();
    event.preventDefault();
  }
}
