// The list of moves.

import { make, region } from "../../lib/dom.js";

const MOVES_KEPT = 60;

export class MovesView {
  constructor() {
    this.root = region("moves");
  }

  /**
   * The newest move comes first.
   *
   * @param {string} text
   * @param {boolean} own
   */
  add(text, own) {
    this.root.prepend(make("li", { class: own ? "moves__own" : null }, text));
    while (this.root.children.length > MOVES_KEPT) this.root.lastElementChild?.remove();
  }
}
