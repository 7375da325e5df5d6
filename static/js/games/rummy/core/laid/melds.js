// Reads cards as melds, and finds cards that fit on a meld of the table. The server decides what may be
// played; this finds what the selected cards could be, and what their jokers stand for.

import { faceOf, isPrintedJoker, RANKS, rankOf, suitOf } from "../../../../table/core/cards.js";

/** @typedef {import("../../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("./seen.js").LaidMeld} LaidMeld */
/**
 * @typedef {object} Shape The game's rules for melds.
 * @property {number} minSet
 * @property {number} minRun
 * @property {string} run The game's word for a run: "sequence" or "run".
 * @property {boolean} aceHigh An ace may follow a king.
 * @property {boolean} repeats A set may hold a suit twice.
 * @property {number | null} wild The rank that is wild besides printed jokers.
 * @property {number} naturalsInSet The fewest cards that stand for themselves.
 * @property {number} naturalsInRun
 */
/** @typedef {{cards: CardId[], as: string[]}} Laying Cards, and the face that each stands for. */
/** @typedef {Laying & {kind: string}} Reading */

const HIGH_ACE = 14;
const SUITS = ["S", "H", "C", "D"];

/** @param {number} step 1 is a low ace, 14 a high one. */
const rankAt = (step) => RANKS.charAt((step - 1) % 13);

/**
 * @param {string} suit
 * @param {number} step
 */
const faceAt = (suit, step) => `${rankAt(step)}${suit}`;

/**
 * @param {CardId} card
 * @param {Shape} shape
 */
export const isWild = (card, { wild }) => isPrintedJoker(card) || rankOf(card) === wild;

/** @param {Laying} laying */
const naturals = ({ cards, as }) => cards.filter((card, index) => faceOf(card) === as[index]).length;

/**
 * Reads these cards as a new meld; null if they are none. Jokers fill gaps; further jokers of a run go to
 * the end at which they lie among the cards.
 *
 * @param {readonly CardId[]} cards
 * @param {Shape} shape
 * @returns {Reading | null}
 */
export function readMeld(cards, shape) {
  return readSet(cards, shape) ?? readRun(cards, shape);
}

/**
 * @param {readonly CardId[]} cards
 * @param {Shape} shape
 * @returns {Reading | null}
 */
function readSet(cards, shape) {
  const fixed = cards.filter((card) => !isWild(card, shape));
  const rank = rankOf(fixed[0] ?? cards.find((card) => !isPrintedJoker(card)) ?? "");
  if (cards.length < shape.minSet || rank < 1 || fixed.some((card) => rankOf(card) !== rank)) return null;
  const own = cards.filter((card) => rankOf(card) === rank).map(suitOf);
  if (!shape.repeats && new Set(own).size < cards.length) return null;
  const free = SUITS.filter((suit) => !own.includes(suit));
  const as = cards.map((card) => (rankOf(card) === rank ? faceOf(card) : faceAt(free.shift() ?? "S", rank)));
  const reading = { kind: "set", cards: [...cards], as };
  return naturals(reading) >= shape.naturalsInSet ? reading : null;
}

/**
 * @param {readonly CardId[]} cards
 * @param {Shape} shape
 * @returns {Reading | null}
 */
function readRun(cards, shape) {
  const fixed = cards.filter((card) => !isWild(card, shape));
  const [first] = fixed;
  if (first === undefined || cards.length < shape.minRun) return null;
  const suit = suitOf(first);
  if (fixed.some((card) => suitOf(card) !== suit)) return null;
  const before = cards.findIndex((card) => !isWild(card, shape));
  for (const steps of stepsOf(fixed, shape)) {
    const span = spanOf(steps, cards.length, before, shape);
    const laying = span === null ? null : filled(suit, span, cards, steps, fixed);
    if (laying !== null && naturals(laying) >= shape.naturalsInRun) return { kind: shape.run, ...laying };
  }
  return null;
}

/**
 * The possible steps of cards of one suit; an ace is low before it is high.
 *
 * @param {readonly CardId[]} cards
 * @param {Shape} shape
 * @returns {number[][]}
 */
function stepsOf(cards, { aceHigh }) {
  const ways = aceHigh ? [1, HIGH_ACE] : [1];
  return cards.reduce(
    (/** @type {number[][]} */ found, card) => {
      const own = rankOf(card) === 1 ? ways : [rankOf(card)];
      return found.flatMap((steps) => own.filter((step) => !steps.includes(step)).map((step) => [...steps, step]));
    },
    [[]],
  );
}

/**
 * The first and the last step of a run of this length that contains these steps.
 *
 * @param {readonly number[]} steps
 * @param {number} size
 * @param {number} before The number of jokers before the first other card.
 * @param {Shape} shape
 * @returns {[number, number] | null}
 */
