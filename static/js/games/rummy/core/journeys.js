// The card movements of a table of rummy; static/js/table/effects animates them.

/** @typedef {import("../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("../../../table/core/protocol.js").GameEvent} GameEvent */
/** @typedef {import("../../../table/core/protocol.js").TableState} TableState */
/** @typedef {import("../../../table/core/game.js").Journey} Journey */
/** @typedef {(event: GameEvent, state: TableState) => Journey[]} Traveller */

export const CLOSED = '[data-pile="closed"]';
export const OPEN = '[data-pile="open"]';
const FINISH = '[data-region="finish"]';
/** Pause between two cards of a deal. */
const DEALT_EVERY_MS = 30;
/** Backs that fly to another player, standing for all their cards. */
const BACKS_DEALT = 3;

/** @param {CardId} card */
export const inHand = (card) => `[data-region="hand"] [data-card="${card}"]`;
/** @param {number} seat */
export const atSeat = (seat) => `.seat[data-seat="${seat}"] .seat__face`;

/**
 * @param {GameEvent} event
 * @param {TableState} state The state afterwards.
 * @param {CardId | null} card
 */
export const placeOf = ({ seat }, { you }, card) => (seat === you.seat && card !== null ? inHand(card) : atSeat(seat));

/**
 * The hands that are dealt from this place.
 *
 * @param {string} from
 * @returns {Traveller}
 */
export const dealtFrom = (from) => (_, { you, game }) => [
  ...(you.hand ?? []).map((card, index) => ({
    card,
    from,
    to: inHand(card),
    delay: index * DEALT_EVERY_MS,
    turns: true,
    hides: inHand(card),
  })),
  ...Object.keys(game?.players ?? {})
    .map(Number)
    .filter((seat) => seat !== you.seat)
    .flatMap((seat, place) =>
      Array.from({ length: BACKS_DEALT }, (_one, index) => ({
        card: null,
        from,
        to: atSeat(seat),
        delay: (index * 4 + place) * DEALT_EVERY_MS,
      })),
    ),
];

/** @type {Record<string, Traveller>} */
const TRAVELLERS = {
  dealt: dealtFrom(CLOSED),
  drawn(event, state) {
    const fromOpen = event.source === "open";
    const card = fromOpen ? event.card : event.seat === state.you.seat ? (state.you.drawn ?? null) : null;
    const from = fromOpen ? OPEN : CLOSED;
    const hides = event.seat === state.you.seat && card !== null ? inHand(card) : null;
    return [{ card, from, to: placeOf(event, state, card), turns: !fromOpen, hides }];
  },
  discarded: (event, state) => [
    { card: event.card, from: placeOf(event, state, event.card), to: OPEN, hides: `${OPEN} .card` },
  ],
  finished: (event, state) => [
    { card: event.card, from: placeOf(event, state, event.card), to: FINISH, hides: `${FINISH} .card` },
  ],
  knocked: (event, state) => [{ card: null, from: placeOf(event, state, event.card ?? null), to: OPEN }],
};

/**
 * @param {readonly GameEvent[]} events
 * @param {TableState} state The state after them.
 * @returns {Journey[]}
 */
export const journeys = (events, state) => events.flatMap((event) => TRAVELLERS[event.kind]?.(event, state) ?? []);

/** The sounds of events: names of static/js/table/effects/sounds.js. @type {Record<string, string>} */
export const SOUNDS = {
  dealt: "cards",
  drawn: "card",
  discarded: "thud",
  dropped: "fall",
  finished: "knocks",
  knocked: "knocks",
  declared: "chime",
  reshuffled: "cards",
};
