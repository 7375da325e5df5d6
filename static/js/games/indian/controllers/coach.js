// Follows a first deal and says what to do next. Loaded only where somebody learns; it looks at the
// table and never acts.

import { region } from "../../../lib/dom.js";
import { advise, reached } from "../core/lesson.js";
import { sessionMemory } from "../../../table/io/storage.js";
import { CoachView } from "../view/coach.js";

/** @typedef {import("../core/lesson.js").Goal} Goal */
/** @typedef {import("../../../table/core/tell.js").Texts} Texts */
/** @typedef {import("./play.js").Play} Play */

export class Coach {
  /**
   * @param {Texts} texts
   * @param {number} table
   */
  constructor(texts, table) {
    this.view = new CoachView(region("coach"), texts);
    this.memory = sessionMemory(`openrummy.coach.${table}`);
    const kept = /** @type {{done?: Goal[], isHidden?: boolean} | null} */ (this.memory.read());
    /** @type {Set<Goal>} */
    this.done = new Set(kept?.done ?? []);
    this.isHidden = kept?.isHidden ?? false;
    /** The deal that is taught: the first one. @type {number | null} */
    this.match = null;
  }

  /** @param {Play} play */
  follow(play) {
    const { state, groups, wild } = play;
    this.match ??= state.game === null ? null : state.table.match;
    if (state.table.match !== this.match && state.table.match !== null) {
      this.view.root.hidden = true;
      return;
    }
    const seen = { state, groups, wild, rev: play.arrangement.rev };
    const before = this.done.size;
    for (const goal of reached(seen)) this.done.add(goal);
    if (this.done.size !== before) this.#remember();
    this.view.render(advise(seen), { done: this.done, isHidden: this.isHidden, wild, rules: state.rules });
  }

  /** @param {Play} play */
  toggle(play) {
    this.isHidden = !this.isHidden;
    this.#remember();
    this.follow(play);
  }

  #remember() {
    this.memory.write({ done: [...this.done], isHidden: this.isHidden });
  }
}
