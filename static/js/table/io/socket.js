// The table's socket: its messages, a watchdog on answers, and an immediate try when the page or
// the network wakes up.

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
 * @property {() => void} ended It does not come back.
 */

export class TableSocket {
  /** @type {Reconnecting} */
  #socket;

  /**
   * @param {string} path
   * @param {Listener} listener
   */
  constructor(path, listener) {
    this.#socket = new Reconnecting(path, PACE, {
      ping: () => ({ type: "ping", c: Date.now() }),
      heard: (data) => {
        const message = typeof data === "string" ? readMessage(data) : null;
        if (message !== null) listener.received(message);
      },
      opening: () => {
        // While tries go on, "no connection" stays true.
        if (this.#socket.failures === 0) listener.netChanged("connecting");
      },
      opened: () => {
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
    addEventListener("online", () => this.#wake());
    addEventListener("pageshow", (event) => event.persisted && this.#wake());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.#wake();
    });
    this.#socket.open();
  }

  get isOpen() {
    return this.#socket.isOpen;
  }

  /** @param {ClientMessage} message */
  send(message) {
    return this.#socket.send(message);
  }

  #wake() {
    const socket = this.#socket;
    if (socket.isFinal) return;
    if (!socket.isHeld) socket.open();
    else if (socket.isOpen) socket.beat();
  }
}
