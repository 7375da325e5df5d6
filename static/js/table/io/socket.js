// One WebSocket that comes back by itself: a watchdog on answers, growing pauses between tries, and
// an immediate try when the page or the network wakes up.

import { readMessage } from "../core/protocol.js";

/** @typedef {import("../core/protocol.js").ClientMessage} ClientMessage */
/** @typedef {import("../core/protocol.js").ServerMessage} ServerMessage */
/** @typedef {"connecting" | "online" | "offline"} Net */

const PING_MS = 2500;
const DEAD_AFTER_MS = 9000;
const FIRST_PAUSE_MS = 400;
const LONGEST_PAUSE_MS = 8000;
/** Signed out, not allowed here, no such table, played on elsewhere: trying again is no use. */
const FINAL_CODES = new Set([4401, 4403, 4404, 4410]);

/**
 * @typedef {object} Listener
 * @property {() => void} opened
 * @property {() => void} closed
 * @property {(message: ServerMessage) => void} received
 * @property {(net: Net) => void} netChanged
 * @property {() => void} ended It does not come back.
 */

export class TableSocket {
  /**
   * @param {string} path
   * @param {Listener} listener
   */
  constructor(path, listener) {
    const url = new URL(path, location.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    this.url = url;
    this.listener = listener;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.failures = 0;
    this.heardAt = 0;
    this.isFinal = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.retryTimer = undefined;
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.pingTimer = undefined;
  }

  start() {
    addEventListener("online", () => this.#wake());
    addEventListener("pageshow", (event) => event.persisted && this.#wake());
    // An open socket would keep the page out of the back/forward cache.
    addEventListener("pagehide", () => this.#drop());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.#wake();
    });
    this.#open();
  }

  get isOpen() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /** @param {ClientMessage} message */
  send(message) {
    if (this.isOpen) this.socket?.send(JSON.stringify(message));
    return this.isOpen;
  }

  #open() {
    if (this.isFinal) return;
    clearTimeout(this.retryTimer);
    // While tries go on, "no connection" stays true.
    if (this.failures === 0) this.listener.netChanged("connecting");
    const socket = new WebSocket(this.url);
    this.socket = socket;
    this.heardAt = Date.now();
    socket.addEventListener("open", () => socket === this.socket && this.#opened());
    socket.addEventListener("message", (event) => socket === this.socket && this.#heard(event.data));
    socket.addEventListener("close", (event) => socket === this.socket && this.#closed(event.code));
    clearInterval(this.pingTimer);
    this.pingTimer = setInterval(() => this.#beat(), PING_MS);
  }

  #opened() {
    this.heardAt = Date.now();
    this.listener.netChanged("online");
    this.listener.opened();
    this.#ping();
  }

  /** @param {unknown} data */
  #heard(data) {
    this.heardAt = Date.now();
    this.failures = 0;
    const message = typeof data === "string" ? readMessage(data) : null;
    if (message !== null) this.listener.received(message);
  }

  /** A browser may take minutes to notice a dead connection; an unanswered ping shows it at once. */
  #beat() {
    if (Date.now() - this.heardAt > DEAD_AFTER_MS) {
      this.#drop();
      this.#retryLater();
      return;
    }
    this.#ping();
  }

  #ping() {
    this.send({ type: "ping", c: Date.now() });
  }

  /** @param {number} code */
  #closed(code) {
    this.#drop();
    if (FINAL_CODES.has(code)) this.isFinal = true;
    if (this.isFinal) {
      this.listener.netChanged("offline");
      this.listener.ended();
    } else this.#retryLater();
  }

  /** Lets go of the socket without waiting for it. */
  #drop() {
    const old = this.socket;
    this.socket = null;
    clearInterval(this.pingTimer);
    if (old === null) return;
    old.close();
    this.listener.closed();
  }

  #retryLater() {
    this.listener.netChanged("offline");
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.failures);
    this.failures += 1;
    clearTimeout(this.retryTimer);
    // Not all players of a restarted server at the same moment.
    this.retryTimer = setTimeout(() => this.#open(), pause * (0.6 + Math.random() * 0.8));
  }

  #wake() {
    if (this.isFinal) return;
    if (this.socket === null) this.#open();
    else if (this.isOpen) this.#beat();
  }
}
