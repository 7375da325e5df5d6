// The card movements and sounds of a table of gin.

import { inHand, journeys, placeOf, SOUNDS } from "../../rummy/core/journeys.js";

/** @typedef {import("../../../table/core/game.js").Journey} Journey */
/** @typedef {import("../../../table/core/game.js").TableGame} TableGame */
/** @typedef {import("../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("../../../table/core/protocol.js").GameEvent} GameEvent */
/** @typedef {import("../../../table/core/protocol.js").TableState} TableState */

/** Pause between two cards that are laid open. */
const EVERY_MS = 40;

/** @param {CardId} card */
const inSpread = (card) => `[data-region="spread"] [data-painted^="${card} "]`;

/**
 * The knocker's melds and deadwood.
 *
 * @param {GameEvent} event
 * @param {TableState} state The state afterwards.
 * @returns {Journey[]}
 */
const shown = (event, state) =>
  [...event.groups.flat(), ...event.loose].map((card, index) => ({
    card,
    from: placeOf(event, state, card),
    to: inSpread(card),
    delay: index * EVERY_MS,
    hides: inSpread(card),
  }));

/** @type {NonNullable<TableGame["journeys"]>} */
export const ginJourneys = (events, state) => [
  ...journeys(events, state),
  ...events.filter(({ kind }) => kind === "knocked").flatMap((event) => shown(event, state)),
];

/**
 * Cards laid off on the knocker's melds, or taken back.
 *
 * @param {readonly import("./seen.js").LayOff[]} before
 * @param {readonly import("./seen.js").LayOff[]} after
 * @returns {Journey[]}
 */
export function laidOff(before, after) {
  const [were, are] = [before.map(([card]) => card), after.map(([card]) => card)];
  /** @param {CardId} card */
  const onMeld = (card) => `[data-laid="${card}"]`;
  const off = are.filter((card) => !were.includes(card));
  const back = were.filter((card) => !are.includes(card));
  return [
    ...off.map((card) => ({ card, from: inHand(card), to: onMeld(card), hides: onMeld(card) })),
    ...back.map((card) => ({ card, from: onMeld(card), to: inHand(card), hides: inHand(card) })),
  ];
}

/** @type {NonNullable<TableGame["sounds"]>} */
export const GIN_SOUNDS = {
  ...SOUNDS,
  knocked: ({ how }) => (how === "knock" ? "knocks" : "fanfare"),
  defended: "cards",
};
