// The answer to a knock: the player's own melds, and cards laid off on the knocker's melds. It begins with
// the server's best answer.

import { localNow } from "../../../lib/local_now.js";
import { say } from "../../../table/core/say.js";
import { seatName } from "../../../table/core/tell.js";
import { captioned, groupPicture } from "../../rummy/view/groups.js";
import { countHand, fitting, looseIn, meldKind, meldsIn, withLaidOff } from "../core/melds.js";
import { gameOf, isOwnClock, ownOf } from "../core/seen.js";

/** @typedef {import("../../../table/core/game.js").Shell} Shell */
/** @typedef {import("../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("./play.js").Play} Play */

export class Defending {
  /**
   * @param {Shell} shell
   * @param {Play} play
   */
  constructor(shell, play) {
    this.shell = shell;
    this.play = play;
    this.texts = shell.texts;
    /** The deal whose answer has begun. @type {string | null} */
    this.begun = null;
  }

  /** Follows a new state. */
  follow() {
    const { state } = this.play;
    const game = gameOf(state);
    if (game?.phase !== "defend" || !isOwnClock(state)) {
      this.play.aside = [];
      this.begun = null;
      return;
    }
    const key = `${state.table.match}:${game.deal}`;
    if (key === this.begun || ownOf(state).defence == null) return;
    this.begun = key;
    this.#lay();
  }

  layBest() {
    if (!this.play.may.defend) return;
    this.#lay();
    this.play.session.changed();
  }

  /**
   * Lays the chosen cards off on a meld of the knocker.
   *
   * @param {number} meld
   * @param {readonly CardId[]} cards
   */
  layOff(meld, cards) {
    const { play } = this;
    const knock = gameOf(play.state)?.knock;
    if (knock == null || !play.may.defend || cards.length === 0) return;
    const laid = withLaidOff(knock.groups, play.aside, cards, meld);
    if (laid === null) {
      this.shell.warn(say(this.texts, "lay_off_not"));
      return;
    }
    play.selection.clear();
    play.aside = laid;
    play.session.changed();
  }

  /** Takes a card back into the hand, with lay-offs that depended on it. @param {CardId} card */
  takeBack(card) {
    const { play } = this;
    const knock = gameOf(play.state)?.knock;
    if (knock == null || !play.may.defend) return;
    play.aside = fitting(
      knock.groups,
      play.aside.filter(([laid]) => laid !== card),
    );
    play.session.changed();
  }

  async confirm() {
    const { play, texts } = this;
    const knock = gameOf(play.state)?.knock;
    if (knock == null || !play.may.defend) return;
    const { groups, aside } = play;
    const { points } = countHand(groups);
    const name = seatName(play.state, knock.seat);
    const confirmed = await this.shell.dialogs.confirm({
      title: say(texts, "title_defend"),
      text: say(texts, "defend_against", { name, deadwood: knock.points }),
      confirm: say(texts, "defend"),
      pictures: this.#pictures(),
      verdict: {
        text: say(texts, points <= knock.points ? "left_undercuts" : "deadwood_of", { points }),
        tone: points <= knock.points ? "good" : "open",
      },
    });
    if (!confirmed || !play.may.defend) return;
    play.selection.clear();
    play.act({ kind: "defend", groups: meldsIn(groups), lay_offs: aside });
  }

  #lay() {
    const { play } = this;
    const defence = ownOf(play.state).defence;
    if (defence == null) return;
    const loose = defence.loose.map((card) => [card]);
    const laid = defence.lay_offs.map(([card]) => card);
    play.selection.clear();
    play.aside = defence.lay_offs.map(([card, meld]) => [card, meld]);
    play.arrangement.change([...defence.groups, ...loose, laid].filter((group) => group.length > 0), localNow());
  }

  #pictures() {
    const { painter, texts } = this.shell;
    const { groups, aside } = this.play;
    const pictures = meldsIn(groups).map((group) => groupPicture(painter, texts, group, meldKind(group), null));
    const laid = aside.map(([card]) => card);
    const loose = looseIn(groups);
    if (laid.length > 0) pictures.push(captioned(painter.fan(laid, null), null, say(texts, "laid_off")));
    if (loose.length > 0) pictures.push(captioned(painter.fan(loose, null), null, say(texts, "deadwood")));
    return pictures;
  }
}
