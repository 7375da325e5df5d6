// What can be done at any table: to sit down and leave, to talk.

import { find } from "../../lib/dom.js";
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
  "last-one": () => session.wish({ last_deal: !session.state.you.last_deal }),
  say: (element) => session.say({ phrase: element.dataset.phrase ?? "" }),
  sit: (element) => void dialogs.sit(session.state.table, Number(element.dataset.seat), session.purse),
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

/** @param {Shell["session"]} session */
export function listenToTalk(session) {
  const talk = document.querySelector('[data-form="say"]');
  talk?.addEventListener("submit", (event) => {
    event.preventDefault();
    const field = talk.querySelector("input");
    if (field === null || field.value.trim() === "") return;
    session.say({ text: field.value });
    field.value = "";
  });
}
