// Basic rummy on the table page (the interface: static/js/table/core/game.js).

import { laidGame } from "../rummy/controllers/laid/game.js";
import { MeldingHands } from "../rummy/controllers/laid/melding.js";
import { laidNotice } from "../rummy/core/laid/notice.js";
import { atTurn } from "../rummy/core/laid/seen.js";
import { Play } from "./controllers/play.js";
import { lookOf, progressText } from "./core/looks.js";
import { TELLERS } from "./core/tellers.js";
import { Felt } from "./view/felt.js";

/** @typedef {import("../../table/core/game.js").Shell} Shell */
/** @typedef {import("../../table/core/game.js").TableGame} TableGame */

/**
 * @param {Shell} shell
 * @param {import("../rummy/controllers/laid/game.js").LoadCoach} loadCoach Called in lessons.
 * @returns {TableGame}
 */
export function createBasic(shell, loadCoach) {
  const { texts, session } = shell;
  const play = new Play(session, texts);
  const felt = new Felt(shell, play);
  const hands = new MeldingHands(shell, play, felt);
  const parts = {
    play,
    felt,
    hands,
    tellers: TELLERS,
    seat: (/** @type {number} */ seat) => lookOf(texts, play.state, seat),
    notice: () => laidNotice(texts, play.state, play.now, play.may.lay || play.may.layOff),
    progress: () => progressText(texts, play.state),
    acting: atTurn,
    isOwnClock: (/** @type {import("../../table/core/protocol.js").TableState} */ state) =>
      state.you.seat !== null && atTurn(state).includes(state.you.seat),
    inWords: () => [],
  };
  return laidGame(shell, parts, loadCoach);
}
