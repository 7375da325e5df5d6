// The tile movements and sounds of a table of Rummikub.

import { dealtFrom, inHand } from "../../rummy/core/journeys.js";
import { tilesOf } from "./board.js";

/** @typedef {import("../../../table/core/game.js").Journey} Journey */
/** @typedef {import("../../../table/core/game.js").TableGame} TableGame */
/** @typedef {import("../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("../../rummy/core/journeys.js").Traveller} Traveller */
/** @typedef {import("./board.js").Board} Board */

const POOL = '[data-region="pool"]';
/** Pause between two tiles of a lay. */
const EVERY_MS = 60;

/** On a phone the faces are hidden here. @param {number} seat */
const atSeat = (seat) => `.seat[data-seat="${seat}"]`;
/** @param {CardId} card */
const onTable = (card) => `[data-region="board"] [data-card="${card}"]`;

/** @type {Record<string, Traveller>} */
const TRAVELLERS = {
  dealt: dealtFrom(POOL),
  // A player who lays has built it before, so the tiles are there already.
  laid: (event, { you }) =>
    event.seat === you.seat
      ? []
      : event.from_rack.map((/** @type {CardId} */ card, /** @type {number} */ index) => ({
          card,
          from: atSeat(event.seat),
          to: onTable(card),
          delay: index * EVERY_MS,
          hides: onTable(card),
        })),
  drawn: (event, { you }) =>
    event.seat === you.seat
      ? /** @type {CardId[]} */ (/** @type {any} */ (you).drawn ?? []).map((card, index) => ({
          card,
          from: POOL,
          to: inHand(card),
          delay: index * EVERY_MS,
          turns: true,
          hides: inHand(card),
        }))
      : [{ card: null, from: POOL, to: atSeat(event.seat) }],
};

/** @type {NonNullable<TableGame["journeys"]>} */
export const journeys = (events, state) => events.flatMap((event) => TRAVELLERS[event.kind]?.(event, state) ?? []);

/**
 * The tiles that move from the rack, or away from the tiles they lay with.
 *
 * @param {Board} before The board as drawn.
 * @param {Board} after
 * @param {readonly CardId[]} hand The tiles of the rack, wherever they lie in this turn.
 * @returns {Journey[]}
 */
export function moved(before, after, hand) {
  const [there, here] = [before, after].map(matesOf);
  const all = new Set([...tilesOf(before), ...tilesOf(after), ...hand]);
  return [...all]
    .filter((card) => leaves(there?.get(card), here?.get(card)))
    .map((card) => ({ card, from: tile(card), to: tile(card), hides: tile(card) }));
}

/** @param {CardId} card */
const tile = (card) => `[data-card="${card}"]`;

/** @param {Board} board @returns {Map<CardId, readonly CardId[]>} */
const matesOf = (board) =>
  new Map(board.flatMap(({ cards }) => cards.map((card) => [card, cards.filter((other) => other !== card)])));

/**
 * @param {readonly CardId[] | undefined} before The tiles that it lay with; undefined if it was on the
 * rack.
 * @param {readonly CardId[] | undefined} after
 */
function leaves(before, after) {
  if (before === undefined || after === undefined) return before !== after;
  return before.length > 0 && !before.some((card) => after.includes(card));
}

/** @type {NonNullable<TableGame["sounds"]>} */
export const SOUNDS = {
  dealt: "cards",
  drawn: "card",
  laid: "cards",
  opened: "chime",
  passed: "thud",
};
