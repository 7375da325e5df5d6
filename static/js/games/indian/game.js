// 13-card Indian rummy on the table page (the interface: static/js/table/core/game.js).

import { region } from "../../lib/dom.js";
import { clockText } from "../../table/core/clock.js";
import { say } from "../../table/core/say.js";
import { cardName, seatName } from "../../table/core/tell.js";
import { Declaring } from "./controllers/declaring.js";
import { Hands } from "./controllers/hands.js";
import { Play } from "./controllers/play.js";
import { acting, lookOf, progressText, windowMs } from "./core/looks.js";
import { isOwnClock, isPlaying } from "./core/permitted.js";
import { questionFor } from "./core/standing.js";
import { TELLERS } from "./core/tellers.js";
import { journeys, SOUNDS } from "../rummy/core/journeys.js";
import { DragInput } from "../../table/input/drag.js";
import { listenToKeys } from "../../table/input/keys.js";
import { Felt } from "./view/felt.js";
import { noticeFor } from "./view/notice.js";

/** @typedef {import("../../table/core/game.js").Shell} Shell */
/** @typedef {import("../../table/core/game.js").TableGame} TableGame */
/** @typedef {import("../../table/core/protocol.js").TableState} TableState */
/** @typedef {typeof import("./controllers/coach.js")} CoachModule */

/**
 * @param {Shell} shell
 * @param {() => Promise<CoachModule>} loadCoach Called in lessons.
 * @returns {TableGame}
 */
export function createIndian(shell, loadCoach) {
  const { root, texts, session, announcer } = shell;
  const play = new Play(session);
  const felt = new Felt(shell, play);
  const declaring = new Declaring(shell, play);
  const hands = new Hands(shell, play, felt, declaring, () => readTable(shell, play));
  /** Set in lessons only. @type {ReturnType<CoachModule["createCoach"]> | null} */
  let coach = null;

  listenToKeys({
    groups: () => play.groups,
    focusedCard: () => felt.hand.focusedCard,
    focusCard: (card) => felt.hand.focusCard(card),
    shift: (card, step) => hands.shift(card, step),
    letters: hands.letters,
    undo: () => hands.undo(),
    escape: () => hands.escape(),
  });
  const drag = new DragInput(root, region("hand"), hands.dragRules);
  hands.cancelDrag = () => drag.cancel();
  if (root.dataset.learns === "yes") {
    void shell.load(loadCoach).then(({ createCoach }) => {
      coach = createCoach(texts, play.state.table.id);
      coach.follow(play);
    });
  }

  return {
    render() {
      felt.render();
      declaring.offer();
      coach?.follow(play);
    },
    tick: () => felt.tick(),
    followed: (now) => play.follow(now),
    received: ({ events }) => felt.history.follow(play.state, events),
    told({ snapped }, before) {
      // Only the player who drew is told which card came from the closed deck.
      const { drawn, from_open: fromOpen } = play.state.you;
      if (snapped || drawn == null || fromOpen === true || drawn === before.you.drawn) return;
      announcer.say(say(texts, "you_drew", { card: cardName(texts, drawn, play.wild) }));
    },
    drafted: (rev) => play.arrangement.drafted(rev),
    draftRefused: () => play.arrangement.refused(),
    reconnected: () => play.arrangement.reconnected(),
    beat: (now) => play.saveWhenDue(now),
    hidden: () => play.saveGroups(),
    order: () => play.state.game?.match?.order ?? [],
    acting: () => acting(play.state),
    isOwnClock,
    lengthMs: windowMs,
    plays: () => play.state.game?.phase !== "over" && isPlaying(play.state),
    wild: () => play.wild,
    seat: (seat) => lookOf(texts, play.state, seat, play.wild),
    notice: () => noticeFor(texts, play),
    progress: () => progressText(texts, play.state),
    called: () => calledText(texts, play.state),
    leaving: () => hands.leaving(),
    tellers: TELLERS,
    journeys,
    sounds: SOUNDS,
    actions: { ...hands.actions, coach: () => coach?.toggle(play) },
    tapped: (card) => play.toggle(card),
    tappedTwice: (card) => hands.discard(card),
  };
}

/**
 * The reason for calling the player.
 *
 * @param {import("../../table/core/tell.js").Texts} texts
 * @param {TableState} state
 */
function calledText(texts, state) {
  const question = questionFor(state);
  if (question?.kind === "rejoin") return say(texts, "ask_rejoin_title");
  if (question?.kind !== "split") return say(texts, "your_turn");
  if (question.asker === null) return say(texts, "ask_split_table");
  return say(texts, "ask_split_title", { name: seatName(state, question.asker) });
}

/**
 * The table in words: whose turn, the time, the open card, the points.
 *
 * @param {Shell} shell
 * @param {Play} play
 */
function readTable({ texts, announcer, left }, { state, wild }) {
  const { game } = state;
  if (game === null) return;
  const top = game.open_pile.at(-1);
  const time = left();
  const turn = game.turn === null ? "" : say(texts, "read_turn", { name: seatName(state, game.turn) });
  const parts = [
    isOwnClock(state) ? say(texts, "your_turn") : turn,
    time === null ? "" : say(texts, "read_time", { time: clockText(time.ms) }),
    top === undefined ? "" : say(texts, "open_pile", { card: cardName(texts, top, wild) }),
    say(texts, "read_wild", { card: cardName(texts, game.wild, null) }),
    say(texts, "closed_deck", { count: game.closed_count }),
  ];
  announcer.say(parts.filter((part) => part !== "").join(". "));
}
