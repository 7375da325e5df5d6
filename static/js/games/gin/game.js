// Gin on the table page (the interface: static/js/table/core/game.js).

import { region } from "../../lib/dom.js";
import { clockText } from "../../table/core/clock.js";
import { say } from "../../table/core/say.js";
import { cardName, seatName } from "../../table/core/tell.js";
import { DragInput } from "../../table/input/drag.js";
import { listenToKeys } from "../../table/input/keys.js";
import { Defending } from "./controllers/defending.js";
import { Hands } from "./controllers/hands.js";
import { Knocking } from "./controllers/knocking.js";
import { Play } from "./controllers/play.js";
import { GIN_SOUNDS, ginJourneys, laidOff } from "./core/journeys.js";
import { lookOf, progressText } from "./core/looks.js";
import { noticeFor } from "./core/notice.js";
import { acting, gameOf, isOwnClock, isPlaying, ownOf, windowMs } from "./core/seen.js";
import { TELLERS } from "./core/tellers.js";
import { Felt } from "./view/felt.js";

/** @typedef {import("../../table/core/game.js").Shell} Shell */
/** @typedef {import("../../table/core/game.js").TableGame} TableGame */
/** @typedef {typeof import("./controllers/coach.js")} CoachModule */

/**
 * @param {Shell} shell
 * @param {() => Promise<CoachModule>} loadCoach Called in lessons.
 * @returns {TableGame}
 */
export function createGin(shell, loadCoach) {
  const { root, texts, session, announcer } = shell;
  const play = new Play(session);
  const felt = new Felt(shell, play);
  const defending = new Defending(shell, play);
  const hands = new Hands(shell, play, felt, new Knocking(shell, play), defending);
  /** Set in lessons only. @type {ReturnType<CoachModule["createCoach"]> | null} */
  let coach = null;
  defending.follow();

  listenToKeys({
    groups: () => play.groups,
    focusedCard: () => felt.hand.focusedCard,
    focusCard: (card) => felt.hand.focusCard(card),
    shift: (card, step) => hands.shift(card, step),
    letters: { ...hands.letters, r: () => announcer.say(tableInWords(shell)) },
    undo: () => hands.undo(),
    escape: () => hands.escape(),
  });
  const drag = new DragInput(root, region("hand"), {
    cardsWith: (card) => hands.cardsWith(card),
    accepts: (dragged, target) => hands.accepts(dragged, target),
    drop: (dragged, target) => hands.dropped(dragged, target),
  });
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
      coach?.follow(play);
    },
    tick: () => felt.tick(),
    followed(now) {
      play.follow(now);
      defending.follow();
    },
    received: () => {},
    told({ snapped }, before) {
      // Only the player who drew is told which card came from the closed deck.
      const { drawn, from_open: fromOpen } = play.state.you;
      const isNew = drawn != null && drawn !== before.you.drawn && fromOpen !== true;
      if (isNew && !snapped) announcer.say(say(texts, "you_drew", { card: cardName(texts, drawn, null) }));
    },
    drafted: (rev) => play.arrangement.drafted(rev),
    draftRefused: () => play.arrangement.refused(),
    reconnected: () => play.arrangement.reconnected(),
    beat: (now) => play.saveWhenDue(now),
    hidden: () => play.saveGroups(),
    order: () => gameOf(play.state)?.order ?? [],
    acting: () => acting(play.state),
    isOwnClock,
    lengthMs: windowMs,
    plays: () => isPlaying(play.state),
    wild: () => null,
    seat: (seat) => lookOf(texts, play.state, seat),
    notice: () => noticeFor(texts, play.state, play.now),
    progress: () => progressText(texts, play.state),
    called: () => noticeFor(texts, play.state, play.now) ?? say(texts, "your_turn"),
    leaving: () => hands.leaving(),
    tellers: TELLERS,
    journeys: ginJourneys,
    moved: () => laidOff(felt.spread.aside, play.aside),
    sounds: GIN_SOUNDS,
    moment: ({ kind, how }) => (kind === "knocked" ? say(texts, how) : null),
    actions: { ...hands.actions, coach: () => coach?.toggle(play) },
    tapped: (card) => play.toggle(card),
    tappedTwice: (card) => hands.discard(card),
  };
}

/**
 * The table in words: the current state, the time, the open card, the deck, the player's deadwood.
 *
 * @param {Shell} shell
 */
function tableInWords({ texts, session, left }) {
  const { state, now } = session;
  const game = gameOf(state);
  if (game === null) return "";
  const card = game.open_pile.at(-1);
  const time = left();
  const deadwood = ownOf(state).deadwood ?? null;
  const parts = [noticeFor(texts, state, now) ?? ""];
  if (time !== null) parts.push(say(texts, "read_time", { time: clockText(time.ms) }));
  if (card !== undefined) parts.push(say(texts, "open_pile", { card: cardName(texts, card, null) }));
  parts.push(say(texts, "closed_deck", { count: game.closed_count }));
  if (deadwood !== null) parts.push(say(texts, "deadwood_of", { points: deadwood }));
  for (const seat of game.order) {
    const taken = state.game?.discards.filter(([by]) => by === seat).at(-1);
    if (taken !== undefined && seat !== state.you.seat) {
      const values = { name: seatName(state, seat), card: cardName(texts, taken[1], null) };
      parts.push(say(texts, "event_discarded", values));
    }
  }
  return parts.filter((part) => part !== "").join(". ");
}
