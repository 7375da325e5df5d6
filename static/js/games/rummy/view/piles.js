// The closed deck and the open pile.

import { find, region, setAttribute, setText } from "../../../lib/dom.js";
import { say } from "../../../table/core/say.js";

/** @typedef {import("../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("../../../table/core/protocol.js").GameView} GameView */
/** @typedef {import("../../../table/core/protocol.js").Move} Move */
/** @typedef {import("../../../table/core/tell.js").Texts} Texts */
/** @typedef {import("../../../table/view/card.js").CardPainter} CardPainter */
/** @typedef {{drawClosed: boolean, drawOpen: boolean, discard: boolean}} MayDraw */

export class PairOfPiles {
  /**
   * @param {CardPainter} painter
   * @param {Texts} texts
   */
  constructor(painter, texts) {
    this.painter = painter;
    this.texts = texts;
    this.root = region("piles");
    this.closed = find('[data-action="draw-closed"]', this.root);
    this.open = find('[data-action="draw-open"]', this.root);
    this.under = region("open-under");
    this.count = region("closed-count");
  }

  /**
   * @param {GameView} game
   * @param {number | null} wild
   * @param {MayDraw} may
   * @param {Move | null} move The pending move.
   */
  renderPiles(game, wild, may, move) {
    const source = move?.kind === "draw" ? move.source : null;
    this.#closed(game, may.drawClosed, source === "closed");
    this.#open(game, wild, may.drawOpen, source === "open");
    setAttribute(this.root, "data-may-discard", may.discard);
  }

  /**
   * Shows a card in a place, or the empty place.
   *
   * @param {HTMLElement} place
   * @param {CardId | null} card
   * @param {number | null} wild
   */
  show(place, card, wild) {
    if ((place.dataset.shows ?? "") === `${card ?? ""} ${wild ?? ""}`) return;
    place.dataset.shows = `${card ?? ""} ${wild ?? ""}`;
    place.querySelector(".card")?.remove();
    if (card === null) return;
    place.prepend(this.painter.picture(card, wild));
  }

  /**
   * @param {GameView} game
   * @param {boolean} may
   * @param {boolean} leaving
   */
  #closed(game, may, leaving) {
    setAttribute(this.closed, "disabled", !may);
    this.closed.classList.toggle("card--leaving", leaving);
    const count = { count: game.closed_count };
    setAttribute(this.closed, "aria-label", say(this.texts, "closed_deck", count));
    setText(this.count, say(this.texts, "closed_count", count));
  }

  /**
   * @param {GameView} game
   * @param {number | null} wild
   * @param {boolean} may
   * @param {boolean} leaving
   */
  #open(game, wild, may, leaving) {
    const top = game.open_pile.at(-1) ?? null;
    const card = top === null ? say(this.texts, "no_card") : this.painter.label(top, wild);
    setAttribute(this.open, "disabled", !may);
    setAttribute(this.open, "aria-label", say(this.texts, "open_pile", { card }));
    this.show(this.open, top, wild);
    this.open.firstElementChild?.classList.toggle("card--leaving", leaving);
    this.show(this.under, game.open_pile.at(-2) ?? null, wild);
  }
}
