// Tells the player about events: list of moves, live regions, sound, window title.

import { readPreference } from "../../lib/prefs.js";
import { isPlayedFor } from "../core/stakes.js";
import { say } from "../core/say.js";
import { tell } from "../core/tell.js";
import { markTitle } from "../io/sound.js";

/** @typedef {import("../../lib/announce.js").Announcer} Announcer */
/** @typedef {import("../core/game.js").TableGame} TableGame */
/** @typedef {import("../core/protocol.js").TableState} TableState */
/** @typedef {import("../core/sync.js").Received} Received */
/** @typedef {import("../core/tell.js").Texts} Texts */
/** @typedef {import("./session.js").Session} Session */
/** @typedef {import("./screen.js").Screen} Screen */
/** @typedef {import("../view/dialogs.js").Dialogs} Dialogs */

/** Seconds before the end of the player's time at which to warn. */
const WARNINGS = [10, 5];
/** The last seconds are audible. */
const LAST_SECONDS = 5;

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
    /** @type {TableGame} */
    this.game = /** @type {any} */ (null);
    /** Plays a sound. @type {(name: string) => void} */
    this.play = () => {};
    /** Shows a warning. @type {(text: string) => void} */
    this.show = () => {};
    /** Hides the warning. @type {() => void} */
    this.hush = () => {};
    /** Lists missed moves. @type {(moves: readonly string[]) => void} */
    this.away = () => {};
    /** Lists a move. @type {(text: string, own: boolean) => void} */
    this.list = () => {};
    /** @type {number | null} */
    this.warned = null;
    /** The last second that was audible. @type {number | null} */
    this.ticked = null;
    /** @type {string | null} */
    this.part = null;
  }

  /**
   * @param {Session} session
   * @param {Received} received
   * @param {TableState} before
   */
  received(session, received, before) {
    if (received.refusal !== null) this.warn(received.refusal.message || received.refusal.code);
    const told = this.#tellEvents(session, received);
    this.game.told(received, before);
    if (received.caughtUp && session.state.you.seat !== null && told.length > 2) this.away(told);
    this.#followTurn(session, before);
    // A hint for the player's own turn; but a refusal that comes with its end must stay readable.
    const isOver = this.game.isOwnClock(before) && !this.game.isOwnClock(session.state);
    if (isOver && received.refusal === null) this.hush();
  }

  /** @param {Session} session */
  tick(session) {
    const isOwn = this.#isOwnClock(session.state);
    markTitle(isOwn ? say(this.texts, "your_turn") : null);
    const left = isOwn ? this.screen.left : null;
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
    if (seconds > 0 && seconds <= LAST_SECONDS && seconds !== this.ticked) this.play("tick");
    this.ticked = seconds;
  }

  /** Nobody is called to a turn that a bot plays. @param {TableState} state */
  #isOwnClock(state) {
    return this.game.isOwnClock(state) && !isPlayedFor(state);
  }

  /** @param {string} text */
  warn(text) {
    this.show(text);
    this.announcer.alert(text);
  }

  /**
   * @param {Session} session
   * @param {Received} received
   * @returns {string[]}
   */
  #tellEvents({ state }, { events }) {
    const onlyMine = readPreference("announce") === "mine";
    /** @type {string[]} */
    const told = [];
    for (const event of events) {
      const sentence = tell(this.texts, event, state, this.game.wild(), this.game.tellers);
      if (sentence === null) continue;
      told.push(sentence.text);
      this.list(sentence.text, sentence.own);
      if (sentence.own || !onlyMine) this.announcer.say(sentence.text);
    }
    return told;
  }

  /**
   * @param {Session} session
   * @param {TableState} before
   */
  #followTurn({ state }, before) {
    const isOwn = this.#isOwnClock(state);
    const isNew = isOwn && (!this.#isOwnClock(before) || state.game?.phase !== before.game?.phase);
    if (isNew) {
      this.announcer.alert(this.game.called());
      this.play("call");
    }
    if (!isOwn && this.game.isOwnClock(before)) this.dialogs.closeQuestion();
  }
}
