// Contract Rummy on the table page (the interface: static/js/table/core/game.js).

import { say } from "../../table/core/say.js";
import { cardName } from "../../table/core/tell.js";
import { laidGame } from "../rummy/controllers/laid/game.js";
import { atTurn, gameOf, ownOf } from "../rummy/core/laid/seen.js";
import { Hands } from "./controllers/hands.js";
import { Play } from "./controllers/play.js";
import { askedSeats, isAsked } from "./core/buying.js";
import { lookOf, progressText } from "./core/looks.js";
import { noticeFor } from "./core/notice.js";
import { wildOf } from "./core/rules.js";
import { TELLERS } from "./core/tellers.js";
import { contractInWords } from "./core/words.js";
import { Felt } from "./view/felt.js";

/** @typedef {import("../../table/core/game.js").Shell} Shell */
/** @typedef {import("../../table/core/game.js").TableGame} TableGame */
/** @typedef {import("../../table/core/protocol.js").TableState} TableState */

/**
 * @param {Shell} shell
 * @param {import("../rummy/controllers/laid/game.js").LoadCoach} loadCoach Called in lessons.
 * @returns {TableGame}
 */
export function createContract(shell, loadCoach) {
  const { texts, session, announcer } = shell;
  const play = new Play(session, texts);
  const felt = new Felt(shell, play);
  const hands = new Hands(shell, play, felt);
  const parts = {
    play,
    felt,
    hands,
    tellers: TELLERS,
    seat: (/** @type {number} */ seat) => lookOf(texts, play.state, seat),
    notice: () =>
      noticeFor(texts, play.state, play.now, { mayLay: play.may.lay || play.may.layOff, answered: play.answered }),
    progress: () => progressText(texts, play.state),
    acting: (/** @type {TableState} */ state) => [...atTurn(state), ...askedSeats(state, play.answered)],
    isOwnClock: (/** @type {TableState} */ state) =>
      isAsked(state, play.answered) || (state.you.seat !== null && atTurn(state).includes(state.you.seat)),
    inWords: () => {
      const game = gameOf(play.state);
      return game === null
        ? []
        : [say(texts, "contract", { melds: contractInWords(texts, play.state, game.contract ?? []) }), felt.count().text];
    },
    /** A refused answer does not count. @param {import("../../table/core/sync.js").Received} received */
    received: ({ refusal }) => {
      if (refusal !== null) play.refused();
    },
    /**
     * @param {import("../../table/core/sync.js").Received} received
     * @param {TableState} before
     */
    told: ({ snapped }, before) => {
      const [card, other] = ownOf(play.state).bought ?? [];
      const isNew = card !== undefined && ownOf(before).bought?.[0] !== card;
      if (!isNew || snapped || other === undefined) return;
      const names = { card: cardName(texts, card, wildOf(play.state)), other: cardName(texts, other, wildOf(play.state)) };
      announcer.say(say(texts, "you_bought", names));
    },
  };
  return laidGame(shell, parts, loadCoach);
}
