// The table and its server: received messages become the state, the player's actions are sent. It knows no
// game, and passes game matters on.

import { Clock, isSlow } from "../core/clock.js";
import { OF_ONESELF } from "../core/protocol.js";
import { EVERYBODY, mayStart } from "../core/stakes.js";
import { Sync } from "../core/sync.js";
import { TableSocket } from "../io/socket.js";
import { localNow } from "../../lib/local_now.js";

/** @typedef {import("../core/protocol.js").Ack} Ack */
/** @typedef {import("../core/protocol.js").Answer} Answer */
/** @typedef {import("../core/protocol.js").ChatLine} ChatLine */
/** @typedef {import("../core/protocol.js").ClientMessage} ClientMessage */
/** @typedef {import("../core/protocol.js").Move} Move */
/** @typedef {import("../core/protocol.js").ServerMessage} ServerMessage */
/** @typedef {import("../core/protocol.js").TableState} TableState */
/** @typedef {import("../core/protocol.js").Rej} Rej */
/** @typedef {import("../core/sync.js").Received} Received */
/** @typedef {import("../io/socket.js").Net} Net */

/**
 * @typedef {object} SessionGame The session's view of a game (from ../core/game.js, which names this file).
 * @property {(now: number) => void} followed
 * @property {(rev: number, draft?: unknown) => void} drafted
 * @property {() => void} draftRefused
 * @property {() => void} reconnected
 * @property {(now: number) => void} beat
 * @property {() => void} hidden
 */
/**
 * @typedef {object} SessionListener
 * @property {() => void} changed Something to show has changed.
 * @property {(received: Received, before: TableState) => void} received
 * @property {(code: string, message: string) => void} goodbye
 * @property {(lines: readonly ChatLine[]) => void} said
 * @property {(text: string) => void} warned
 * @property {(message: {type: string}) => void} told News for the player on any page; `ended` means that
 * nothing more comes.
 */

const TICK_MS = 200;
/** How often to ask whether news for the player on any page were missed. */
const ASK_OF_ONESELF_MS = 25_000;
/** A question about the hand is given up after this time. */
const ANSWER_WITHIN_MS = 4000;

/** `crypto.randomUUID` is missing on plain http addresses of a local network. */
function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** Refusals of chat and pre-actions; any other error is about the player's draft. */
const OF_TALK = new Set([
  "chat_off",
  "phrases_only",
  "nothing_said",
  "said_too_much",
  "silenced",
  "seats_are_arranged",
]);

export class Session {
  /** @type {SessionListener | null} */
  #listener = null;
  /** @type {SessionGame | null} */
  #game = null;

  /**
   * @param {{epoch: string, v: number, now: number, state: TableState}} first
   * @param {string} path
   * @param {number | null} purse The amount that the player can bring to the table; null without an
   * account.
   */
  constructor(first, path, purse) {
    this.purse = purse;
    this.sync = new Sync(first);
    this.clock = new Clock(first.now - localNow());
    /** This player's present or last seat; it is theirs again while nobody has taken it. */
    this.lastSeat = first.state.you.seat;
    /** @type {Net} */
    this.net = "connecting";
    /**
     * Seats with connected browsers; null before the server has sent them.
     *
     * @type {import("../core/protocol.js").Here | null}
     */
    this.here = null;
    /** The commitment to which this browser has added its part of the seed. */
    this.promise = "";
    this.seed = "";
    /**
     * Pending questions to the server by id.
     *
     * @type {Map<string, (answer: Answer | Ack | Rej | null) => void>}
     */
    this.questions = new Map();
    this.socket = new TableSocket(path, {
      opened: () => this.#opened(),
      closed: () => this.#closed(),
      received: (message) => this.#received(message),
      netChanged: (net) => {
        this.net = net;
        this.changed();
      },
      ended: () => this.#listener?.told({ type: "ended" }),
    });
  }

