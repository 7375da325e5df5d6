// Moves that a bot has made for an absent player. Loaded on demand.

import { dialogNamed } from "../../lib/dialog.js";
import { find, make, region } from "../../lib/dom.js";
import { say } from "../core/say.js";

/** @typedef {import("../core/game.js").Shell} Shell */

/**
 * Takes the seat back, and lists the bot's moves.
 *
 * @param {Shell} shell
 */
export async function comeBack({ root, session, tell }) {
  if (!(await session.done((id) => ({ type: "back", id })))) return;
  // The pressed button disappears.
  root.focus({ preventScroll: true });
  const events = await playedForMe();
  const moves = events.map((event) => tell(event)?.text ?? "").filter((text) => text !== "");
  if (moves.length > 0) showAway(moves);
}

/** @param {Shell} shell */
export async function offerToPlayHere({ dialogs, texts }) {
  const question = {
    title: say(texts, "taken_over_title"),
    text: say(texts, "taken_over_text"),
    confirm: say(texts, "taken_over_here"),
    isTimed: false,
  };
  if (await dialogs.confirm(question)) location.reload();
}

/** @param {readonly string[]} moves */
export function showAway(moves) {
  const dialog = dialogNamed("away");
  find('[data-part="moves"]', dialog).replaceChildren(...moves.map((text) => make("li", {}, text)));
  if (!dialog.open) dialog.showModal();
}

/** @returns {Promise<import("../core/protocol.js").GameEvent[]>} */
async function playedForMe() {
  try {
    const answer = await fetch(`${region("moves").dataset.moves}?for_me`);
    return answer.ok ? (await answer.json()).events : [];
  } catch {
    return []; // without a connection the list of moves has them later
  }
}
