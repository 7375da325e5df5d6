// Where people sit around the table as somebody sees it. Pure.

/** @typedef {import("./protocol.js").TableState} TableState */

/**
 * Every seat but one's own, clockwise from the left: the players of the match in order of play
 * (R4.1). The other seats stand together behind the last of them.
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

/** The order of play turns with every deal, and people stay where they are. @param {readonly number[]} ring */
const fromLowest = (ring) => turned(ring, ring.indexOf(Math.min(...ring)));

/**
 * @param {readonly number[]} ring
 * @param {number} at
 */
const turned = (ring, at) => [...ring.slice(at), ...ring.slice(0, at)];