  /**
   * @param {SessionListener} listener
   * @param {SessionGame} game
   */
  start(listener, game) {
    this.#listener = listener;
    this.#game = game;
    this.socket.start();
    setInterval(() => this.#tick(), TICK_MS);
    setInterval(() => this.#askOfOneself(), ASK_OF_ONESELF_MS);
    // A phone may suspend the page before the next tick.
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "hidden") game.hidden();
    });
  }

  get state() {
    return this.sync.state;
  }

  get now() {
    return this.clock.serverTime(localNow());
  }

  /** Whether this player may start the next match for all. In a slow game everybody is away most of the time. */
  get mayStart() {
    return mayStart(this.state, isSlow(this.state) ? null : (this.here ?? EVERYBODY));
  }

  get isConnected() {
    return this.net === "online" && this.sync.synced;
  }

  /** Whether the page is connected, with no pending move. */
  get ready() {
    return this.net === "online" && this.sync.ready;
  }

  /** The pending move. */
  get moving() {
    return this.sync.pending?.move ?? null;
  }

  /** Something to show has changed. */
  changed() {
    this.#listener?.changed();
  }

  /** @param {string} text */
  warn(text) {
    this.#listener?.warned(text);
  }

  /**
   * Requests something other than a move, which the server does or refuses. Refusals are shown.
   *
   * @param {(id: string) => ClientMessage} message
   * @returns {Promise<boolean>} Whether it was done.
   */
  async done(message) {
    const answer = await this.#asked(message);
    if (answer?.type === "rej") this.warn(answer.message || answer.code);
    return answer?.type === "ack";
  }

  /** @param {Move} move */
  act(move) {
    this.#send(this.sync.act(move, newId(), localNow()));
    this.changed();
  }

  /** @param {{move?: Move | {}, last_deal?: boolean}} chosen An empty move cancels the previous one. */
  preAction({ move, last_deal: lastDeal }) {
    this.#send([{ type: "pre_action", move: move ?? null, last_deal: lastDeal ?? null }]);
  }

  /** @param {{phrase?: string, text?: string}} line */
  say({ phrase = "", text = "" }) {
    this.#send([{ type: "say", phrase, text }]);
  }

  /** Sends the player's draft. @param {Extract<ClientMessage, {type: "draft"}>} draft */
  draft(draft) {
    this.#send([draft]);
  }

  /** @param {readonly ClientMessage[]} messages */
  #send(messages) {
    for (const message of messages) this.socket.send(message);
  }

  /**
   * @param {{kind: string} & Record<string, unknown>} question
   * @returns {Promise<Answer | Rej | null>} Null if no answer came in time.
   */
  async ask(question) {
    const answer = await this.#asked((id) => ({ type: "ask", id, question }));
    return answer?.type === "ack" ? null : answer;
  }

  /**
   * @param {(id: string) => ClientMessage} message
   * @returns {Promise<Answer | Ack | Rej | null>} Null if no answer came in time.
   */
  #asked(message) {
    const id = newId();
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#answered(id, null), ANSWER_WITHIN_MS);
      this.questions.set(id, (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
      if (!this.socket.send(message(id))) this.#answered(id, null);
    });
  }

  /**
   * @param {string} id
   * @param {Answer | Ack | Rej | null} answer
   */
  #answered(id, answer) {
    const resolve = this.questions.get(id);
    this.questions.delete(id);
    resolve?.(answer);
  }

  #opened() {
    this.#send(this.sync.opened(localNow()));
    this.#askOfOneself();
    this.#game?.reconnected();
    this.changed();
  }

  #askOfOneself() {
    if (this.purse !== null) this.#send([{ type: "me" }]);
  }

  #closed() {
    this.here = null;
    this.sync.closed();
    for (const id of [...this.questions.keys()]) this.#answered(id, null);
    this.changed();
  }

  /** @param {ServerMessage} message */
  #received(message) {
    if (OF_ONESELF.has(message.type)) {
      this.#listener?.told(message);
      return;
    }
    const now = localNow();
    if (message.type === "pong") this.clock.sample(message.c, message.s, now);
    if (message.type === "drafted") this.#game?.drafted(message.rev, message.draft);
    if (message.type === "error") this.#refused(message);
    if (message.type === "here") {
      this.here = message;
      this.changed();
    }
    if (message.type === "answer" || message.type === "ack" || message.type === "rej") this.#answered(message.id, message);
    if (message.type === "chat") this.#listener?.said(message.lines);
    if (message.type === "bye") this.#listener?.goodbye(message.code, message.message ?? "");
    const before = this.state;
    const received = this.sync.receive(message, now);
    this.lastSeat = this.state.you.seat ?? this.lastSeat;
    this.#send(received.send);
    this.#addSeed();
    if (this.state !== before) this.#game?.followed(now);
    if (received.changed || received.refusal !== null) {
      this.#listener?.received(received, before);
      this.changed();
    }
  }

  /** Sends this browser's part of the next deal's seed, once for every commitment of the server. */
  #addSeed() {
    const { you, table } = this.state;
    if (you.seat === null || !this.sync.synced || table.commitment === null) return;
    if (table.commitment === this.promise) return;
    this.promise = table.commitment;
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    this.seed = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    this.#send([{ type: "seed", promise: this.promise, seed: this.seed }]);
  }

  /** @param {{code: string, message: string}} error */
  #refused({ code, message }) {
    if (code === "seed_not_taken") return;
    if (OF_TALK.has(code)) this.#listener?.warned(message);
    else this.#game?.draftRefused();
  }

  #tick() {
    const now = localNow();
    const messages = this.sync.tick(now);
    this.#send(messages);
    if (messages.length > 0) this.changed();
    this.#game?.beat(now);
  }
}
