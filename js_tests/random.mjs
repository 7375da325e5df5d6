// A seeded stream of numbers, so that a failing run can be repeated.

/** @param {number} seed */
export function randomFrom(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    /** @param {number} below */
    whole: (below) => Math.floor(next() * below),
    /** @template T @param {readonly T[]} values @returns {T} */
    pick: (values) => values[Math.floor(next() * values.length)],
  };
}

/** Both packs, as the server writes them. */
export const ALL_CARDS = [0, 1].flatMap((pack) => [
  ..."SHDC".split("").flatMap((suit) => "A23456789TJQK".split("").map((rank) => `${rank}${suit}.${pack}`)),
  `PJ.${pack}`,
]);

/**
 * @param {ReturnType<typeof randomFrom>} random
 * @param {number} size
 */
export function dealHand(random, size) {
  const cards = [...ALL_CARDS];
  return Array.from({ length: size }, () => cards.splice(random.whole(cards.length), 1)[0]);
}
