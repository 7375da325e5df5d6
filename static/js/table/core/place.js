// Finds the place for a card that is dropped at a point: from rectangles to a place.

/** @typedef {{left: number, right: number, top: number, bottom: number}} Box */
/** @typedef {{box: Box, cards: Box[]}} GroupBox */
/** @typedef {import("./hand.js").Place} Place */

/** Dropped this far beside the last group of a row, a card begins a new group. */
const NEW_GROUP_AFTER = 28;

/**
 * @param {readonly GroupBox[]} groups In reading order.
 * @param {{x: number, y: number}} point
 * @param {number} strip The visible part of a covered card.
 * @returns {Place}
 */
export function placeAtPoint(groups, point, strip) {
  const fresh = { group: groups.length, index: 0 };
  const row = rowAt(groups, point.y);
  if (row.length === 0) return fresh;
  const last = /** @type {number} */ (row.at(-1));
  const lastBox = /** @type {GroupBox} */ (groups[last]).box;
  if (last === groups.length - 1 && point.x > lastBox.right + NEW_GROUP_AFTER) return fresh;
  let nearest = last;
  let shortest = Infinity;
  for (const index of row) {
    const { box } = /** @type {GroupBox} */ (groups[index]);
    const distance = Math.max(box.left - point.x, point.x - box.right, 0);
    if (distance < shortest) {
      shortest = distance;
      nearest = index;
    }
  }
  return { group: nearest, index: indexIn(/** @type {GroupBox} */ (groups[nearest]), point, strip) };
}

/**
 * The groups of the row nearest to this height.
 *
 * @param {readonly GroupBox[]} groups
 * @param {number} y
 */
function rowAt(groups, y) {
  const away = (/** @type {GroupBox} */ { box }) => Math.max(box.top - y, y - box.bottom, 0);
  const nearest = Math.min(...groups.map(away));
  return groups.flatMap((group, index) => (away(group) <= nearest + 1 ? [index] : []));
}

/**
 * A group may be longer than a row, so height counts before width.
 *
 * @param {GroupBox} group
 * @param {{x: number, y: number}} point
 * @param {number} strip
 */
function indexIn({ cards }, { x, y }, strip) {
  return cards.filter((card) => {
    if (card.bottom < y && cards.some((other) => other.top > card.top + 1)) return true;
    return card.top <= y && card.left + strip / 2 < x;
  }).length;
}
