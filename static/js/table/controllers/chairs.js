// What can be done at any table: to leave, at once or after a match.

import { region, submitForm } from "../../lib/dom.js";
import { isFree, wayOn } from "../core/stakes.js";
import { say, tell } from "../core/tell.js";

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
  again: () => void shell.session.again(wayOn(shell.session.state, shell.session.purse).bring ?? 0),
  back: () => void comeBack(shell, game),
  // After a match it costs nothing, so nothing is asked.
  "leave-now": () => submitForm("leave"),
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
    if (confirmed) submitForm("leave");
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
 * Takes the seat back, and lists what a bot has played for it.
 *
 * @param {Shell} shell
 * @param {TableGame} game
 */
async function comeBack({ texts, session, dialogs }, game) {
  if (!(await session.back())) return;
  const events = await playedForMe();
  const told = events.map((event) => tell(texts, event, session.state, game.wild(), game.tellers)?.text ?? "");
  const moves = told.filter((text) => text !== "");
  if (moves.length > 0) dialogs.away(moves);
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
