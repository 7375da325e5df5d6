// Finishing, declaring and submitting: each is confirmed first, with the groups as they would be judged.

import { sameGroups, withoutCard } from "../../../table/core/hand.js";
import { countHand, declarationFlaw, wrongCost } from "../core/meld.js";
import { say } from "../../../table/core/say.js";
import { costText } from "../../../table/view/amounts.js";
import { groupPicture } from "../../rummy/view/groups.js";

/** @typedef {import("../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("../../../table/core/protocol.js").Group} Group */
/** @typedef {import("../../../table/core/protocol.js").Verdict} Verdict */
/** @typedef {import("./play.js").Play} Play */
/** @typedef {import("../../../table/core/tell.js").Texts} Texts */
/** @typedef {import("../../../table/core/game.js").Shell} Shell */
/** @typedef {import("../../../table/view/dialogs.js").Judged} Judged */


export class Declaring {
  /**
   * @param {Shell} shell
   * @param {Play} play
   */
  constructor(shell, play) {
    this.shell = shell;
    this.play = play;
    this.dialogs = shell.dialogs;
    this.texts = shell.texts;
    /** @type {string | null} */
    this.offered = null;
    /** The declaration that the player agreed to when finishing. @type {Group[] | null} */
    this.agreed = null;
  }

  /** @param {CardId | null} card */
  async finish(card) {
    const { play } = this;
    if (card === null || !play.may.finish) return;
    const groups = withoutCard(play.groups, card);
    const confirmed = await this.#confirmed(groups);
    if (!confirmed || !play.may.finish) return;
    play.selection.clear();
    this.agreed = groups;
    play.act({ kind: "finish", card });
  }

  async declare() {
    const { play } = this;
    if (!play.may.declare) return;
    const groups = play.groups;
    if ((await this.#confirmed(groups)) && play.may.declare) play.act({ kind: "declare", groups });
  }

  /**
   * Valid groups that the player has agreed to are declared as they lie. Otherwise the declare window asks
   * automatically, once, if the groups are valid; if not, the hand stays free to be arranged.
   */
  offer() {
    const { game, table, rules } = this.play.state;
    if (game === null || !this.play.may.declare) return;
    const key = `${table.match}:${game.deal}:${game.turn_number}`;
    if (key === this.offered) return;
    this.offered = key;
    const { groups, wild } = this.play;
    if (declarationFlaw(groups, wild, rules) !== null) return;
    const isAgreed = this.agreed !== null && sameGroups(this.agreed, groups);
    this.agreed = null;
    if (isAgreed) this.play.act({ kind: "declare", groups });
    else void this.declare();
  }

  async show() {
    const { play } = this;
    if (!play.may.show) return;
    const { kinds, points } = countHand(play.groups, play.wild, play.state.rules);
    const confirmed = await this.dialogs.confirm({
      title: say(this.texts, "show_title"),
      text: say(this.texts, "show_text"),
      confirm: say(this.texts, "show"),
      pictures: this.#pictures(play.groups, kinds),
      verdict: { text: say(this.texts, "points", { points }), tone: points === 0 ? "good" : "open" },
    });
    if (confirmed && play.may.show) play.act({ kind: "show", groups: play.groups });
  }

  /**
   * Asks with the points at stake; if the table offers it, the server's verdict follows.
   *
   * @param {Group[]} groups
   */
  #confirmed(groups) {
    const { play, texts, dialogs } = this;
    const { state, wild } = play;
    const isJudged = state.table.help?.verdict === true;
    const question = {
      title: say(texts, "declare_title"),
      confirm: say(texts, "declare"),
      text: say(texts, "declare_text"),
      pictures: this.#pictures(groups, countHand(groups, wild, state.rules).kinds),
      verdict: isJudged ? this.#judging() : this.#atStake(groups),
      isOptional: declarationFlaw(groups, wild, state.rules) === null,
    };
    if (isJudged) {
      void play.judge(groups).then((verdict) => {
        dialogs.judged(question, verdict === null ? this.#atStake(groups) : this.#words(verdict));
      });
    }
    return dialogs.confirm(question);
  }

  /**
   * @param {readonly Group[]} groups
   * @param {readonly (string | null)[]} kinds
   */
  #pictures(groups, kinds) {
    const { painter, texts } = this.shell;
    return groups.map((group, index) =>
      groupPicture(painter, texts, group, kinds[index] ?? null, this.play.wild),
    );
  }

  /** @returns {Judged} */
  #judging() {
    return { text: say(this.texts, "verdict_wait"), tone: "open" };
  }

  /**
   * @param {readonly Group[]} groups
   * @returns {Judged}
   */
  #atStake(groups) {
    const { state, wild } = this.play;
    return { text: this.#costs(wrongCost(groups, wild, state.rules)), tone: "open" };
  }

  /**
   * @param {Verdict} verdict
   * @returns {Judged}
   */
  #words({ valid, reason, failed_group: failed, points }) {
    if (valid) return { text: say(this.texts, "verdict_good"), tone: "good" };
    const flaw = say(this.texts, `flaw_${reason}`);
    const why = failed === null ? flaw : say(this.texts, "verdict_group", { number: failed + 1, flaw });
    return { text: `${why} ${this.#costs(points)}`, tone: "bad", failed };
  }

  /** @param {number} points */
  #costs(points) {
    return costText(this.texts, this.play.state.table, "wrong_costs", points);
  }
}
