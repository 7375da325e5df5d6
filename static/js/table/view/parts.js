// Small parts that games show: groups of cards, buttons below a hand, lines of a score sheet.

import { find, make, setAttribute } from "../../lib/dom.js";
import { say } from "../core/tell.js";

/** @typedef {import("../core/tell.js").Texts} Texts */
/** @typedef {import("./card.js").CardPainter} CardPainter */

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

/**
 * @param {HTMLElement} root
 * @param {string} name
 * @param {{enabled: boolean, hidden?: boolean, pressed?: boolean}} how
 */
export function showButton(root, name, { enabled, hidden = false, pressed }) {
  const button = find(`[data-action="${name}"]`, root);
  if (pressed !== undefined) setAttribute(button, "aria-pressed", String(pressed));
  setAttribute(button, "disabled", !enabled);
  button.hidden = hidden;
}

/**
 * @param {string} title
 * @param {readonly string[]} cells
 * @param {string | null} [className]
 */
export const scoreRow = (title, cells, className = null) =>
  make(
    "tr",
    { class: className },
    make("th", { scope: "row" }, title),
    ...cells.map((text) => make("td", {}, text)),
  );
