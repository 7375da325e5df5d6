// Groups of cards as pictures.

import { make } from "../../../lib/dom.js";
import { say } from "../../../table/core/say.js";

/** @typedef {import("../../../table/core/tell.js").Texts} Texts */
/** @typedef {import("../../../table/view/card.js").CardPainter} CardPainter */

/**
 * A group with its name below.
 *
 * @param {CardPainter} painter
 * @param {Texts} texts
 * @param {readonly string[]} group
 * @param {string | null} kind
 * @param {number | null} wild
 */
export function groupPicture(painter, texts, group, kind, wild) {
  const name = say(texts, `kind_${kind ?? "none"}`);
  return captioned(painter.fan(group, wild), kind, make("span", { class: kind === null ? "visually-hidden" : null }, name));
}

/**
 * @param {Element} cards
 * @param {string | null} kind
 * @param {Element | string} caption
 */
export function captioned(cards, kind, caption) {
  return make("figure", { class: "shown-group", "data-kind": kind ?? "none" }, cards, make("figcaption", {}, caption));
}
