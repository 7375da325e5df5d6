// Taps on cards and on everything with a data-action.

/** @typedef {import("../core/protocol.js").CardId} CardId */

/**
 * @typedef {object} TapActions
 * @property {Record<string, (element: HTMLElement) => void>} named
 * @property {(card: CardId) => void} card
 * @property {(card: CardId) => void} cardTwice
 */

const TWICE_MS = 350;

/**
 * @param {HTMLElement} root
 * @param {TapActions} actions
 */
export function listenToTaps(root, actions) {
  /** @type {{card: CardId, at: number}} */
  let last = { card: "", at: -Infinity };
  root.addEventListener("click", (event) => {
    if (!(event.target instanceof Element)) return;
    const element = event.target.closest("[data-card], [data-action]");
    if (!(element instanceof HTMLElement)) return;
    const { card, action } = element.dataset;
    if (card === undefined) {
      if (action !== undefined) actions.named[action]?.(element);
      return;
    }
    // A key press also fires a click (detail 0), but two of them are no double tap.
    const isTwice = last.card === card && event.timeStamp - last.at < TWICE_MS && event.detail > 0;
    last = isTwice ? { card: "", at: -Infinity } : { card, at: event.timeStamp };
    if (isTwice) actions.cardTwice(card);
    else actions.card(card);
  });
}
