// Draws one card, the same everywhere.

import { make, setAttribute, sprite } from "../../lib/dom.js";
import { isCourt, isPrintedJoker, isWild, rankText, suitOf } from "../core/cards.js";
import { cardName } from "../core/tell.js";

/** @typedef {import("../core/protocol.js").CardId} CardId */
/** @typedef {import("../core/protocol.js").Group} Group */
/** @typedef {import("../core/tell.js").Texts} Texts */

/** Symbols of the sprite; J is the joker's crown. @type {Record<string, string>} */
const FIGURES = { J: "N", Q: "Q", K: "K" };

export class CardPainter {
  /**
   * @param {string} suits The address of the suits' sprite.
   * @param {Texts} texts
   */
  constructor(suits, texts) {
    this.suits = suits;
    this.texts = texts;
  }

  /**
   * Makes an element show a card; its other classes stay.
   *
   * @param {HTMLElement} element
   * @param {CardId} card
   * @param {number | null} wild
   */
  paint(element, card, wild) {
    const key = `${card} ${wild ?? ""}`;
    if (element.dataset.painted === key) return;
    element.dataset.painted = key;
    const marked = isWild(card, wild);
    const kept = [...element.classList].filter((name) => !/^card--(?:[SHDC]|joker|wild|court|back)$/.test(name));
    element.className = kept.join(" ");
    element.classList.add("card", `card--${isPrintedJoker(card) ? "joker" : suitOf(card)}`);
    element.classList.toggle("card--wild", marked);
    element.classList.toggle("card--court", isCourt(card));
    element.replaceChildren(...this.#face(card, marked));
    setAttribute(element, "aria-label", this.label(card, wild));
  }

  /**
   * The accessible name of a card. It contains the visible letters, for players who use speech input (WCAG 2.5.3).
   *
   * @param {CardId} card
   * @param {number | null} wild
   */
  label(card, wild) {
    const name = cardName(this.texts, card, wild);
    return isPrintedJoker(card) ? `${name}, ${rankText(card)}` : name;
  }

  /**
   * A card as a picture.
   *
   * @param {CardId} card
   * @param {number | null} wild
   * @param {string} [className]
   */
  picture(card, wild, className = "") {
    const element = make("span", { class: `card ${className}`.trim(), role: "img" });
    this.paint(element, card, wild);
    return element;
  }

  back() {
    return make("span", { class: "card card--back" });
  }

  /**
   * @param {readonly CardId[]} cards
   * @param {number | null} wild
   */
  fan(cards, wild) {
    return make("span", { class: "fan" }, ...cards.map((card) => this.picture(card, wild, "card--small")));
  }

  /**
   * @param {CardId} card
   * @param {boolean} marked
   */
  #face(card, marked) {
    const suit = `${this.suits}#${suitOf(card)}`;
    /** @type {Element[]} */
    const parts = [
      make(
        "span",
        { class: "card__index", "aria-hidden": "true" },
        make("span", { class: "card__rank" }, rankText(card)),
        sprite(suit, "card__suit"),
      ),
    ];
    if (isCourt(card)) {
      parts.push(sprite(`${this.suits}#${FIGURES[rankText(card)]}`, "card__court"));
    }
    /** @type {Element[]} */
    const face = [...parts, isPrintedJoker(card) ? sprite(`${this.suits}#F`, "card__court") : sprite(suit, "card__pip")];
    if (marked) {
      face.push(make("span", { class: "card__wild" }, sprite(`${this.suits}#J`, "card__crown")));
    }
    return face;
  }
}
