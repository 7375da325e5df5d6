// The list of moves: what has happened in the match before this page was there, and what happens.

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
    /** Counts what is asked for: only the last answer is listed. */
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

  /** Everything up to now, as the server knows it; whoever watches is told nothing. */
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
      // Without a connection the list begins with what comes next.
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
