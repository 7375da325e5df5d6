// The card movements and sounds of laying melds, besides those of all rummy games.

import { CLOSED, inHand, journeys, OPEN, placeOf, SOUNDS } from "../journeys.js";

/** @typedef {import("../../../../table/core/game.js").Journey} Journey */
/** @typedef {import("../../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("../../../../table/core/protocol.js").GameEvent} GameEvent */
/** @typedef {import("../../../../table/core/protocol.js").TableState} TableState */
/** @typedef {import("../journeys.js").Traveller} Traveller */

/** Pause between two cards of a laying. */
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

/** @param {CardId} card */
const onTable = (card) => `[data-laid="${card}"]`;
/** @param {CardId} card */
const inSpread = (card) => `[data-region="spread"] [data-painted^="${card} "]`;

/**
 * @param {GameEvent} event
 * @param {TableState} state The state afterwards.
 * @returns {Journey[]}
 */
const laid = (event, state) =>
  cardsOf(event).map((card, index) => ({
    card,
    from: placeOf(event, state, card),
    to: onTable(card),
    delay: index * EVERY_MS,
    hides: onTable(card),
  }));

/** Movements besides those of laid cards. @type {Record<string, Traveller>} */
const TRAVELLERS = {
  // The first of several cards moves like any card from the open pile.
  drawn: (event, state) =>
    (event.cards ?? []).slice(1).map((/** @type {CardId} */ card, /** @type {number} */ index, /** @type {CardId[]} */ rest) => ({
      card,
      // The top card is not spread: it lies on the pile.
      from: index === rest.length - 1 ? OPEN : inSpread(card),
      to: placeOf(event, state, card),
      delay: (index + 1) * EVERY_MS,
      hides: event.seat === state.you.seat ? inHand(card) : null,
    })),
  bought(event, state) {
    const to = (/** @type {CardId | null} */ card) => placeOf(event, state, card);
    const penalty = event.seat === state.you.seat ? (/** @type {any} */ (state.you).bought?.[1] ?? null) : null;
    return [
      { card: event.card, from: OPEN, to: to(event.card) },
      { card: penalty, from: CLOSED, to: to(penalty), delay: EVERY_MS, turns: penalty !== null },
    ];
  },
  swapped_joker: (event, state) => [
    {
      card: event.joker,
      from: onTable(event.joker),
      to: event.to === "hand" ? placeOf(event, state, event.joker) : onTable(event.joker),
      delay: EVERY_MS,
    },
  ],
};

/**
 * @param {readonly GameEvent[]} events
 * @param {TableState} state The state after them.
 * @returns {Journey[]}
 */
export const laidJourneys = (events, state) => [
  ...journeys(events, state),
  ...events.flatMap((event) => [...laid(event, state), ...(TRAVELLERS[event.kind]?.(event, state) ?? [])]),
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
