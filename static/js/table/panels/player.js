// A player's card, opened by a press on their seat.

import { ask, dialogNamed } from "../../lib/dialog.js";
import { find } from "../../lib/dom.js";
import { say } from "../core/say.js";

/** @typedef {import("../core/game.js").Shell} Shell */

/**
 * @param {Shell} shell
 * @param {HTMLElement} element
 */
export async function showPlayer({ root, texts, warn }, element) {
  const dialog = dialogNamed("player");
  const content = find('[data-part="player"]', dialog);
  const page = await pageOf(root.dataset.players?.replace("/players/99/", `/players/${element.dataset.player}/`) ?? "");
  if (page === null) {
    warn(say(texts, "player_missing"));
    return;
  }
  content.replaceChildren(...page.body.childNodes);
  await ask(dialog);
}

/** @param {string} address */
async function pageOf(address) {
  try {
    const answer = await fetch(address);
    return answer.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
  } catch {
    return null;
  }
}
