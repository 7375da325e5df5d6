// Chips that move to the winners.

/** @typedef {import("../core/game.js").Journey} Journey */
/** @typedef {import("../core/protocol.js").GameEvent} GameEvent */
/** @typedef {import("../core/protocol.js").TableState} TableState */

const CHIPS_OF_A_SEAT = 3;
const EVERY_MS = 70;

/** @param {number} seat */
const faceOf = (seat) => `.seat[data-seat="${seat}"] .seat__face`;

/**
 * @param {readonly GameEvent[]} events
 * @param {TableState} state The state after them.
 * @returns {Journey[]}
 */
export function chipJourneys(events, { table }) {
  const amounts = table.settlement?.amounts;
  if (amounts === undefined || !events.some(({ kind }) => kind === "match_over")) return [];
  const seats = Object.keys(amounts).map(Number);
  const winners = seats.filter((seat) => (amounts[seat] ?? 0) > 0);
  const losers = seats.filter((seat) => (amounts[seat] ?? 0) < 0);
  return winners.flatMap((winner) =>
    losers.flatMap((loser) =>
      Array.from({ length: CHIPS_OF_A_SEAT }, (_, index) => ({
        chip: true,
        from: faceOf(loser),
        to: faceOf(winner),
        delay: index * EVERY_MS,
      })),
    ),
  );
}
