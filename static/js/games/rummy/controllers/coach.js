// Follows a first deal and says what to do next. Loaded in lessons only; it watches the table and never
// acts.

import { region } from "../../../lib/dom.js";
import { sessionMemory } from "../../../table/io/storage.js";
import { CoachView } from "../view/coach.js";

/** @typedef {import("../../../table/core/protocol.js").RulesView} RulesView */
/** @typedef {import("../../../table/core/tell.js").Texts} Texts */
/** @typedef {import("../core/advice.js").Advice} Advice */
/** @typedef {import("../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("../../../table/core/protocol.js").TableState} TableState */

/**
 * A game's lesson.
 *
 * @template {{state: TableState}} P
 * @typedef {object} Lesson
 * @property {readonly string[]} goals In this order; each is a text `coach_goal_…`.
 * @property {(play: P) => readonly string[]} reached The goals reached so far.
 * @property {(play: P) => Advice} advise
 * @property {(play: P, card: CardId) => string} nameOf
 * @property {(rules: RulesView, play: P) => Record<string, number>} numbers Values of the texts'
 * placeholders.
 */

/** @template {{state: TableState}} P */
export class Coach {
  /**
   * @param {Texts} texts
   * @param {number} table
   * @param {Lesson<P>} lesson
   */
  constructor(texts, table, lesson) {
    this.lesson = lesson;
    this.view = new CoachView(region("coach"), texts, lesson.goals);
    this.memory = sessionMemory(`openrummy.coach.${table}`);
    const kept = /** @type {{done?: string[], isHidden?: boolean} | null} */ (this.memory.read());
    /** @type {Set<string>} */
    this.done = new Set(kept?.done ?? []);
    this.isHidden = kept?.isHidden ?? false;
    /** The match whose first deal is the lesson. @type {number | null} */
    this.match = null;
  }

  /** @param {P} play */
  follow(play) {
    const { state } = play;
    const { lesson } = this;
    this.match ??= state.game === null ? null : state.table.match;
    if (state.table.match !== this.match && state.table.match !== null) {
      this.view.root.hidden = true;
      return;
    }
    const before = this.done.size;
    for (const goal of lesson.reached(play)) this.done.add(goal);
    if (this.done.size !== before) this.#remember();
    this.view.render(lesson.advise(play), {
      done: this.done,
      isHidden: this.isHidden,
      nameOf: (card) => lesson.nameOf(play, card),
      numbers: lesson.numbers(state.rules, play),
    });
  }

  /** @param {P} play */
  toggle(play) {
    this.isHidden = !this.isHidden;
    this.#remember();
    this.follow(play);
  }

  #remember() {
    this.memory.write({ done: [...this.done], isHidden: this.isHidden });
  }
}
