// A player's options below a result: continue, play again, go elsewhere; and who plays again.

import { region, setText } from "../../lib/dom.js";
import { say } from "../core/say.js";
import { rematch, wayOn } from "../core/ways.js";
import { amountText } from "../view/amounts.js";

/** @typedef {import("../controllers/session.js").Session} Session */
/** @typedef {import("../core/protocol.js").SeatView} SeatView */
/** @typedef {import("../core/protocol.js").TableState} TableState */
/** @typedef {import("../core/ways.js").WayOn} WayOn */
/** @typedef {import("../core/tell.js").Texts} Texts */

/**
 * @param {Texts} texts
 * @param {Session} session
 */
export function showWays(texts, { state, purse, lastSeat, isConnected, mayStart }) {
  const way = wayOn(state, purse, lastSeat, mayStart);
  const isSeated = state.you.seat !== null;
  const ways = region("result-ways");
  ways.dataset.over = String(way.isOver);
  for (const button of ways.querySelectorAll("button")) {
    const { way: kind } = button.dataset;
    button.hidden = kind === "leave" ? !way.isOver || !isSeated : kind !== way.kind;
    if (kind !== "go_on") button.disabled = !isConnected;
    if (kind === "again" || kind === "sit") setText(button, wordsOf(texts, way, state.table.currency));
  }
  region("way-out").hidden = isSeated && !state.table.event_url;
  // From an event's table players return to the event, and after its match anywhere.
  document.querySelector('[data-region="way-to-lobby"]')?.toggleAttribute("hidden", !way.isOver);
  const agreed = region("result-again");
  setText(agreed, agreement(texts, state));
  agreed.hidden = !agreed.textContent;
}

/**
 * A stack that is at the table already costs nothing more.
 *
 * @param {Texts} texts
 * @param {WayOn} way
 * @param {string} currency
 */
function wordsOf(texts, { bring = 0, isOver }, currency) {
  if (bring === 0) return say(texts, isOver ? "again" : "again_deal");
  return say(texts, "again_for", { price: amountText(texts, bring, currency) });
}

/**
 * Who has asked for the next match, and who has yet to; nothing for a player alone with bots.
 *
 * @param {Texts} texts
 * @param {TableState} state
 */
function agreement(texts, state) {
  const { asked, awaited } = rematch(state);
  if (!asked.length || asked.length + awaited.length < 2) return "";
  const namesOf = (/** @type {SeatView[]} */ seats) =>
    seats
      .map(({ seat, player }) => (seat === state.you.seat ? say(texts, "again_you") : (player?.name ?? "")))
      .join(", ");
  const parts = [say(texts, "again_asked", { names: namesOf(asked) })];
  if (awaited.length) parts.push(say(texts, "again_awaited", { names: namesOf(awaited) }));
  return parts.join(" ");
}
