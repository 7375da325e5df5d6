// A game with melds on the table, on the table page (the interface: static/js/table/core/game.js).

import { region } from "../../../../lib/dom.js";
import { clockText } from "../../../../table/core/clock.js";
import { say } from "../../../../table/core/say.js";
import { cardName, seatName } from "../../../../table/core/tell.js";
import { DragInput } from "../../../../table/input/drag.js";
import { listenToKeys } from "../../../../table/input/keys.js";
import { laidJourneys, LAID_SOUNDS } from "../../core/laid/journeys.js";
import { gameOf, isPlaying, ownOf, windowMs } from "../../core/laid/seen.js";
import { layersOf, meldsInWords } from "../../core/laid/words.js";

/** @typedef {import("../../../../table/core/game.js").Shell} Shell */
/** @typedef {import("../../../../table/core/game.js").TableGame} TableGame */
/** @typedef {import("../../../../table/core/protocol.js").TableState} TableState */
/** @typedef {import("../../../../table/core/tell.js").Texts} Texts */
/** @typedef {import("../../view/laid/felt.js").LaidFelt} LaidFelt */
/** @typedef {import("./hands.js").LaidHands} LaidHands */
/** @typedef {import("./play.js").LaidPlay} LaidPlay */
/** @typedef {{follow: (play: any) => void, toggle: (play: any) => void}} Coach */
/** @typedef {() => Promise<{createCoach: (texts: Texts, table: number) => Coach}>} LoadCoach */

/**
 * @typedef {object} Parts The parts in which such games differ.
 * @property {LaidPlay} play
 * @property {LaidFelt} felt
 * @property {LaidHands} hands
 * @property {TableGame["tellers"]} tellers
 * @property {TableGame["seat"]} seat
 * @property {() => string | null} notice
 * @property {() => string | null} progress
 * @property {(state: TableState) => number[]} acting The seats whose clocks run.
 * @property {(state: TableState) => boolean} isOwnClock
 * @property {() => readonly string[]} inWords Further facts for "the table in words".
 * @property {TableGame["told"]} [told]
 * @property {TableGame["received"]} [received]
 */

/**
 * @param {Shell} shell
 * @param {Parts} parts
 * @param {LoadCoach} loadCoach Called in lessons.
 * @returns {TableGame}
 */
export function laidGame(shell, parts, loadCoach) {
  const { root, texts, announcer } = shell;
  const { play, felt, hands } = parts;
  const wild = () => felt.wildOf(play.state);
  /** Set in lessons only. @type {Coach | null} */
  let coach = null;

  listenToKeys({
    groups: () => play.groups,
    focusedCard: () => felt.hand.focusedCard,
    focusCard: (card) => felt.hand.focusCard(card),
    shift: (card, step) => hands.shift(card, step),
    letters: { ...hands.letters, r: () => announcer.say(tableInWords(shell, parts)) },
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
      // While a move is pending no move is legal, but the advice stays the same.
      if (play.session.ready) coach?.follow(play);
    },
    tick: () => felt.tick(),
    followed: (now) => play.follow(now),
    received: (received) => parts.received?.(received),
    told(received, before) {
      // Only the player who drew is told which card came from the closed deck.
      const { drawn, from_open: fromOpen } = play.state.you;
      const isNew = drawn != null && drawn !== before.you.drawn && fromOpen !== true;
      if (isNew && !received.snapped) announcer.say(say(texts, "you_drew", { card: cardName(texts, drawn, wild()) }));
      parts.told?.(received, before);
    },
    drafted: (rev) => play.arrangement.drafted(rev),
    draftRefused: () => play.arrangement.refused(),
    reconnected: () => play.arrangement.reconnected(),
    beat: (now) => play.saveWhenDue(now),
    hidden: () => play.saveGroups(),
    order: () => gameOf(play.state)?.order ?? [],
    acting: () => parts.acting(play.state),
    isOwnClock: parts.isOwnClock,
    lengthMs: windowMs,
    plays: () => isPlaying(play.state),
    wild,
    seat: parts.seat,
    notice: parts.notice,
    progress: parts.progress,
    called: () => parts.notice() ?? say(texts, "your_turn"),
    leaving: () => hands.leaving(),
    tellers: parts.tellers,
    journeys: laidJourneys,
    sounds: LAID_SOUNDS,
    actions: { ...hands.actions, coach: () => coach?.toggle(play) },
    tapped: (card) => play.toggle(card),
    tappedTwice: (card) => hands.discard(card),
  };
}

/**
 * The table in words: the current state, the time, the open card, the deck, every meld, each player's
 * cards.
 *
 * @param {Shell} shell
 * @param {Parts} parts
 */
function tableInWords({ texts, session, left }, { notice, inWords }) {
  const { state } = session;
  const game = gameOf(state);
  if (game === null) return "";
  const card = game.open_pile.at(-1);
  const time = left();
  const melds = game.melds.map((meld, number) => {
    const by = say(texts, "laid_by", { name: layersOf(state, meld) });
    return `${number + 1}. ${meldsInWords(texts, [meld])}, ${by}`;
  });
  const { count } = ownOf(state);
  const parts = [
    notice() ?? "",
    time === null ? "" : say(texts, "read_time", { time: clockText(time.ms) }),
    ...inWords(),
    card === undefined ? "" : say(texts, "open_pile", { card: cardName(texts, card, null) }),
    say(texts, "closed_deck", { count: game.closed_count }),
    ...(melds.length === 0 ? [say(texts, "no_melds")] : melds),
    isPlaying(state) && count !== undefined ? say(texts, "in_hand", { points: count }) : "",
    ...game.order
      .filter((seat) => seat !== state.you.seat)
      .map((seat) => `${seatName(state, seat)}: ${say(texts, "closed_count", { count: game.players[String(seat)]?.cards ?? 0 })}`),
  ];
  return parts.filter((part) => part !== "").join(". ");
}
