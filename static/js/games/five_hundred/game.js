// 500 Rum on the table page (the interface: static/js/table/core/game.js).

import { laidGame } from "../rummy/controllers/laid/game.js";
import { laidNotice } from "../rummy/core/laid/notice.js";
import { cardName, say } from "../../table/core/tell.js";
import { atTurn, gameOf } from "../rummy/core/laid/seen.js";
import { Hands } from "./controllers/hands.js";
import { Play } from "./controllers/play.js";
import { lookOf, progressText } from "./core/looks.js";
import { TELLERS } from "./core/tellers.js";
import { Felt } from "./view/felt.js";

/** @typedef {import("../../table/core/game.js").Shell} Shell */
/** @typedef {import("../../table/core/game.js").TableGame} TableGame */

/**
 * @param {Shell} shell
 * @param {import("../rummy/controllers/laid/game.js").LoadCoach} loadCoach Called where somebody learns.
 * @returns {TableGame}
 */
export function createFiveHundred(shell, loadCoach) {
  const { texts, session } = shell;
  const play = new Play(session, texts);
  const felt = new Felt(shell, play);
  const hands = new Hands(shell, play, felt);
  const parts = {
    play,
    felt,
    hands,
    tellers: TELLERS,
    seat: (/** @type {number} */ seat) => lookOf(texts, play.state, seat),
    notice: () => noticeOf(texts, play),
    progress: () => progressText(texts, play.state),
    acting: atTurn,
    isOwnClock: (/** @type {import("../../table/core/protocol.js").TableState} */ state) =>
      state.you.seat !== null && atTurn(state).includes(state.you.seat),
    inWords: () => [],
  };
  return laidGame(shell, parts, loadCoach);
}

/**
 * What goes on; a card that was taken is named until it is laid.
 *
 * @param {import("../../table/core/tell.js").Texts} texts
 * @param {Play} play
 */
function noticeOf(texts, play) {
  const { state, now, may } = play;
  const due = gameOf(state)?.must_use ?? null;
  if (due !== null && state.you.seat !== null && atTurn(state).includes(state.you.seat)) {
    return say(texts, "notice_must_use", { card: cardName(texts, due, null) });
  }
  return laidNotice(texts, state, now, may.lay || may.layOff);
}
