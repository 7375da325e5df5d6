// A deal as a series of frames. Independent of the page: from a record to frames and sentences.

import { applyChange } from "../../../table/core/state.js";
import { say } from "../../../table/core/say.js";
import { cardName, seatName, tell } from "../../../table/core/tell.js";

/** @typedef {import("../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("../../../table/core/protocol.js").GameEvent} GameEvent */
/** @typedef {import("../../../table/core/protocol.js").GameView} GameView */
/** @typedef {import("../../../table/core/protocol.js").Group} Group */
/** @typedef {import("../../../table/core/protocol.js").OwnView} OwnView */
/** @typedef {import("../../../table/core/protocol.js").TableState} TableState */
/** @typedef {import("../../../table/core/tell.js").Teller} Teller */
/** @typedef {import("../../../table/core/tell.js").Texts} Texts */

/** @typedef {Record<string, Partial<OwnView>>} Hands By seat. */
/** @typedef {{at: number, events: GameEvent[], game: Partial<GameView>, hands: Hands}} Step */
/**
 * @typedef {object} Replay
 * @property {number} at The time of the dealing, in ms.
 * @property {GameEvent[]} events
 * @property {TableState} state
 * @property {Hands} hands
 * @property {Step[]} steps
 */
/**
 * @typedef {object} Frame
 * @property {number} at
 * @property {GameEvent[]} events
 * @property {TableState} state
 * @property {Hands} hands
 * @property {number} steps The number of steps so far.
 */
/** @typedef {{seat: number | null, open: boolean}} Look The viewing seat; `open` shows all hands. */

/**
 * @typedef {object} ReplayGame The interface of a game to replays.
 * @property {Record<string, Teller>} tellers
 * @property {(state: TableState) => number | null} wild The rank that is wild.
 * @property {(state: TableState) => {name: string, card: CardId | null, wild: number | null}[]} piles
 * @property {(frame: Frame, seat: number, look: Look) => ShownHand} handOf
 */

/**
 * One frame for each step that has a sentence; a step without one appears with the next frame, or with the
 * last.
 *
 * @param {Replay} replay
 * @param {Texts} texts
 * @param {Record<string, Teller>} tellers The game's.
 * @returns {Frame[]}
 */
export function framesOf(replay, texts, tellers) {
  let { state, hands } = replay;
  /** @type {Frame[]} */
  const frames = [{ at: replay.at, events: replay.events, state, hands, steps: 0 }];
  for (const [number, step] of replay.steps.entries()) {
    state = applyChange(state, { v: 0, events: [], patch: { game: step.game } });
    hands = withChanges(hands, step.hands);
    const frame = { at: step.at, events: step.events, state, hands, steps: number + 1 };
    if (step.events.some((event) => tell(texts, event, state, null, tellers) !== null)) frames.push(frame);
    else Object.assign(/** @type {Frame} */ (frames.at(-1)), step === replay.steps.at(-1) ? { state, hands } : {});
  }
  return frames;
}

/**
 * @param {Hands} hands
 * @param {Hands} changes
 */
function withChanges(hands, changes) {
  const next = { ...hands };
  for (const [seat, change] of Object.entries(changes)) next[seat] = { ...next[seat], ...change };
  return next;
}

/**
 * Whether this viewer sees the cards of this seat.
 *
 * @param {Look} look
 * @param {number} seat
 */
export const sees = (look, seat) => look.open || look.seat === seat;

/**
 * The events as this viewer knows them.
 *
 * @param {Texts} texts
 * @param {Frame} frame
 * @param {Look} look
 * @param {Pick<ReplayGame, "tellers" | "wild">} game
 */
export function sentenceOf(texts, frame, look, { tellers, wild: wildOf }) {
  const { state, hands } = frame;
  const wild = wildOf(state);
  const told = frame.events.map((event) => {
    const drawn = hands[String(event.seat)]?.drawn;
    if (event.kind === "drawn" && event.source === "closed" && drawn != null && sees(look, event.seat)) {
      return say(texts, "replay_drew", { name: seatName(state, event.seat), card: cardName(texts, drawn, wild) });
    }
    return tell(texts, event, state, wild, tellers)?.text ?? null;
  });
  return told.filter((text) => text !== null).join(" ");
}

/**
 * @typedef {object} ShownGroup
 * @property {Group} cards
 * @property {string | null} kind Null for no meld.
 */
/**
 * @typedef {object} ShownHand
 * @property {ShownGroup[] | null} groups Null if only the number of cards is known.
 * @property {boolean} isJudged Whether the kinds of the groups are known.
 * @property {number} count
 * @property {CardId | null} drawn
 * @property {number | null} points
 * @property {string | null} how
 */