function spanOf(steps, size, before, { aceHigh }) {
  const [low, high] = [Math.min(...steps), Math.max(...steps)];
  const spare = size - (high - low + 1);
  if (spare < 0) return null;
  const last = aceHigh ? HIGH_ACE : HIGH_ACE - 1;
  const wanted = Math.min(before, spare, low - 1);
  const back = Math.min(spare - wanted, last - high);
  const front = spare - back;
  return low - front < 1 ? null : [low - front, high + back];
}

/**
 * Each step of a span with its card: the natural one, or a joker.
 *
 * @param {string} suit
 * @param {[number, number]} span
 * @param {readonly CardId[]} cards
 * @param {readonly number[]} steps
 * @param {readonly CardId[]} fixed Cards other than jokers, in the order of their steps.
 * @returns {Laying}
 */
function filled(suit, [from, to], cards, steps, fixed) {
  const jokers = cards.filter((card) => !fixed.includes(card));
  const as = Array.from({ length: to - from + 1 }, (_, index) => faceAt(suit, from + index));
  // A wild card lies where it stands for itself, if it can.
  const own = new Map(as.map((face) => [face, jokers.findIndex((card) => faceOf(card) === face)]));
  const kept = new Set([...own.values()].filter((index) => index >= 0).map((index) => jokers[index]));
  const rest = jokers.filter((card) => !kept.has(card));
  const laid = as.map((face, index) => {
    const at = steps.indexOf(from + index);
    if (at >= 0) return fixed[at] ?? "";
    const wild = jokers[own.get(face) ?? -1];
    if (wild !== undefined && kept.delete(wild)) return wild;
    return rest.shift() ?? "";
  });
  return { cards: laid, as };
}

/**
 * The first and the last step of a run on the table.
 *
 * @param {LaidMeld} meld
 * @returns {[number, number]}
 */
export function stepsOn({ as }) {
  const first = rankOf(as[0] ?? "");
  return [first, first + as.length - 1];
}

/**
 * The ways in which these cards can be laid off on a meld, the back of a run before its front.
 *
 * @param {LaidMeld} meld
 * @param {readonly CardId[]} cards
 * @param {Shape} shape
 * @returns {Laying[]}
 */
export function layOffs(meld, cards, shape) {
  if (cards.length === 0) return [];
  return meld.kind === "set" ? ontoSet(meld, cards, shape) : ontoRun(meld, cards, shape);
}

/**
 * @param {LaidMeld} meld
 * @param {readonly CardId[]} cards
 * @param {Shape} shape
 * @returns {Laying[]}
 */
function ontoSet(meld, cards, shape) {
  const rank = rankOf(meld.as[0] ?? "");
  if (cards.some((card) => rankOf(card) !== rank && !isWild(card, shape))) return [];
  const lying = [...meld.as, ...cards.map(faceOf)];
  if (!shape.repeats && new Set(lying).size < lying.length) return [];
  const free = SUITS.filter((suit) => !meld.as.includes(faceAt(suit, rank)));
  const as = cards.map((card) => (rankOf(card) === rank ? faceOf(card) : faceAt(free.shift() ?? "S", rank)));
  return [{ cards: [...cards], as }];
}

/**
 * @param {LaidMeld} meld
 * @param {readonly CardId[]} cards
 * @param {Shape} shape
 * @returns {Laying[]}
 */
function ontoRun(meld, cards, shape) {
  const suit = suitOf(meld.as[0] ?? "");
  const fixed = cards.filter((card) => !isWild(card, shape));
  if (fixed.some((card) => suitOf(card) !== suit)) return [];
  const [start, end] = stepsOn(meld);
  const last = shape.aceHigh ? HIGH_ACE : HIGH_ACE - 1;
  /** @type {Laying[]} */
  const found = [];
  for (let front = 0; front <= cards.length; front += 1) {
    const back = cards.length - front;
    if (start - front < 1 || end + back > last) continue;
    const places = [...range(start - front, front), ...range(end + 1, back)];
    const steps = stepsOf(fixed, shape).find((one) => one.every((step) => places.includes(step)));
    if (steps === undefined) continue;
    const jokers = cards.filter((card) => isWild(card, shape));
    const laid = places.map((step) => fixed[steps.indexOf(step)] ?? jokers.shift() ?? "");
    found.push({ cards: laid, as: places.map((step) => faceAt(suit, step)) });
  }
  return found;
}

/**
 * @param {number} first
 * @param {number} count
 */
const range = (first, count) => Array.from({ length: count }, (_, index) => first + index);

/**
 * The joker of a run that this card can replace.
 *
 * @param {LaidMeld} meld
 * @param {CardId} card
 * @returns {CardId | null}
 */
export function jokerFor({ kind, cards, as }, card) {
  if (kind === "set") return null;
  return cards.find((one, index) => as[index] === faceOf(card) && faceOf(one) !== as[index]) ?? null;
}
