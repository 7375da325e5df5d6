// Texts for melds and their cards.

import { faceOf } from "../../../../table/core/cards.js";
import { say } from "../../../../table/core/say.js";
import { cardName, namesOf } from "../../../../table/core/tell.js";

/** @typedef {import("../../../../table/core/protocol.js").TableState} TableState */
/** @typedef {import("../../../../table/core/tell.js").Texts} Texts */
/** @typedef {import("./melds.js").Laying} Laying */
/** @typedef {import("./seen.js").LaidMeld} LaidMeld */

/**
 * The name of a card in a meld; a joker in a set is dead, because nobody can swap it.
 *
 * @param {Texts} texts
 * @param {string} card
 * @param {string | undefined} face The face that it stands for.
 * @param {string} kind Of the meld.
 */
export function lyingName(texts, card, face, kind) {
  const name = laidName(texts, card, face);
  return isDead(card, face, kind) ? `${name}, ${say(texts, "dead_joker")}` : name;
}

/**
 * @param {string} card
 * @param {string | undefined} face
 * @param {string} kind
 */
export const isDead = (card, face, kind) => kind === "set" && face !== undefined && face !== faceOf(card);

/**
 * "7 of hearts", "joker for 8 of hearts".
 *
 * @param {Texts} texts
 * @param {string} card
 * @param {string | undefined} face The face that it stands for.
 */
export function laidName(texts, card, face) {
  if (face === undefined || face === faceOf(card)) return cardName(texts, card, null);
  return say(texts, "stands_for", { card: cardName(texts, card, null), face: cardName(texts, face, null) });
}

/**
 * @param {Texts} texts
 * @param {Laying} laying
 */
export const layingInWords = (texts, { cards, as }) =>
  cards.map((card, index) => laidName(texts, card, as[index])).join(", ");

/**
 * "Set: 7 of spades, 7 of hearts, joker for 7 of clubs".
 *
 * @param {Texts} texts
 * @param {readonly (Laying & {kind: string})[]} melds
 */
export const meldsInWords = (texts, melds) =>
  melds.map((meld) => `${say(texts, `kind_${meld.kind}`)}: ${layingInWords(texts, meld)}`).join("; ");

/**
 * The players who laid it, in order.
 *
 * @param {TableState} state
 * @param {LaidMeld} meld
 */
export const layersOf = (state, { by }) => namesOf(state, [...new Set(by)]);
