// One player's side of a table: state from the server, groups of one's own, moves on their way.
// Knows nothing of the page; whoever wants to show it listens.

import { Arrangement } from "../core/arrangement.js";
import { Clock } from "../core/clock.js";
import { sameGroups } from "../core/hand.js";
import { mayArrange, permitted } from "../core/permitted.js";
import { OF_ONESELF } from "../core/protocol.js";
import { Sync } from "../core/sync.js";
import { wildRankOf } from "../core/cards.js";
import { TableSocket } from "../io/socket.js";

/** @typedef {import("../core/protocol.js").CardId} CardId */
/** @typedef {import("../core/protocol.js").ChatLine} ChatLine */
/** @typedef {import("../core/protocol.js").ClientMessage} ClientMessage */
/** @typedef {import("../core/protocol.js").Group} Group */
/** @typedef {import("../core/protocol.js").Move} Move */
/** @typedef {import("../core/protocol.js").ServerMessage} ServerMessage */
/** @typedef {import("../core/protocol.js").Snap} Snap */
/** @typedef {import("../core/protocol.js").TableState} TableState */
/** @typedef {import("../core/protocol.js").Rej} Rej */
/** @typedef {import("../core/protocol.js").Answer} Answer */
/** @typedef {import("../core/protocol.js").Verdict} Verdict */
/** @typedef {import("../core/sync.js").Received} Received */
/** @typedef {import("../io/socket.js").Net} Net */

/**
 * @typedef {object} PlayListener
 * @property {() => void} changed Something to show is different.
 * @property {(received: Received, before: TableState) => void} received
 * @property {(code: string, message: string) => void} goodbye
 * @property {(lines: readonly ChatLine[]) => void} said
 * @property {(text: string) => void} warned
 * @property {(message: {type: string}) => void} told What is for the player on any page; `ended`: nothing more comes.
 */

const TICK_MS = 200;
/** How often is asked whether something for the player on any page was missed. */
const ASK_OF_ONESELF_MS = 25_000;
/** A question about the hand that is not answered by then is not waited for. */
const ANSWER_WITHIN_MS = 4000;

/** `crypto.randomUUID` is missing on plain http addresses of a local network. */
function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** Refusals of what was said or wished; any other error is about the arrangement of the hand. */
const OF_TALK = new Set([
  "chat_off",
  "phrases_only",
  "nothing_said",
  "said_too_much",
  "seats_are_arranged",
]);

export class Play {
  /**
   * @param {{epoch: string, v: number, now: number, state: TableState}} first
   * @param {string} path
   * @param {number | null} purse What the player can bring to the table; null for who is not signed in.
   * @param {PlayListener} listener
   */
  constructor(first, path, purse, listener) {
    this.listener = listener;
    this.purse = purse;
    this.sync = new Sync(first);
    this.clock = new Clock(first.now - Date.now());
    this.arrangement = new Arrangement();
    this.arrangement.follow(first.state, Date.now());
    /** @type {Net} */
    this.net = "connecting";
    /** Whose browsers are connected; null before the server has said so. @type {number[] | null} */
    this.here = null;
    /** The promise that this browser has answered with its own part of the seed. */
    this.promise = "";
    this.seed = "";
    /** @type {Set<CardId>} */
    this.selection = new Set();
    /** Questions to the server, by their ids. @type {Map<string, (answer: Answer | Rej | null) => void>} */
    this.questions = new Map();
    this.socket = new TableSocket(path, {
      opened: () => this.#opened(),
      closed: () => this.#closed(),
      received: (message) => this.#received(message),
      netChanged: (net) => {
        this.net = net;
        listener.changed();
      },
      ended: () => listener.told({ type: "ended" }),
    });
  }

