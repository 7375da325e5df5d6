// What can be done at any table: to leave, at once or after a match.

import { find } from "../../lib/dom.js";
import { isFree, wayOn } from "../core/stakes.js";
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
export const chairActions = (shell, game) => ({
  "bring-more": () => bringMore(wayOn(shell.session.state, shell.session.purse).bring ?? 0),
  "last-one": () => shell.session.wish({ last_deal: !shell.session.state.you.last_deal }),
  keys: () => void shell.dialogs.keys(),
  async leave() {
    const { texts } = shell;
    const confirmed = await shell.dialogs.confirm({
      title: say(texts, "leave_title"),
      ...leaving(shell, game),
      confirm: say(texts, "leave_confirm"),
      isTimed: false,
    });
    const form = find('form[data-form="leave"]');
    if (confirmed && form instanceof HTMLFormElement) form.submit();
  },
});

/**
 * What leaving means now; at a free table it costs nothing but the deal.
 *
 * @param {Shell} shell
 * @param {TableGame} game
 */
function leaving({ texts, session: { state } }, game) {
  if (!isFree(state.table)) return game.leaving();
  const isDanger = state.you.seat !== null && state.seats[state.you.seat]?.state === "playing";
  return { text: say(texts, isDanger ? "leave_free_playing" : "leave_free"), isDanger };
}

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
