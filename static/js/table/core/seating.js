// The players' places around the table from the viewer's perspective. Pure.

/** @typedef {import("./protocol.js").TableState} TableState */

/** Places on the felt by the number of players, from the viewer's left hand. */
const PLACES = [
  [],
  ["t"],
  ["tl", "tr"],
  ["l", "t", "r"],
  ["l", "tl", "tr", "r"],
  ["l", "tl", "t", "tr", "r"],
  ["l", "tl", "t1", "t2", "tr", "r"],
  ["l", "tl", "t1", "t", "t2", "tr", "r"],
];
const MOST_AROUND_A_WATCHER = 5;

/**
 * The place of each of these players. A spectator has no place at the bottom, so the sixth player is there.
 *
 * @param {number} count
 * @param {boolean} isWatching
 * @returns {readonly string[]}
 */
export function placesAround(count, isWatching) {
  const isBelow = isWatching && count > MOST_AROUND_A_WATCHER;
  return isBelow ? ["b", ...(PLACES[count - 1] ?? [])] : (PLACES[count] ?? []);
}

/**
 * Every seat but the viewer's, clockwise from the left: the match's players in order of play (R4.1). The
 * other seats come together after the last of them.
 *
 * @param {TableState} state
 * @param {readonly number[]} order Of the match.
 * @returns {number[]}
 */
export function seatsAround({ seats, you }, order) {
  const numbers = seats.map((_, seat) => seat);
  const players = fromLowest(order.filter((seat) => seat < seats.length));
  const ring = [...players, ...numbers.filter((seat) => !players.includes(seat))];
  if (you.seat === null) return ring;
  return turned(ring, ring.indexOf(you.seat)).slice(1);
}

/**
 * The order of play rotates with every deal, but people stay where they are. @param {readonly number[]}
 * ring
 */
const fromLowest = (ring) => turned(ring, ring.indexOf(Math.min(...ring)));

/**
 * @param {readonly number[]} ring
 * @param {number} at
 */
const turned = (ring, at) => [...ring.slice(at), ...ring.slice(0, at)];
