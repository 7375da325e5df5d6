// The middle of the table: closed deck with the wild joker under it, open pile, finish slot.

import { region, setAttribute } from "../../../lib/dom.js";
import { say } from "../../../table/core/say.js";
import { PairOfPiles } from "../../rummy/view/piles.js";

/** @typedef {import("../core/permitted.js").Permitted} Permitted */
/** @typedef {import("../../../table/core/protocol.js").GameView} GameView */
/** @typedef {import("../../../table/core/protocol.js").Move} Move */
/** @typedef {import("../../../table/core/tell.js").Texts} Texts */
/** @typedef {import("../../../table/view/card.js").CardPainter} CardPainter */

export class PilesView extends PairOfPiles {
  /**
   * @param {CardPainter} painter
   * @param {Texts} texts
   */
  constructor(painter, texts) {
    super(painter, texts);
    this.wild = region("wild");
    this.finish = region("finish");
  }

  /**
   * @param {GameView | null} game
   * @param {number | null} wild
   * @param {Permitted} may
   * @param {Move | null} move The pending move.
   */
  render(game, wild, may, move) {
    this.root.hidden = game === null;
    if (game === null) return;
    this.renderPiles(game, wild, may, move);
    this.show(this.wild, game.wild, null);
    setAttribute(this.wild, "title", say(this.texts, "wild_joker"));
    this.show(this.finish, game.finish?.card ?? null, wild);
  }
}