  start() {
    this.socket.start();
    setInterval(() => this.#tick(), TICK_MS);
    setInterval(() => this.#askOfOneself(), ASK_OF_ONESELF_MS);
    // A phone may stop the page before the next tick.
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "hidden") this.saveGroups();
    });
  }

  get state() {
    return this.sync.state;
  }

  get wild() {
    return wildRankOf(this.state.game?.wild);
  }

  get groups() {
    return this.arrangement.groups;
  }

  get now() {
    return this.clock.serverTime(Date.now());
  }

  get may() {
    return permitted(this.state, this.net === "online" && this.sync.ready, this.purse);
  }

  /** The move that is on its way. */
  get moving() {
    return this.sync.pending?.move ?? null;
  }

  /** @param {Move} move */
  act(move) {
    this.saveGroups();
    this.#send(this.sync.act(move, newId(), Date.now()));
    this.listener.changed();
  }

  /** @param {{move?: Move | {}, last_deal?: boolean}} wish An empty move takes the wish for one back. */
  wish({ move, last_deal: lastDeal }) {
    this.#send([{ type: "wish", move: move ?? null, last_deal: lastDeal ?? null }]);
  }

  /** @param {{phrase?: string, text?: string}} line */
  say({ phrase = "", text = "" }) {
    this.#send([{ type: "say", phrase, text }]);
  }

  /** @param {Group[]} groups */
  arrange(groups) {
    if (!sameGroups(groups, this.groups)) this.arrangement.change(groups, Date.now());
    this.listener.changed();
  }

  /** Lays the hand out as the server proposes. Returns whether it lies so now. */
  async layBest() {
    if (!this.may.best) return false;
    const { rev } = this.arrangement;
    const answer = await this.#ask({ kind: "arrange" });
    if (answer?.type === "rej") this.listener.warned(answer.message);
    if (answer?.type !== "answer") return false;
    const isLaid = this.arrangement.lay(rev, answer.answer.groups, Date.now());
    if (isLaid) {
      this.saveGroups();
      this.listener.changed();
    }
    return isLaid;
  }

  /**
   * What the server would say to these groups; null if it does not tell.
   *
   * @param {Group[]} groups
   * @returns {Promise<Verdict | null>}
   */
  async judge(groups) {
    if (this.state.table.help?.verdict !== true) return null;
    const answer = await this.#ask({ kind: "judge", groups });
    return answer?.type === "answer" ? /** @type {Verdict} */ (answer.answer) : null;
  }

  /** Brings the former arrangement of the hand back. */
  undo() {
    if (!mayArrange(this.state) || !this.arrangement.undo(Date.now())) return false;
    this.selection.clear();
    this.listener.changed();
    return true;
  }

  saveGroups() {
    if (!this.socket.isOpen || !mayArrange(this.state)) return;
    const message = this.arrangement.takeUnsent();
    if (message !== null) this.#send([message]);
  }

  /** @param {CardId} card */
  toggle(card) {
    if (!this.selection.delete(card)) this.selection.add(card);
    this.listener.changed();
  }

  clearSelection() {
    this.selection.clear();
    this.listener.changed();
  }

  /** @param {readonly ClientMessage[]} messages */
  #send(messages) {
    for (const message of messages) this.socket.send(message);
  }

  /**
   * @param {{kind: string} & Record<string, unknown>} question
   * @returns {Promise<Answer | Rej | null>} Null without an answer in time.
   */
  #ask(question) {
    const id = newId();
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#answered(id, null), ANSWER_WITHIN_MS);
      this.questions.set(id, (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
      if (!this.socket.send({ type: "ask", id, question })) this.#answered(id, null);
    });
  }

  /**
   * @param {string} id
   * @param {Answer | Rej | null} answer
   */
  #answered(id, answer) {
    const resolve = this.questions.get(id);
    this.questions.delete(id);
    resolve?.(answer);
  }

  #opened() {
    this.#send(this.sync.opened(Date.now()));
    this.#askOfOneself();
    this.arrangement.reconnected();
    this.listener.changed();
  }

  #askOfOneself() {
    if (this.purse !== null) this.#send([{ type: "me" }]);
  }

  #closed() {
    this.here = null;
    this.sync.closed();
    for (const id of [...this.questions.keys()]) this.#answered(id, null);
    this.listener.changed();
  }

  /** @param {ServerMessage} message */
  #received(message) {
    if (OF_ONESELF.has(message.type)) {
      this.listener.told(message);
      return;
    }
    const now = Date.now();
    if (message.type === "pong") this.clock.sample(message.c, message.s, now);
    if (message.type === "drafted") this.arrangement.drafted(message.rev);
    if (message.type === "error") this.#refused(message);
    if (message.type === "here") {
      this.here = message.seats;
      this.listener.changed();
    }
    if (message.type === "answer" || message.type === "rej") this.#answered(message.id, message);
    if (message.type === "chat") this.listener.said(message.lines);
    if (message.type === "bye") this.listener.goodbye(message.code, message.message ?? "");
    const before = this.state;
    const received = this.sync.receive(message, now);
    this.#send(received.send);
    this.#addSeed();
    if (this.state !== before) this.#follow(now);
    if (received.changed || received.refusal !== null) {
      this.listener.received(received, before);
      this.listener.changed();
    }
  }

  /** This browser's part of the next deal's seed, once for every promise of the server. */
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
    if (OF_TALK.has(code)) this.listener.warned(message);
    else this.arrangement.refused();
  }

  /** @param {number} now */
  #follow(now) {
    this.arrangement.follow(this.state, now);
    const held = new Set(this.groups.flat());
    for (const card of this.selection) if (!held.has(card)) this.selection.delete(card);
  }

  #tick() {
    const now = Date.now();
    const messages = this.sync.tick(now);
    this.#send(messages);
    if (messages.length > 0) this.listener.changed();
    if (this.arrangement.isDue(now) && this.sync.synced) this.saveGroups();
  }
}
