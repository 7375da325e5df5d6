// Actions at any table: leave, at once or after a match, and play again.

import { submitForm } from "../../lib/dom.js";
import { isFree } from "../core/stakes.js";
import { say } from "../core/say.js";
import { wayOn } from "../core/ways.js";

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
  again() {
    const { session } = shell;
    const amount = wayOn(session.state, session.purse).bring ?? 0;
    void session.done((id) => ({ type: "again", id, amount }));
  },
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
 * The consequences of leaving now; at a free table only the deal is lost, unless a bot plays on.
 *
 * @param {Shell} shell
 * @param {TableGame} game
 */
function leaving({ texts, session: { state } }, game) {
  if (!isFree(state.table)) return game.leaving();
  const { seats, table, you } = state;
  const isDanger = you.seat !== null && seats[you.seat]?.state === "playing";
  // Somebody has to play on: the last player leaves as at any table.
  const plays = (/** @type {import("../core/protocol.js").SeatView} */ { seat, player, state, stand_in }) =>
    seat !== you.seat && player?.bot === false && state === "playing" && !stand_in;
  if (isDanger && table.plays_on && seats.some(plays)) return { text: say(texts, "leave_to_bot") };
  return { text: say(texts, isDanger ? "leave_free_playing" : "leave_free"), isDanger };
}
