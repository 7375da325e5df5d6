// Tells the player what happens: list of moves, live regions, sound, title of the window.

import { readPreference } from "../../lib/prefs.js";
import { cardName, say, seatName, tell } from "../core/tell.js";
import { clockText, remaining } from "../core/clock.js";
import { isOwnClock } from "../core/permitted.js";
import { questionFor } from "../core/standing.js";
import { markTitle, soundTurn } from "../io/sound.js";

/** @typedef {import("../../lib/announce.js").Announcer} Announcer */
/** @typedef {import("../core/protocol.js").TableState} TableState */
/** @typedef {import("../core/sync.js").Received} Received */
/** @typedef {import("../core/tell.js").Texts} Texts */
/** @typedef {import("./play.js").Play} Play */
/** @typedef {import("./screen.js").Screen} Screen */
/** @typedef {import("../view/dialogs.js").Dialogs} Dialogs */

/** Seconds before the end of one's own time that are worth a word. */
const WARNINGS = [10, 5];

export class Narrator {
  /**
   * @param {Texts} texts
   * @param {Announcer} announcer
   * @param {Screen} screen
   * @param {Dialogs} dialogs
   */
  constructor(texts, announcer, screen, dialogs) {
    this.texts = texts;
    this.announcer = announcer;
    this.screen = screen;
    this.dialogs = dialogs;
    /** @type {number | null} */
    this.warned = null;
    /** @type {string | null} */
    this.part = null;
  }

  /**
   * @param {Play} play
   * @param {Received} received
   * @param {TableState} before
   */
  received(play, received, before) {
    if (received.refusal !== null) this.warn(received.refusal.message || received.refusal.code);
    const told = this.#tellEvents(play, received);
    this.#tellDrawn(play, before, received);
    if (received.caughtUp && play.state.you.seat !== null && told.length > 2) this.dialogs.away(told);
    this.#followTurn(play, before);
  }

  /** @param {Play} play */
  tick(play) {
    const isOwn = isOwnClock(play.state);
    markTitle(isOwn ? say(this.texts, "your_turn") : null);
    const left = isOwn ? remaining(play.state.game, play.state.rules, play.now) : null;
    if (left === null) {
      this.warned = null;
      this.part = null;
      return;
    }
    if (left.part === "extra" && this.part === "base") this.announcer.say(say(this.texts, "extra_begins"));
    this.part = left.part;
    const seconds = Math.ceil(left.ms / 1000);
    const due = WARNINGS.findLast((limit) => seconds <= limit && seconds > 0) ?? null;
    if (due !== null && due !== this.warned && left.share < 1) {
      this.announcer.alert(say(this.texts, "seconds_left", { seconds: due }));
    }
    this.warned = due;
  }

  /** @param {string} text */
  warn(text) {
    this.screen.toast(text);
    this.announcer.alert(text);
  }

  /**
   * @param {string} code
   * @param {string} message
   */
  goodbye(code, message) {
    if (code === "taken_over") void this.#offerToPlayHere();
    else this.warn(message);
  }

  /** The table goes on in another tab or on another device. */
  async #offerToPlayHere() {
    const question = {
      title: say(this.texts, "taken_over_title"),
      text: say(this.texts, "taken_over_text"),
      confirm: say(this.texts, "taken_over_here"),
      isTimed: false,
    };
    if (await this.dialogs.confirm(question, null)) location.reload();
  }

  /** The table in words: whose turn, the time, the open card, the counts. @param {Play} play */
  readTable(play) {
    const { state, wild } = play;
    const { game } = state;
    if (game === null) return;
    const top = game.open_pile.at(-1);
    const left = remaining(game, state.rules, play.now);
    const turn = game.turn === null ? "" : say(this.texts, "read_turn", { name: seatName(state, game.turn) });
    const parts = [
      isOwnClock(state) ? say(this.texts, "your_turn") : turn,
      left === null ? "" : say(this.texts, "read_time", { time: clockText(left.ms) }),
      top === undefined ? "" : say(this.texts, "open_pile", { card: cardName(this.texts, top, wild) }),
      say(this.texts, "read_wild", { card: cardName(this.texts, game.wild, null) }),
      say(this.texts, "closed_deck", { count: game.closed_count }),
    ];
    this.announcer.say(parts.filter((part) => part !== "").join(". "));
  }

  /**
   * @param {Play} play
   * @param {Received} received
   * @returns {string[]}
   */
  #tellEvents({ state, wild }, { events }) {
    const onlyMine = readPreference("announce") === "mine";
    /** @type {string[]} */
    const told = [];
    for (const event of events) {
      const sentence = tell(this.texts, event, state, wild);
      if (sentence === null) continue;
      told.push(sentence.text);
      this.screen.moves.add(sentence.text, sentence.own);
      if (sentence.own || !onlyMine) this.announcer.say(sentence.text);
    }
    return told;
  }

  /**
   * Only the player who drew hears which card came from the closed deck.
   *
   * @param {Play} play
   * @param {TableState} before
   * @param {Received} received
   */
  #tellDrawn({ state, wild }, before, { snapped }) {
    const { drawn, from_open: fromOpen } = state.you;
    if (snapped || drawn == null || fromOpen === true || drawn === before.you.drawn) return;
    this.announcer.say(say(this.texts, "you_drew", { card: cardName(this.texts, drawn, wild) }));
  }

  /** Why the player is called. @param {TableState} state */
  #called(state) {
    const question = questionFor(state);
    if (question?.kind === "rejoin") return say(this.texts, "ask_rejoin_title");
    if (question?.kind !== "split") return say(this.texts, "your_turn");
    const name = question.asker === null ? "" : seatName(state, question.asker);
    return say(this.texts, "ask_split_title", { name });
  }

  /**
   * @param {Play} play
   * @param {TableState} before
   */
  #followTurn({ state }, before) {
    const isOwn = isOwnClock(state);
    const isNew = isOwn && (!isOwnClock(before) || state.game?.phase !== before.game?.phase);
    if (isNew) {
      this.announcer.alert(this.#called(state));
      soundTurn();
    }
    if (!isOwn && isOwnClock(before)) this.dialogs.closeQuestion();
  }
}
