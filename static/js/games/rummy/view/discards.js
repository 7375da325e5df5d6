// Every discard of the deal, by player (R4.10).

import { make, region } from "../../../lib/dom.js";
import { say } from "../../../table/core/say.js";
import { seatName } from "../../../table/core/tell.js";

/** @typedef {import("../../../table/core/protocol.js").TableState} TableState */
/** @typedef {import("../../../table/core/tell.js").Texts} Texts */
/** @typedef {import("../../../table/view/card.js").CardPainter} CardPainter */

export class DiscardsView {
  /**
   * @param {CardPainter} painter
   * @param {Texts} texts
   */
  constructor(painter, texts) {
    this.painter = painter;
    this.texts = texts;
    this.root = region("discards");
    this.shown = "";
  }

  /**
   * @param {TableState} state
   * @param {number | null} wild
   */
  render(state, wild) {
    const discards = state.game?.discards ?? [];
    const order = state.game?.order ?? [];
    const key = JSON.stringify([discards, order, wild]);
    if (key === this.shown) return;
    this.shown = key;
    if (discards.length === 0) {
      this.root.replaceChildren(make("p", { class: "muted" }, say(this.texts, "no_discards")));
      return;
    }
    this.root.replaceChildren(
      ...order.map((seat) => {
        const cards = discards.filter(([by]) => by === seat).map(([, card]) => card);
        return make(
          "div",
          { class: "discards__player" },
          make("h2", {}, seatName(state, seat)),
          cards.length === 0 ? "–" : this.painter.fan(cards, wild),
        );
      }),
    );
  }
}
