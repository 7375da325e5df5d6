// The open pile, spread out: every card below the top one, which lies on the pile itself, is visible, and can be
// taken with all above it (F6).

import { make, region } from "../../../lib/dom.js";
import { say } from "../../../table/core/say.js";
import { cardName } from "../../../table/core/tell.js";
import { gameOf } from "../../rummy/core/laid/seen.js";

/** @typedef {import("../controllers/play.js").Play} Play */
/** @typedef {import("../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("../../../table/core/tell.js").Texts} Texts */
/** @typedef {import("../../../table/view/card.js").CardPainter} CardPainter */

export class SpreadView {
  /**
   * @param {CardPainter} painter
   * @param {Texts} texts
   */
  constructor(painter, texts) {
    this.painter = painter;
    this.texts = texts;
    this.root = region("spread");
    this.shown = "";
  }

  /** @param {Play} play */
  render(play) {
    const pile = gameOf(play.state)?.open_pile ?? [];
    const { takeable } = play;
    const key = JSON.stringify([pile, takeable]);
    if (key === this.shown) return;
    this.shown = key;
    this.root.hidden = pile.length < 2;
    this.root.replaceChildren(...pile.slice(0, -1).map((card, place) => this.#card(card, pile.length - place - 1, takeable)));
    // The newest cards come last.
    this.root.scrollLeft = this.root.scrollWidth;
  }

  /**
   * @param {CardId} card
   * @param {number} above The number of cards that come with it.
   * @param {readonly CardId[]} takeable
   */
  #card(card, above, takeable) {
    const picture = this.painter.picture(card, null, "card--small");
    if (!takeable.includes(card)) return make("span", { class: "spread__card" }, picture);
    const name = cardName(this.texts, card, null);
    const label = say(this.texts, "take_with", { card: name, count: above });
    picture.setAttribute("aria-hidden", "true");
    const attributes = { class: "spread__card spread__card--open", type: "button", "data-action": "take", "data-take": card };
    return make("button", { ...attributes, "aria-label": label, title: label }, picture);
  }
}
