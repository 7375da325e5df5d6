// After a knock: the knocker's open melds, with the cards laid off on them.

import { make, region } from "../../../lib/dom.js";
import { say } from "../../../table/core/say.js";
import { cardName, seatName } from "../../../table/core/tell.js";
import { captioned } from "../../rummy/view/groups.js";
import { withLaidOff } from "../core/melds.js";
import { gameOf } from "../core/seen.js";

/** @typedef {import("../controllers/play.js").Play} Play */
/** @typedef {import("../core/seen.js").Knock} Knock */
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
    /** The lay-offs as last drawn. @type {Play["aside"]} */
    this.aside = [];
  }

  /** @param {Play} play */
  render({ state, may, aside, selection }) {
    const game = gameOf(state);
    const knock = game?.phase === "defend" ? game.knock : null;
    this.root.hidden = knock === null;
    this.aside = aside;
    if (knock === null) return;
    const chosen = [...selection];
    const key = JSON.stringify([knock, aside, chosen, may.defend, seatName(state, knock.seat)]);
    if (key === this.shown) return;
    this.shown = key;
    const focused = document.activeElement?.getAttribute("data-meld");
    const melds = knock.groups.map((_, meld) => {
      const mayTake = chosen.length > 0 && withLaidOff(knock.groups, aside, chosen, meld) !== null;
      return this.#meld(knock, aside, meld, may.defend, mayTake);
    });
    if (knock.loose.length > 0) {
      melds.push(captioned(this.painter.fan(knock.loose, null), null, say(this.texts, "deadwood_of", { points: knock.points })));
    }
    const title = say(this.texts, "knocker_melds", { name: seatName(state, knock.seat) });
    this.root.replaceChildren(make("h2", {}, title), make("div", { class: "spread__melds" }, ...melds));
    const again = focused == null ? null : this.root.querySelector(`[data-meld="${focused}"]`);
    if (again instanceof HTMLElement) again.focus({ preventScroll: true });
  }

  /**
   * @param {Knock} knock
   * @param {Play["aside"]} aside
   * @param {number} meld
   * @param {boolean} mayDefend
   * @param {boolean} mayTake Whether the chosen cards fit.
   */
  #meld(knock, aside, meld, mayDefend, mayTake) {
    const fan = this.painter.fan(knock.groups[meld] ?? [], null);
    for (const [card, at] of aside) if (at === meld) fan.append(this.#laidOff(card));
    const name = say(this.texts, `kind_${knock.kinds[meld]}`);
    const button = make(
      "button",
      { class: "spread__lay", type: "button", "data-action": "lay-off", "data-meld": meld, disabled: !mayTake },
      say(this.texts, "lay_off"),
      make("span", { class: "visually-hidden" }, ` ${meld + 1}: ${name}`),
    );
    const figure = captioned(fan, knock.kinds[meld] ?? null, mayDefend ? button : name);
    if (mayDefend) figure.dataset.drop = `meld-${meld}`;
    return figure;
  }

  /** A pressed card returns to the hand. @param {string} card */
  #laidOff(card) {
    const label = say(this.texts, "take_back", { card: cardName(this.texts, card, null) });
    const element = make("button", {
      class: "card card--small spread__laid",
      type: "button",
      "data-action": "take-back",
      "data-laid": card,
    });
    this.painter.paint(element, card, null);
    element.setAttribute("aria-label", label);
    return element;
  }
}
