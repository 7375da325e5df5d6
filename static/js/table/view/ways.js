// What a player can do below a result: go on, play again, go elsewhere.

import { region, setText } from "../../lib/dom.js";
import { wayOn } from "../core/stakes.js";
import { say } from "../core/tell.js";
import { amountText } from "./amounts.js";

/** @typedef {import("../controllers/session.js").Session} Session */
/** @typedef {import("../core/tell.js").Texts} Texts */

/**
 * @param {Texts} texts
 * @param {Session} session
 */
export function showWays(texts, { state, purse, isConnected }) {
  const way = wayOn(state, purse);
  const buttons = region("result-ways").querySelectorAll("button");
  for (const button of buttons) {
    const { way: kind } = button.dataset;
    button.hidden = kind === "leave" ? !way.isOver || state.you.seat === null : kind !== way.kind;
    if (kind === "bring" || kind === "leave") button.disabled = !isConnected;
    if (kind === "bring" && way.bring !== undefined) {
      setText(button, say(texts, "again_for", { price: amountText(texts, way.bring, state.table.currency) }));
    }
  }
  region("way-out").hidden = state.you.seat !== null && !state.table.event_url;
}
