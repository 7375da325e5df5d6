// The list of moves: those of the match before this page was loaded, and new ones.

import { make, region } from "../../lib/dom.js";

/** @typedef {import("../core/game.js").Shell} Shell */
/** @typedef {import("../core/protocol.js").GameEvent} GameEvent */

const MOVES_KEPT = 60;

export class Moves {
  /**
   * @param {Shell} shell
   */
  constructor({ session, tell }) {
    this.session = session;
    this.tell = tell;
    this.root = region("moves");
    /** Counts requests: only the last response is listed. */
    this.asked = 0;
  }

  /**
   * The newest move comes first.
   *
   * @param {string} text
   * @param {boolean} own
   */
  add(text, own) {
    this.root.prepend(this.#line(text, own));
    this.#forget();
  }

  /** Everything up to now, from the server; spectators get nothing. */
  async rebuild() {
    const { state, sync } = this.session;
    if (state.you.seat === null) return;
    this.asked += 1;
    const { asked } = this;
    this.root.replaceChildren();
    const events = await this.#eventsUntil(sync.v);
    if (asked !== this.asked) return;
    const lines = events.flatMap((event) => {
      const told = this.tell(event);
      return told === null ? [] : [this.#line(told.text, told.own)];
    });
    this.root.append(...lines.toReversed());
    this.#forget();
  }

  /**
   * @param {number} version
   * @returns {Promise<GameEvent[]>}
   */
  async #eventsUntil(version) {
    try {
      const answer = await fetch(`${this.root.dataset.moves}?v=${version}`);
      return answer.ok ? (await answer.json()).events : [];
    } catch {
      // Without a connection the list begins with the next move.
      return [];
    }
  }

  /**
   * @param {string} text
   * @param {boolean} own
   */
  #line(text, own) {
    return make("li", { class: own ? "moves__own" : null }, text);
  }

  #forget() {
    while (this.root.children.length > MOVES_KEPT) this.root.lastElementChild?.remove();
  }
}
