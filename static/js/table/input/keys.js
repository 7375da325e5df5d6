// The keyboard: arrows move through the hand, letters act. Letters can be turned off.

import { isDialogOpen } from "../../lib/dialog.js";
import { signOf } from "../../lib/keys.js";
import { readPreference } from "../../lib/prefs.js";
import { placeOf } from "../core/hand.js";

/** @typedef {import("../core/protocol.js").CardId} CardId */
/** @typedef {import("../core/protocol.js").Group} Group */

/**
 * @typedef {object} KeyActions
 * @property {() => readonly Group[]} groups
 * @property {() => CardId | null} focusedCard
 * @property {(card: CardId) => void} focusCard
 * @property {(card: CardId, step: -1 | 1) => void} shift
 * @property {Record<string, () => void>} letters
 * @property {() => void} undo
 * @property {() => void} escape
 */

/** @param {KeyActions} actions */
export function listenToKeys(actions) {
  addEventListener("keydown", (event) => {
    if (isDialogOpen() || isTyping(event.target)) return;
    if (event.key === "Escape") actions.escape();
    else if ((event.ctrlKey || event.metaKey) && signOf(event) === "z") actions.undo();
    else if (event.key.startsWith("Arrow") || event.key === "Home" || event.key === "End") {
      walk(event, actions);
    } else letter(event, actions);
  });
}

/** @param {EventTarget | null} target */
const isTyping = (target) =>
  target instanceof HTMLElement && target.matches("input, select, textarea, [contenteditable]");

/**
 * @param {KeyboardEvent} event
 * @param {KeyActions} actions
 */
function letter(event, { letters }) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  const action = letters[signOf(event)];
  if (action === undefined || readPreference("keys") === "off") return;
  event.preventDefault();
  action();
}

/**
 * @param {KeyboardEvent} event
 * @param {KeyActions} actions
 */
function walk(event, actions) {
  const card = actions.focusedCard();
  const groups = actions.groups();
  const cards = groups.flat();
  const step = STEPS[event.key] ?? 0;
  if (card === null) {
    enter(event, step, cards, actions);
    return;
  }
  if ((event.ctrlKey || event.altKey) && (step === 1 || step === -1)) {
    event.preventDefault();
    actions.shift(card, step);
    return;
  }
  const next = nextCard(groups, cards, card, event.key);
  if (next === null) return;
  event.preventDefault();
  actions.focusCard(next);
}

/**
 * Left and right reach the hand from the page and from a button of the table: its last card and its first.
 *
 * @param {KeyboardEvent} event
 * @param {number} step
 * @param {readonly CardId[]} cards
 * @param {KeyActions} actions
 */
function enter(event, step, cards, actions) {
  const card = step < 0 ? cards.at(-1) : cards[0];
  const from = event.target;
  const isFree = from === document.body || (from instanceof HTMLButtonElement && from.closest(".table__play"));
  if (step === 0 || card === undefined || !isFree) return;
  event.preventDefault();
  actions.focusCard(card);
}

/** @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowRight: 1 };

/**
 * @param {readonly Group[]} groups
 * @param {readonly CardId[]} cards
 * @param {CardId} card
 * @param {string} key
 * @returns {CardId | null}
 */
function nextCard(groups, cards, card, key) {
  if (key === "Home") return cards[0] ?? null;
  if (key === "End") return cards.at(-1) ?? null;
  if (key === "ArrowUp" || key === "ArrowDown") {
    const group = (placeOf(groups, card)?.group ?? 0) + (key === "ArrowUp" ? -1 : 1);
    return groups[group]?.[0] ?? null;
  }
  return cards[cards.indexOf(card) + (STEPS[key] ?? 0)] ?? null;
}
