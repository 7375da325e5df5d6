// The width and overlap of cards with which a whole hand is visible.

/** The part of a card that must stay uncovered for a finger, in pixels. */
export const MIN_STRIP = 24;
/** The share of a card's width that shows its rank and suit. */
const SHOWS_ITS_INDEX = 0.41;

/**
 * @typedef {object} Fit
 * @property {number} card Card width.
 * @property {number} strip The visible part of a covered card.
 * @property {number} rows
 */

/**
 * Lays whole groups into rows, like the page, and counts the rows.
 *
 * @param {readonly number[]} sizes The number of cards in each group.
 * @param {{width: number, gap: number, card: number, strip: number}} measures
 */
export function rowsFor(sizes, { width, gap, card, strip }) {
  let rows = 0;
  let left = 0;
  for (const size of sizes) {
    const cardsInRow = Math.max(1, Math.floor((width - card) / strip) + 1);
    const ownRows = Math.ceil(size / cardsInRow);
    const length = card + (Math.min(size, cardsInRow) - 1) * strip;
    if (rows === 0 || ownRows > 1 || length + gap > left) {
      rows += ownRows;
      left = width - length;
    } else {
      left -= length + gap;
    }
  }
  return Math.max(1, rows);
}

/**
 * The roomiest fit: full-size cards before small ones, then the widest strip.
 *
 * @param {readonly number[]} sizes
 * @param {{width: number, gap: number, card: number, minCard: number, maxRows: number}} room
 * @returns {Fit}
 */
export function fitHand(sizes, { width, gap, card, minCard, maxRows }) {
  for (let w = card; w >= minCard; w -= 2) {
    const least = Math.max(MIN_STRIP, Math.round(w * SHOWS_ITS_INDEX));
    for (let strip = Math.floor(w * 0.68); strip >= least; strip -= 1) {
      const rows = rowsFor(sizes, { width, gap, card: w, strip });
      if (rows <= maxRows) return { card: w, strip, rows };
    }
  }
  const rows = rowsFor(sizes, { width, gap, card: minCard, strip: MIN_STRIP });
  return { card: minCard, strip: MIN_STRIP, rows };
}
