// The coach of a first deal: the next thing to do, in a panel that never covers the cards.

import { find, make, setAttribute, setText } from "../../../lib/dom.js";
import { say } from "../../../table/core/say.js";

/** @typedef {import("../core/advice.js").Advice} Advice */
/** @typedef {import("../../../table/core/tell.js").Texts} Texts */

export class CoachView {
  /**
   * @param {HTMLElement} root
   * @param {Texts} texts
   * @param {readonly string[]} goals
   */
  constructor(root, texts, goals) {
    this.root = root;
    this.texts = texts;
    this.goals = goals.map((goal) => make("li", { "data-goal": goal }, say(texts, `coach_goal_${goal}`)));
    find('[data-part="goals"]', root).replaceChildren(...this.goals);
  }

  /**
   * @param {Advice} advice
   * @param {{done: ReadonlySet<string>, isHidden: boolean, nameOf: (card: string) => string, numbers: Record<string, number>}} how
   */
  render(advice, { done, isHidden, nameOf, numbers }) {
    const { root, texts } = this;
    root.hidden = false;
    root.classList.toggle("coach--hidden", isHidden && !advice.isOver);
    root.dataset.advice = advice.key;
    const toggle = find('[data-action="coach"]', root);
    setText(toggle, say(texts, isHidden ? "coach_open" : "coach_hide"));
    setAttribute(toggle, "aria-expanded", String(!isHidden));
    const cards = advice.cards.map(nameOf).join(", ");
    const values = { cards, count: advice.points, ...numbers };
    setText(find('[data-part="advice"]', root), say(texts, `coach_${advice.key}`, values));
    const next = advice.goal ?? this.goals.map(goalOf).find((goal) => !done.has(goal));
    for (const element of this.goals) {
      const goal = goalOf(element);
      setAttribute(element, "data-done", String(done.has(goal)));
      setAttribute(element, "aria-current", goal === next ? "step" : null);
      setAttribute(element, "aria-label", done.has(goal) ? this.#doneLabel(goal) : null);
    }
    find('[data-part="over"]', root).hidden = !advice.isOver;
    root.dataset.over = String(advice.isOver);
    this.#point(isHidden ? null : advice);
  }

  /** @param {string} goal */
  #doneLabel(goal) {
    return say(this.texts, "coach_done", { goal: say(this.texts, `coach_goal_${goal}`) });
  }

  /** Highlights elements. @param {Advice | null} advice */
  #point(advice) {
    const meant = new Set(
      advice === null
        ? []
        : [
            ...advice.actions.map((action) => `[data-action="${action}"]`),
            ...advice.cards.map((card) => `[data-region="hand"] [data-card="${card}"]`),
            ...advice.places,
          ].flatMap((selector) => [...document.querySelectorAll(selector)]),
    );
    for (const old of document.querySelectorAll(".coached")) {
      if (!meant.has(old)) old.classList.remove("coached");
    }
    for (const element of meant) element.classList.add("coached");
  }
}

/** @param {HTMLElement} element */
const goalOf = (element) => element.dataset.goal ?? "";
