// A match's question between two deals: whether to rejoin, or to split the prize. It takes the place of the
// hand, blocks nothing, and no answer never costs points.

import { find, make, region, setText } from "../../../lib/dom.js";
import { isFree, isMatchTable, prizeOf } from "../../../table/core/stakes.js";
import { questionFor } from "../core/standing.js";
import { say } from "../../../table/core/say.js";
import { seatName } from "../../../table/core/tell.js";
import { amountText } from "../../../table/view/amounts.js";

/** @typedef {import("../../../table/core/protocol.js").TableState} TableState */
/** @typedef {import("../core/standing.js").AskRow} AskRow */
/** @typedef {import("../core/standing.js").Question} Question */
/** @typedef {import("../../../table/core/tell.js").Texts} Texts */

export class AskView {
  /** @param {Texts} texts */
  constructor(texts) {
    this.texts = texts;
    this.root = region("ask");
    this.rows = find('[data-part="rows"]', this.root);
    this.timer = find('[data-part="timer"]', this.root);
    this.yes = this.#button("ask-yes");
    this.no = this.#button("ask-no");
    this.shown = "";
  }

  /**
   * @param {TableState} state
   * @param {boolean} ready
   * @param {number | null} purse
   */
  render(state, ready, purse) {
    const question = questionFor(state, purse);
    this.root.hidden = question === null;
    if (question === null) return;
    const mayAnswer = question.isAsked || question.kind === "offer" || question.kind === "bring";
    this.yes.hidden = !mayAnswer;
    this.no.hidden = !question.isAsked;
    this.yes.disabled = !ready;
    this.no.disabled = !ready;
    const key = JSON.stringify([question, state.table.entry_fee, state.table.pot]);
    if (key === this.shown) return;
    this.shown = key;
    this.root.dataset.kind = question.kind;
    this.#words(state, question);
    this.rows.hidden = question.rows.length === 0;
    this.rows.replaceChildren(...question.rows.map((row) => this.#row(state, row, question)));
  }

  /** @param {string} time */
  tick(time) {
    setText(this.timer, time);
  }

  /**
   * @param {TableState} state
   * @param {Question} question
   */
  #words(state, question) {
    const words = WORDS[question.kind](this.texts, state, question);
    setText(find('[data-part="title"]', this.root), words.title);
    setText(find('[data-part="text"]', this.root), words.text);
    setText(this.yes, words.yes);
    setText(this.no, words.no);
  }

  /**
   * @param {TableState} state
   * @param {AskRow} row
   * @param {Question} question
   */
  #row(state, { seat, amount, answer }, { kind }) {
    const said = say(this.texts, `answer_${kind === "rejoin" ? "deciding" : answer}`);
    return make(
      "li",
      { class: seat === state.you.seat ? "ask__own" : null, "data-answer": answer },
      make("span", { class: "ask__name" }, seatName(state, seat)),
      amount === null ? null : make("strong", {}, amountText(this.texts, amount, state.table.currency)),
      answer === "open" ? null : make("span", { class: "ask__answer" }, said),
    );
  }

  /** @param {string} action */
  #button(action) {
    return /** @type {HTMLButtonElement} */ (find(`[data-action="${action}"]`, this.root));
  }
}

/**
 * Who asks: a player, or the table.
 *
 * @param {Texts} texts
 * @param {TableState} state
 * @param {number | null} asker
 */
const splitTitle = (texts, state, asker) =>
  asker === null ? say(texts, "ask_split_table") : say(texts, "ask_split_title", { name: seatName(state, asker) });

/** @typedef {{title: string, text: string, yes: string, no: string}} Words */
/** @type {Record<Question["kind"], (texts: Texts, state: TableState, question: Question) => Words>} */
const WORDS = {
  rejoin(texts, state, { isAsked, score }) {
    const title = say(texts, isAsked ? "ask_rejoin_title" : "ask_rejoin_wait");
    const points = score ?? 0;
    const no = say(texts, "ask_rejoin_no");
    if (isFree(state.table)) {
      const text = say(texts, isAsked ? "ask_rejoin_text_free" : "ask_rejoin_others_free", { points });
      return { title, text, yes: say(texts, "ask_rejoin_yes_free"), no };
    }
    const price = amountText(texts, state.table.entry_fee ?? 0, state.table.currency);
    const text = say(texts, isAsked ? "ask_rejoin_text" : "ask_rejoin_others", { price, points });
    return { title, text, yes: say(texts, "ask_rejoin_yes", { price }), no };
  },
  split(texts, state, { isAsked, asker }) {
    const title = isAsked ? splitTitle(texts, state, asker) : say(texts, "ask_split_wait");
    return {
      title,
      text: say(texts, "ask_split_text", prize(texts, state)),
      yes: say(texts, "ask_split_yes"),
      no: say(texts, "ask_split_no"),
    };
  },
  bring(texts, state, { bring = 0 }) {
    const { table } = state;
    const price = amountText(texts, bring, table.currency);
    const text = isMatchTable(table) ? "ask_bring_entry" : "ask_bring_stack";
    return {
      title: say(texts, "ask_bring_title"),
      text: say(texts, text, { price }),
      yes: say(texts, "ask_bring_yes", { price }),
      no: "",
    };
  },
  offer(texts, state) {
    return {
      title: say(texts, "ask_offer_title"),
      text: say(texts, "ask_offer_text", prize(texts, state)),
      yes: say(texts, "ask_offer_yes"),
      no: "",
    };
  },
};

/**
 * @param {Texts} texts
 * @param {TableState} state
 */
function prize(texts, state) {
  return { prize: amountText(texts, prizeOf(state.table), state.table.currency) };
}
