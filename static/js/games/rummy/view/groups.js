// Groups of cards as pictures.

import { make } from "../../../lib/dom.js";
import { say } from "../../../table/core/say.js";

/** @typedef {import("../../../table/core/tell.js").Texts} Texts */
/** @typedef {import("../../../table/view/card.js").CardPainter} CardPainter */

/**
 * A group with its name below, or another text.
 *
 * @param {CardPainter} painter
 * @param {Texts} texts
 * @param {readonly string[]} group
 * @param {string | null} kind
 * @param {number | null} wild
 * @param {string} [text]
 */
export const groupPicture = (painter, texts, group, kind, wild, text = say(texts, `kind_${kind ?? "none"}`)) =>
  captioned(painter.fan(group, wild), kind, text);

/**
 * @param {Element} cards
 * @param {string | null} kind
 * @param {Element | string} caption
 */
export function captioned(cards, kind, caption) {
  return make("figure", { class: "shown-group", "data-kind": kind ?? "none" }, cards, make("figcaption", {}, caption));
}
