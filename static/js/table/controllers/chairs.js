// What can be done at any table: to leave, at once or after a match.

import { find } from "../../lib/dom.js";
import { wayOn } from "../core/stakes.js";
import { say } from "../core/tell.js";

/** @typedef {import("../core/game.js").Shell} Shell */
/** @typedef {import("../core/game.js").TableGame} TableGame */

/**
 * The buttons of any table, by their `data-action`.
 *
 * @param {Shell} shell
 * @param {TableGame} game
 * @returns {Record<string, (element: HTMLElement) => void>}
 */
export const chairActions = ({ texts, session, dialogs }, game) => ({
  "bring-more": () => bringMore(wayOn(session.state, session.purse).bring ?? 0),
  "last-one": () => session.wish({ last_deal: !session.state.you.last_deal }),
  keys: () => void dialogs.keys(),
  async leave() {
    const confirmed = await dialogs.confirm({
      title: say(texts, "leave_title"),
      ...game.leaving(),
      confirm: say(texts, "leave_confirm"),
      isTimed: false,
    });
    const form = find('form[data-form="leave"]');
    if (confirmed && form instanceof HTMLFormElement) form.submit();
  },
});

/**
 * Tops up the stack by the page's own form; the page comes back with it.
 *
 * @param {number} amount
 */
export function bringMore(amount) {
  const form = find('form[data-form="top-up"]');
  if (!(form instanceof HTMLFormElement)) return;
  const field = form.elements.namedItem("amount");
  if (field instanceof HTMLInputElement) field.value = String(amount);
  form.submit();
}
