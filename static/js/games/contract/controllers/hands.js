// The player's actions at a table of Contract Rummy, besides those of all games with melds on the table.

import { say } from "../../../table/core/say.js";
import { captioned } from "../../rummy/view/groups.js";
import { LaidHands } from "../../rummy/controllers/laid/hands.js";
import { gameOf } from "../../rummy/core/laid/seen.js";
import { layingFan } from "../../rummy/view/laid/board.js";
import { wildOf } from "../core/rules.js";
import { contractInWords } from "../core/words.js";

/** @typedef {import("../../../table/core/game.js").Shell} Shell */
/** @typedef {import("../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("../../rummy/core/laid/melds.js").Reading} Reading */
/** @typedef {import("../view/felt.js").Felt} Felt */
/** @typedef {import("./play.js").Play} Play */

export class Hands extends LaidHands {
  /**
   * @param {Shell} shell
   * @param {Play} play
   * @param {Felt} felt
   */
  constructor(shell, play, felt) {
    super(shell, play, felt);
    this.own = play;
    Object.assign(this.actions, {
      buy: () => play.answer("buy"),
      pass: () => play.answer("pass"),
      "never-buy": () => play.refuseAll(),
      swap: (/** @type {HTMLElement} */ { dataset }) => this.#swap(Number(dataset.meld), dataset.to ?? "hand"),
    });
    Object.assign(this.letters, { y: () => play.answer("buy"), p: () => play.answer("pass") });
  }

  /** Lays the contract, after a question that shows what its jokers stand for. @override */
  async lay() {
    const { own: play } = this;
    const game = gameOf(play.state);
    if (!play.may.lay || game === null) return;
    const melds = play.contract;
    if (melds === null) {
      this.shell.warn(say(this.texts, "contract_groups"));
      return;
    }
    const text = contractInWords(this.texts, play.state, game.contract ?? []);
    const confirmed = await this.shell.dialogs.confirm({
      title: say(this.texts, "contract_title"),
      text: say(this.texts, "contract", { melds: text }),
      confirm: say(this.texts, "contract_lay"),
      pictures: melds.map((meld) => this.#picture(meld)),
    });
    if (!confirmed || !play.may.lay) return;
    this.send({ kind: "contract", melds: melds.map(({ cards, as }) => ({ cards, as })) });
  }

  /** @override */
  dragged() {
    void this.lay();
  }

  /**
   * @override
   * @param {number} meld
   * @param {readonly CardId[]} cards
   * @param {number} [way]
   */
  layOff(meld, cards, way = 0) {
    const { own: play } = this;
    const laid = play.waysOnto(meld, cards)[way];
    if (laid !== undefined) this.send({ kind: "lay_off", meld, laid });
    else if (play.melds[meld] !== undefined && cards.length > 0 && play.may.discard) this.shell.warn(this.#whyNot());
  }

  #whyNot() {
    const { own: play } = this;
    if (!play.hasLaid) return say(this.texts, "contract_first");
    return say(this.texts, play.may.layOff ? "lay_off_not" : "not_in_this_turn");
  }

  /**
   * @param {number} meld
   * @param {string} to
   */
  #swap(meld, to) {
    const [card] = this.own.chosen();
    if (card !== undefined && this.own.allowed("swap_joker") !== null) this.send({ kind: "swap_joker", meld, card, to });
  }

  /** @param {Reading} meld */
  #picture(meld) {
    const fan = layingFan(this.shell.painter, this.texts, meld, wildOf(this.own.state));
    return captioned(fan, meld.kind === "set" ? "set" : "sequence", say(this.texts, `kind_${meld.kind}`));
  }
}
