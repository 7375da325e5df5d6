// Tiles in words: "red 8", "joker for blue 4".

import { say } from "../../../table/core/say.js";

/** @typedef {import("../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("../../../table/core/tell.js").Texts} Texts */

const NUMBERS = "A23456789TJQK";

/** The number on a tile: 1 to 13. @param {string} face */
export const numberOf = (face) => NUMBERS.indexOf(face.charAt(0)) + 1;

/** @param {string} face */
export const isJoker = (face) => face.startsWith("PJ");

/**
 * @param {Texts} texts
 * @param {string} card
 * @param {string | null} [stands] The face that a joker stands for.
 * @returns {string}
 */
export function tileName(texts, card, stands = null) {
  if (isJoker(card)) {
    return stands === null || isJoker(stands) ? say(texts, "tile_joker") : say(texts, "tile_joker_for", { tile: tileName(texts, stands) });
  }
  return say(texts, `tile_${card.charAt(1)}`, { number: numberOf(card) });
}

/**
 * @param {Texts} texts
 * @param {readonly string[]} cards
 */
export const tileNames = (texts, cards) => cards.map((card) => tileName(texts, card)).join(", ");
