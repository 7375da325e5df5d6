// The table as the player is building it: melds, where a tile goes, which tiles may return. Only the server
// decides what is a meld.

/** @typedef {import("../../../table/core/protocol.js").CardId} CardId */
/** @typedef {{cards: CardId[], as: string[] | null}} BuiltMeld `as` is null if the server should read it. */
/** @typedef {BuiltMeld[]} Board */
/** @typedef {{onto: "meld", meld: number} | {onto: "new"} | {onto: "rack"}} Target */

/**
 * @param {readonly {cards: CardId[], as: string[] | null}[]} table
 * @returns {Board}
 */
export const boardOf = (table) => table.map(({ cards, as }) => ({ cards: [...cards], as: as === null ? null : [...as] }));

/**
 * The board after moving these tiles; empty melds are removed.
 *
 * @param {Board} board
 * @param {readonly CardId[]} tiles
 * @param {Target} target
 * @returns {Board}
 */
export function moved(board, tiles, target) {
  const lifted = new Set(tiles);
  const after = board.map((meld, place) => {
    const added = target.onto === "meld" && target.meld === place ? tiles : [];
    const cards = [...meld.cards.filter((card) => !lifted.has(card)), ...added];
    return isSame(cards, meld.cards) ? meld : { cards, as: null };
  });
  if (target.onto === "new") after.push({ cards: [...tiles], as: null });
  return after.filter((meld) => meld.cards.length > 0);
}

/**
 * @param {readonly string[]} one
 * @param {readonly string[]} other
 */
const isSame = (one, other) => one.length === other.length && one.every((card, place) => card === other[place]);

/**
 * Whether both have the same melds, in any order.
 *
 * @param {readonly {cards: CardId[]}[]} one
 * @param {readonly {cards: CardId[]}[]} other
 */
export function isSameBoard(one, other) {
  const names = (/** @type {readonly {cards: CardId[]}[]} */ melds) => melds.map(({ cards }) => [...cards].sort().join()).sort();
  return isSame(names(one), names(other));
}

/** @param {readonly {cards: CardId[]}[]} board */
export const tilesOf = (board) => board.flatMap(({ cards }) => cards);

const RANKS = "A23456789TJQK";
const SUITS = "SHDC";

/**
 * A rack in order; jokers last.
 *
 * @param {readonly CardId[]} rack
 * @param {"colour" | "number"} by
 */
export function sorted(rack, by) {
  /** @param {CardId} card */
  const key = (card) => {
    if (card.startsWith("PJ")) return 1000;
    const rank = RANKS.indexOf(card.charAt(0));
    const suit = SUITS.indexOf(card.charAt(1));
    return by === "colour" ? suit * 20 + rank : rank * 20 + suit;
  };
  return [...rack].sort((one, other) => key(one) - key(other));
}

/**
 * The tiles of a rack in groups that are shown apart: by colour or by number.
 *
 * @param {readonly CardId[]} rack
 * @param {"colour" | "number"} by
 * @returns {CardId[][]}
 */
export function grouped(rack, by) {
  /** @type {Map<string, CardId[]>} */
  const groups = new Map();
  for (const card of sorted(rack, by)) {
    const name = card.startsWith("PJ") ? "PJ" : card.charAt(by === "colour" ? 1 : 0);
    groups.set(name, [...(groups.get(name) ?? []), card]);
  }
  return [...groups.values()];
}
