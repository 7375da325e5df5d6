// The table's socket: its messages, a watchdog for missing answers, and an immediate retry when the page or
// the network wakes up.

import { localNow } from "../../lib/local_now.js";
import { Reconnecting } from "../../lib/reconnecting.js";
import { readMessage } from "../core/protocol.js";

/** @typedef {import("../core/protocol.js").ClientMessage} ClientMessage */
/** @typedef {import("../core/protocol.js").ServerMessage} ServerMessage */
/** @typedef {"connecting" | "online" | "offline"} Net */

const PACE = { firstPauseMs: 400, longestPauseMs: 8000, pingMs: 2500, deadAfterMs: 9000 };

/**
 * @typedef {object} Listener
 * @property {() => void} opened
 * @property {() => void} closed
 * @property {(message: ServerMessage) => void} received
 * @property {(net: Net) => void} netChanged
 * @property {() => void} ended It will not reconnect.
 */

export class TableSocket {
  /** @type {Reconnecting} */
  #socket;
  /** The browser reports that there is no network. */
  #isOffline = false;

  /**
   * @param {string} path
   * @param {Listener} listener
   */
  constructor(path, listener) {
    this.listener = listener;
    this.#socket = new Reconnecting(path, PACE, {
      ping: () => ({ type: "ping", c: localNow() }),
      heard: (data) => {
        // The report was wrong.
        if (this.#isOffline) this.#say(false);
        const message = typeof data === "string" ? readMessage(data) : null;
        if (message !== null) listener.received(message);
      },
      opening: () => {
        // While attempts continue, "no connection" stays true.
        if (this.#socket.failures === 0) listener.netChanged("connecting");
      },
      opened: () => {
        this.#isOffline = false;
        listener.netChanged("online");
        listener.opened();
        this.#socket.ping();
      },
      dropped: () => listener.closed(),
      retrying: () => listener.netChanged("offline"),
      ended: () => {
        listener.netChanged("offline");
        listener.ended();
      },
    });
  }

  start() {
    // Long before an unanswered ping would reveal it.
    addEventListener("offline", () => this.#say(true));
    addEventListener("online", () => {
      if (!this.#socket.isFinal) this.#socket.renew();
    });
    this.#socket.start();
  }

  get isOpen() {
    return this.#socket.isOpen;
  }

  /** @param {ClientMessage} message */
  send(message) {
    return this.#socket.send(message);
  }

  /** @param {boolean} isOffline */
  #say(isOffline) {
    this.#isOffline = isOffline;
    if (this.#socket.isOpen) this.listener.netChanged(isOffline ? "offline" : "online");
  }
}
