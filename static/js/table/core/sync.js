// Keeps this page's state in step with the server's. Independent of sockets and clocks: from messages and
// times to messages to send.

import { applyChange } from "./state.js";

/** @typedef {import("./protocol.js").Change} Change */
/** @typedef {import("./protocol.js").ClientMessage} ClientMessage */
/** @typedef {import("./protocol.js").GameEvent} GameEvent */
/** @typedef {import("./protocol.js").Move} Move */
/** @typedef {import("./protocol.js").ServerMessage} ServerMessage */
/** @typedef {import("./protocol.js").TableState} TableState */

export const RESEND_AFTER_MS = 2500;
/** An acknowledgement comes before its event; only after this time is it worth asking. */
const ASK_AFTER_ACK_MS = 1000;
const GIVE_UP_AFTER_MS = 8000;

/**
 * @typedef {object} Pending
 * @property {string} id
 * @property {number} v
 * @property {Move} move
 * @property {number} sentAt
 * @property {boolean} resent
 * @property {number | null} ackedV
 * @property {number | null} ackedAt
 */

/**
 * @typedef {object} Received
 * @property {boolean} changed
 * @property {boolean} snapped A snapshot replaced the state.
 * @property {boolean} caughtUp The events happened while this page was away.
 * @property {GameEvent[]} events
 * @property {{code: string, message: string} | null} refusal
 * @property {ClientMessage[]} send
 */

/** @returns {Received} */
const nothing = () => ({
  changed: false,
  snapped: false,
  caughtUp: false,
  events: [],
  refusal: null,
  send: [],
});

export class Sync {
  /** @param {{epoch: string, v: number, state: TableState}} first */
  constructor({ epoch, v, state }) {
    this.epoch = epoch;
    this.v = v;
    this.state = state;
    /** Whether the server has answered the last hello. */
    this.synced = false;
    /** Whether it has answered one before: later changes were missed, and not just loading. */
    this.wasThere = false;
    /** When the unanswered hello was sent. @type {number | null} */
    this.askedAt = null;
    /** @type {Pending | null} */
    this.pending = null;
  }

  /**
   * @param {number} now
   * @returns {ClientMessage[]}
   */
  opened(now) {
    this.askedAt = null;
    const send = this.#ask(now);
    if (this.pending !== null) send.push(this.#actMessage(this.pending));
    return send;
  }

  closed() {
    this.synced = false;
    this.askedAt = null;
  }

  get ready() {
    return this.synced && this.pending === null;
  }

  /**
   * @param {Move} move
   * @param {string} id
   * @param {number} now
   * @returns {ClientMessage[]}
   */
  act(move, id, now) {
    if (!this.ready) return [];
    this.pending = { id, v: this.v, move, sentAt: now, resent: false, ackedV: null, ackedAt: null };
    return [this.#actMessage(this.pending)];
  }

  /**
   * @param {number} now
   * @returns {ClientMessage[]}
   */
  tick(now) {
    const { pending } = this;
    if (this.askedAt !== null) {
      return now - this.askedAt >= RESEND_AFTER_MS ? this.#ask(now) : [];
    }
    if (pending === null || !this.synced) return [];
    if (pending.ackedAt !== null) {
      return now - pending.ackedAt > ASK_AFTER_ACK_MS ? this.#ask(now) : [];
    }
    if (now - pending.sentAt > GIVE_UP_AFTER_MS) {
      this.pending = null;
      return this.#ask(now);
    }
    if (pending.resent || now - pending.sentAt < RESEND_AFTER_MS) return [];
    pending.resent = true;
    return [this.#actMessage(pending)];
  }

  /**
   * @param {ServerMessage} message
   * @param {number} now
   * @returns {Received}
   */
  receive(message, now) {
    switch (message.type) {
      case "snap":
        return this.#snap(message);
      case "ev":
        return this.#changes(message.changes, now);
      case "ack":
        return this.#acked(message, now);
      case "rej":
        return this.#refused(message);
      default:
        return nothing();
    }
  }

  /** @param {import("./protocol.js").Snap} message */
  #snap({ epoch, v, state }) {
    const caughtUp = this.#isAway && epoch === this.epoch && v > this.v;
    this.epoch = epoch;
    this.v = v;
    this.state = state;
    this.#answered();
    this.#settlePending();
    return { ...nothing(), changed: true, snapped: true, caughtUp };
  }

  /**
   * @param {Change[]} changes
   * @param {number} now
   * @returns {Received}
   */
  #changes(changes, now) {
    const caughtUp = this.#isAway;
    /** @type {GameEvent[]} */
    const events = [];
    let isGap = false;
    for (const change of changes) {
      if (change.v <= this.v) continue;
      if (change.v > this.v + 1) {
        isGap = true;
        break;
      }
      this.state = applyChange(this.state, change);
      this.v = change.v;
      events.push(...change.events.map((event) => this.#placed(event)));
    }
    if (isGap) {
      const send = this.askedAt === null ? this.#ask(now) : [];
      return { ...nothing(), changed: events.length > 0, events, caughtUp, send };
    }
    this.#answered();
    this.#settlePending();
    return { ...nothing(), changed: true, events, caughtUp: caughtUp && events.length > 0 };
  }

  /**
   * The end of a deal names the deal; a later change may belong to another one.
   *
   * @param {GameEvent} event
   * @returns {GameEvent}
   */
  #placed(event) {
    if (event.kind !== "deal_over") return event;
    return { ...event, deal: this.state.game?.deal, match: this.state.table.match };
  }

  /**
   * @param {{id: string, v: number}} message
   * @param {number} now
   */
  #acked({ id, v }, now) {
    if (this.pending?.id === id) {
      this.pending.ackedV = v;
      this.pending.ackedAt = now;
      this.#settlePending();
    }
    return { ...nothing(), changed: true };
  }

  /** @param {{id: string, code: string, message: string}} message */
  #refused({ id, code, message }) {
    if (this.pending?.id !== id) return nothing();
    this.pending = null;
    return { ...nothing(), changed: true, refusal: { code, message } };
  }

  /** A move is done when it is acknowledged and its event is here. */
  #settlePending() {
    const acked = this.pending?.ackedV ?? null;
    if (acked !== null && this.v >= acked) this.pending = null;
  }

  get #isAway() {
    return this.askedAt !== null && this.wasThere;
  }

  #answered() {
    this.askedAt = null;
    this.synced = true;
    this.wasThere = true;
  }

  /**
   * @param {number} now
   * @returns {ClientMessage[]}
   */
  #ask(now) {
    this.askedAt = now;
    this.synced = false;
    return [{ type: "hello", epoch: this.epoch, v: this.v }];
  }

  /**
   * @param {Pending} pending
   * @returns {ClientMessage}
   */
  #actMessage({ id, v, move }) {
    return { type: "act", id, v, move };
  }
}
