// 500 Rum on the table page (the interface: static/js/table/core/game.js).

import { laidGame } from "../rummy/controllers/laid/game.js";
import { atTurn } from "../rummy/core/laid/seen.js";
import { Hands } from "./controllers/hands.js";
import { Play } from "./controllers/play.js";
import { lookOf, noticeFor, progressText } from "./core/looks.js";
import { TELLERS } from "./core/tellers.js";
import { Felt } from "./view/felt.js";

/** @typedef {import("../../table/core/game.js").Shell} Shell */
/** @typedef {import("../../table/core/game.js").TableGame} TableGame */

/**
 * @param {Shell} shell
 * @param {import("../rummy/controllers/laid/game.js").LoadCoach} loadCoach Called in lessons.
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
    notice: () => noticeFor(texts, play.state, play.now, { mayLay: play.may.lay || play.may.layOff, mayTake: play.takeable.length > 0 }),
    progress: () => progressText(texts, play.state),
    acting: atTurn,
    isOwnClock: (/** @type {import("../../table/core/protocol.js").TableState} */ state) =>
      state.you.seat !== null && atTurn(state).includes(state.you.seat),
    inWords: () => [],
  };
  return laidGame(shell, parts, loadCoach);
}
