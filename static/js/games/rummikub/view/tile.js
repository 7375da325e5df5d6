// A tile: its number, its colour and, for people who cannot distinguish colours, a shape.

import { make, setAttribute } from "../../../lib/dom.js";
import { isJoker, numberOf, tileName } from "../core/names.js";

/** @typedef {import("../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("../../../table/core/tell.js").Texts} Texts */

/** Black, red, orange, blue. @type {Record<string, string>} */
const SHAPES = { S: "■", H: "●", D: "▲", C: "◆" };

/**
 * @typedef {object} TileLook
 * @property {string | null} [stands] The face that a joker stands for.
 * @property {boolean} [isChosen]
 * @property {boolean} [isNew] Just drawn, or laid from a rack by the last lay.
 * @property {boolean} [isMoved] It lay with other tiles before the last lay.
 * @property {boolean} [isOwn] Laid from the player's rack in this turn.
 * @property {boolean} [isSmall] Smaller than on the table; the default for a picture.
 */

/**
 * @param {Texts} texts
 * @param {CardId} card
 * @param {TileLook} [look]
 */
function face(texts, card, { stands = null } = {}) {
  const name = tileName(texts, card, stands);
  const shown = isJoker(card) ? (stands === null || isJoker(stands) ? null : stands) : card;
  const number = isJoker(card) ? "☺" : String(numberOf(card));
  const below = shown === null ? "" : isJoker(card) ? `${numberOf(shown)}${SHAPES[shown.charAt(1)]}` : SHAPES[shown.charAt(1)];
  return {
    name,
    colour: shown === null ? "J" : shown.charAt(1),
    parts: [
      make("span", { class: "tile__number", "aria-hidden": true }, number),
      make("span", { class: "tile__shape", "aria-hidden": true }, below ?? ""),
    ],
  };
}

/**
 * Makes a button show a tile that can be chosen and dragged.
 *
 * @param {Texts} texts
 * @param {HTMLButtonElement} button
 * @param {CardId} card
 * @param {TileLook & {says?: string}} look `says` is appended to its name.
 */
export function paintTile(texts, button, card, look) {
  const key = JSON.stringify(look);
  if (button.dataset.look === key) return;
  button.dataset.look = key;
  const { name, colour, parts } = face(texts, card, look);
  const marks = [
    `tile tile--${colour}`,
    isJoker(card) ? "tile--joker" : "",
    look.isChosen ? "tile--chosen" : "",
    look.isNew ? "tile--new" : "",
    look.isMoved ? "tile--moved" : "",
    look.isOwn ? "tile--own" : "",
  ];
  button.className = marks.filter((mark) => mark !== "").join(" ");
  setAttribute(button, "aria-pressed", String(look.isChosen === true));
  setAttribute(button, "aria-label", look.says ? `${name}, ${look.says}` : name);
  button.replaceChildren(...parts);
}

/** The back of a tile. */
export const tileBack = () => make("span", { class: "tile tile--back" });

/**
 * A tile as a picture.
 *
 * @param {Texts} texts
 * @param {CardId} card
 * @param {TileLook} [look]
 */
export function tilePicture(texts, card, look = {}) {
  const { name, colour, parts } = face(texts, card, look);
  const marks = `${isJoker(card) ? " tile--joker" : ""}${look.isSmall === false ? "" : " tile--small"}`;
  return make("span", { class: `tile tile--${colour}${marks}`, role: "img", "aria-label": name }, ...parts);
}
