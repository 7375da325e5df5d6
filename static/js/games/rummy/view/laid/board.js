// The melds on the table: their cards, the players who laid them, and the faces of jokers.

import { faceOf, rankText, suitOf } from "../../../../table/core/cards.js";
import { make, region } from "../../../../lib/dom.js";
import { say } from "../../../../table/core/say.js";
import { seatName } from "../../../../table/core/tell.js";
import { isDead, laidName, layersOf, lyingName } from "../../core/laid/words.js";
import { gameOf } from "../../core/laid/seen.js";

/** @typedef {import("../../controllers/laid/play.js").LaidPlay} LaidPlay */
/** @typedef {import("../../controllers/laid/play.js").Offer} Offer */
/** @typedef {import("../../core/laid/seen.js").LaidMeld} LaidMeld */
/** @typedef {import("../../../../table/core/protocol.js").TableState} TableState */
/** @typedef {import("../../../../table/core/tell.js").Texts} Texts */
/** @typedef {import("../../../../table/view/card.js").CardPainter} CardPainter */

/** @type {Record<string, string>} */
const SIGNS = { S: "♠", H: "♥", D: "♦", C: "♣" };

export class BoardView {
  /**
   * @param {CardPainter} painter
   * @param {Texts} texts
   */
  constructor(painter, texts) {
    this.painter = painter;
    this.texts = texts;
    this.root = region("board");
    this.shown = "";
  }

  /**
   * @param {LaidPlay} play
   * @param {number | null} wild
   */
  render(play, wild) {
    const { state } = play;
    const melds = gameOf(state)?.melds ?? [];
    const chosen = play.chosen();
    const offers = melds.map((_, number) => (chosen.length > 0 ? play.offers(number, chosen) : []));
    const key = JSON.stringify([melds, offers, wild, state.game === null, state.seats.map(({ player }) => player?.name)]);
    if (key === this.shown) return;
    this.shown = key;
    const focused = document.activeElement?.getAttribute("data-offer");
    const pictures = melds.map((meld, number) => this.#meld(state, meld, number, offers[number] ?? [], wild));
    const nothing = make("p", { class: "board__empty" }, state.game === null ? "" : say(this.texts, "no_melds"));
    this.root.replaceChildren(...(pictures.length > 0 ? pictures : [nothing]));
    const again = focused == null ? null : this.root.querySelector(`[data-offer="${focused}"]`);
    if (again instanceof HTMLElement) again.focus({ preventScroll: true });
  }

  /**
   * @param {TableState} state
   * @param {LaidMeld} meld
   * @param {number} number
   * @param {readonly Offer[]} offers
   * @param {number | null} wild
   */
  #meld(state, meld, number, offers, wild) {
    const { texts } = this;
    const kind = say(texts, `kind_${meld.kind}`);
    const names = layersOf(state, meld);
    const label = say(texts, "meld_label", { number: number + 1, kind, count: meld.cards.length });
    const by = make("span", { class: "laid__by" }, names);
    return make(
      "div",
      {
        class: "laid",
        role: "group",
        "data-kind": meld.kind,
        "data-drop": `meld-${number}`,
        "aria-label": `${label}, ${say(texts, "laid_by", { name: names })}`,
      },
      make("span", { class: "laid__number", "aria-hidden": true }, String(number + 1)),
      meldFan(this.painter, texts, state, meld, wild),
      make("span", { class: "laid__foot" }, by, ...offers.map((offer, at) => this.#offer(offer, number, at))),
    );
  }

  /**
   * @param {Offer} offer
   * @param {number} number
   * @param {number} at
   */
  #offer({ action, label, says, data }, number, at) {
    const button = make(
      "button",
      { class: "laid__offer", type: "button", "data-action": action, "data-meld": number, "data-offer": `${number}-${at}` },
      make("span", { "aria-hidden": true }, label),
      make("span", { class: "visually-hidden" }, says),
    );
    for (const [name, value] of Object.entries(data)) button.dataset[name] = String(value);
    return button;
  }
}

/**
 * The cards of a meld: a joker with the face it stands for, a dead joker without colour, and a mark on
 * cards laid by others than the first player.
 *
 * @param {CardPainter} painter
 * @param {Texts} texts
 * @param {TableState} state
 * @param {LaidMeld} meld
 * @param {number | null} wild
 */
export function meldFan(painter, texts, state, { cards, as, by, kind }, wild) {
  const pictures = cards.map((card, index) => {
    const face = as[index] ?? faceOf(card);
    const name = seatName(state, by[index] ?? 0);
    const isOther = by[index] !== by[0];
    const picture = painter.picture(card, wild, "card--small");
    picture.dataset.laid = card;
    const told = lyingName(texts, card, face, kind);
    picture.setAttribute("aria-label", isOther ? `${told}, ${say(texts, "laid_by", { name })}` : told);
    picture.title = `${told}, ${say(texts, "laid_by", { name })}`;
    if (face !== faceOf(card)) picture.append(standsFor(face, isDead(card, face, kind)));
    if (isOther) picture.append(make("span", { class: "laid__other", "aria-hidden": true }, firstLetter(name)));
    return picture;
  });
  return make("span", { class: "fan" }, ...pictures);
}

/**
 * A name's first letter with its marks, as people see it.
 *
 * @param {string} name
 */
export const firstLetter = (name) =>
  ("Segmenter" in Intl ? [...new Intl.Segmenter().segment(name)][0]?.segment : [...name][0]) ?? "";

/**
 * @param {string} face
 * @param {boolean} [dead]
 */
const standsFor = (face, dead = false) =>
  make("span", { class: `laid__as${dead ? " laid__as--dead" : ""} card--${suitOf(face)}`, "aria-hidden": true }, `${rankText(face)}${SIGNS[suitOf(face)]}`);

/**
 * Cards about to be laid, with the faces of their jokers.
 *
 * @param {CardPainter} painter
 * @param {Texts} texts
 * @param {import("../../core/laid/melds.js").Laying} laying
 * @param {number | null} wild
 */
export function layingFan(painter, texts, { cards, as }, wild) {
  const pictures = cards.map((card, index) => {
    const picture = painter.picture(card, wild, "card--small");
    picture.setAttribute("aria-label", laidName(texts, card, as[index]));
    if (as[index] !== faceOf(card)) picture.append(standsFor(as[index] ?? ""));
    return picture;
  });
  return make("span", { class: "fan" }, ...pictures);
}
