// What the player may do right now, for buttons, keys and drop targets alike.

import { questionFor } from "./standing.js";

/** @typedef {import("./protocol.js").CardId} CardId */
/** @typedef {import("./protocol.js").TableState} TableState */

/**
 * @typedef {object} Permitted
 * @property {boolean} drawClosed
 * @property {boolean} drawOpen
 * @property {boolean} discard Some card may be discarded.
 * @property {boolean} finish
 * @property {boolean} declare
 * @property {boolean} show
 * @property {boolean} drop
 * @property {number | null} dropPoints
 * @property {boolean} rejoin
 * @property {boolean} offerSplit
 * @property {boolean} answerSplit
 * @property {boolean} best The server may lay the hand out.
 * @property {number} bring What may be brought to the stack now.
 */

/** @type {Permitted} */
const NOTHING = {
  drawClosed: false,
  drawOpen: false,
  discard: false,
  finish: false,
  declare: false,
  show: false,
  drop: false,
  dropPoints: null,
  rejoin: false,
  offerSplit: false,
  answerSplit: false,
  best: false,
  bring: 0,
};

/**
 * @param {TableState} state
 * @param {boolean} ready Connected, and no move on its way.
 * @param {number | null} [purse] What the player can bring to the table.
 * @returns {Permitted}
 */
export function permitted(state, ready, purse = null) {
  const { game, you } = state;
  const seat = you.seat;
  if (game === null || seat === null) return NOTHING;
  const question = ready ? questionFor(state, purse) : null;
  if (question !== null) {
    return {
      ...NOTHING,
      rejoin: question.kind === "rejoin" && question.isAsked,
      offerSplit: question.kind === "offer",
      answerSplit: question.kind === "split" && question.isAsked,
      bring: question.bring ?? 0,
    };
  }
  if (!isPlaying(state)) return NOTHING;
  const isTurn = game.phase === "turn" && game.turn === seat;
  const dropPoints = game.players[String(seat)]?.drop_points ?? null;
  const mayDraw = ready && isTurn && game.step === "draw";
  const mayDiscard = ready && isTurn && game.step === "discard";
  return {
    ...NOTHING,
    drawClosed: mayDraw,
    drawOpen: mayDraw && game.open_drawable,
    discard: mayDiscard,
    finish: mayDiscard,
    declare: ready && game.phase === "declare" && game.finish?.seat === seat,
    show: ready && owesShow(state),
    drop: mayDraw && dropPoints !== null,
    dropPoints,
    best: ready && state.table.help?.arrangement === true && mayArrange(state),
  };
}

/**
 * In the deal, neither dropped nor out.
 *
 * @param {TableState} state
 */
export function isPlaying({ game, you }) {
  if (game === null || you.seat === null) return false;
  return game.players[String(you.seat)]?.status === "playing";
}

const OUT = new Set(["dropped", "wrong", "left"]);

/**
 * Out before the deal has ended.
 *
 * @param {import("./protocol.js").GamePlayer | null | undefined} player
 */
export const isOut = (player) => player != null && OUT.has(player.status);

/**
 * Somebody else declared rightly and these groups are still to be submitted (R3.6).
 *
 * @param {TableState} state
 */
export function owesShow(state) {
  const { game, you } = state;
  if (game === null || you.seat === null || game.phase !== "show" || !isPlaying(state)) return false;
  return game.declaration?.seat !== you.seat && !game.players[String(you.seat)]?.shown;
}

/**
 * Whether the server still takes groups: until they are declared, shown or out of the deal.
 *
 * @param {TableState} state
 */
export function mayArrange(state) {
  const phase = state.game?.phase;
  return isPlaying(state) && (phase === "turn" || phase === "declare" || owesShow(state));
}

/**
 * Whether the clock that runs is this player's.
 *
 * @param {TableState} state
 */
export function isOwnClock(state) {
  const { game, you } = state;
  if (game === null || you.seat === null) return false;
  if (game.phase === "turn") return game.turn === you.seat;
  if (game.phase === "declare") return game.finish?.seat === you.seat;
  if (game.phase === "rejoin" || game.phase === "split") return questionFor(state)?.isAsked === true;
  return owesShow(state);
}

/**
 * R4.5: what came from the open pile in this turn may not go back at once.
 *
 * @param {TableState} state
 * @param {CardId} card
 */
export function mayDiscard({ you, rules }, card) {
  return rules.may_return_open_card === true || !(you.from_open === true && you.drawn === card);
}
