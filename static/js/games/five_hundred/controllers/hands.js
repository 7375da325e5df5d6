// The player's actions at a table of 500 Rum besides laying melds: taking from the open pile.

import { gameOf } from "../../rummy/core/laid/seen.js";
import { MeldingHands } from "../../rummy/controllers/laid/melding.js";

/** @typedef {import("../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("./play.js").Play} Play */

export class Hands extends MeldingHands {
  /**
   * @param {import("../../../table/core/game.js").Shell} shell
   * @param {Play} play
   * @param {import("../../rummy/view/laid/felt.js").LaidFelt} felt
   */
  constructor(shell, play, felt) {
    super(shell, play, felt);
    this.pile = play;
    Object.assign(this.actions, {
      take: (/** @type {HTMLElement} */ { dataset }) => this.take(dataset.take ?? ""),
    });
  }

  /** Draws the top card of the open pile. @override @param {"closed" | "open"} source */
  draw(source) {
    const top = gameOf(this.play.state)?.open_pile.at(-1);
    if (source === "closed") super.draw(source);
    else if (top !== undefined) this.take(top);
  }

  /** Takes this card with all cards above it. @param {CardId} card */
  take(card) {
    if (this.pile.takeable.includes(card)) this.send({ kind: "take", card });
  }
}
