// The coach's advice at one moment of a first deal.

/** @typedef {import("../../../table/core/protocol.js").CardId} CardId */

/**
 * @typedef {object} Advice
 * @property {string} key Of the text: `coach_` and this.
 * @property {readonly CardId[]} cards Cards to highlight.
 * @property {readonly string[]} actions Buttons to highlight.
 * @property {readonly string[]} places Further elements to highlight, as selectors.
 * @property {number} points
 * @property {boolean} isOver The deal has ended.
 * @property {string | null} goal The goal that it belongs to; null for the first one not reached yet.
 */

/**
 * @param {string} key
 * @param {Partial<Advice>} [more]
 * @returns {Advice}
 */
export const say = (key, more = {}) => ({ key, cards: [], actions: [], places: [], points: 0, isOver: false, goal: null, ...more });
