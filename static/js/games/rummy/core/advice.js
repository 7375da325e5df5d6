// What a coach says at one moment of a first deal.

/** @typedef {import("../../../table/core/protocol.js").CardId} CardId */

/**
 * @typedef {object} Advice
 * @property {string} key Of the words: `coach_` and this.
 * @property {readonly CardId[]} cards The cards that are meant.
 * @property {readonly string[]} actions The buttons that are meant.
 * @property {readonly string[]} places Whatever else is meant, as selectors.
 * @property {number} points
 * @property {boolean} isOver The deal has ended.
 * @property {string | null} goal The step that it belongs to; null: the first one that is not done.
 */

/**
 * @param {string} key
 * @param {Partial<Advice>} [more]
 * @returns {Advice}
 */
export const say = (key, more = {}) => ({ key, cards: [], actions: [], places: [], points: 0, isOver: false, goal: null, ...more });
