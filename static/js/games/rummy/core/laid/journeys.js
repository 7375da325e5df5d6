// What travels and is heard when melds are laid on the table, beside what any game of rummy has.

import { journeys, SOUNDS } from "../journeys.js";

/** @typedef {import("../../../../table/core/game.js").Journey} Journey */
/** @typedef {import("../../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("../../../../table/core/protocol.js").GameEvent} GameEvent */
/** @typedef {import("../../../../table/core/protocol.js").TableState} TableState */

/** Between two cards of a laying. */
const EVERY_MS = 60;

/**
 * @param {GameEvent} event
 * @returns {CardId[]}
 */
function cardsOf(event) {
  if (event.kind === "melded" || event.kind === "contract_laid") {
    return event.melds.flatMap((/** @type {{cards: CardId[]}} */ { cards }) => cards);
  }
  if (event.kind === "laid_off") return event.cards;
  return event.kind === "swapped_joker" ? [event.card] : [];
}

/**
 * @param {GameEvent} event
 * @param {TableState} state After it.
 * @returns {Journey[]}
 */
function laid(event, { you }) {
  return cardsOf(event).map((card, index) => ({
    card,
    from:
      event.seat === you.seat
        ? `[data-region="hand"] [data-card="${card}"]`
        : `.seat[data-seat="${event.seat}"] .seat__face`,
    to: `[data-laid="${card}"]`,
    delay: index * EVERY_MS,
    hides: `[data-laid="${card}"]`,
  }));
}

/**
 * @param {readonly GameEvent[]} events
 * @param {TableState} state After them.
 * @returns {Journey[]}
 */
export const laidJourneys = (events, state) => [
  ...journeys(events, state),
  ...events.flatMap((event) => laid(event, state)),
];

/** @type {Record<string, string>} */
export const LAID_SOUNDS = {
  ...SOUNDS,
  melded: "cards",
  laid_off: "card",
  contract_laid: "cards",
  bought: "card",
  swapped_joker: "card",
};
