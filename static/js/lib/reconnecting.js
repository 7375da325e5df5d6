// A WebSocket that reconnects with growing pauses. Its users, lib/live.js and table/io/socket.js, provide
// the messages and the reasons to retry at once.

/** Signed out, not permitted, not found, played elsewhere: reconnecting is useless. */
const FINAL_CODES = new Set([4401, 4403, 4404, 4410]);

/**
 * @typedef {object} Pace
 * @property {number} firstPauseMs Before the first attempt to reconnect.
 * @property {number} longestPauseMs
 * @property {number} pingMs Between two pings of an open socket.
 * @property {number} deadAfterMs After this much silence the connection counts as dead.
 */

/**
 * @typedef {object} Owner
 * @property {() => object} ping The message of a ping.
 * @property {(data: unknown) => void} heard A frame arrived.
 * @property {() => void} [opening] An attempt begins.
 * @property {() => void} [opened]
 * @property {() => void} [dropped] The socket is gone.
 * @property {() => void} [retrying] It retries after a pause.
 * @property {() => void} [ended] It will not reconnect.
 */

/**
 * The pause before the next attempt, in milliseconds.
 *
 * @param {Pace} pace
 * @param {number} failures
 * @param {number} random From 0 to 1, so that clients do not all reconnect at the same moment.
 */
export function pauseAfter(pace, failures, random) {
  return Math.min(pace.longestPauseMs, pace.firstPauseMs * 2 ** failures) * (0.6 + random * 0.8);
}

export class Reconnecting {
  /** @type {WebSocket | null} */
  #socket = null;
  #heardAt = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #retryTimer;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #pingTimer;

  /**
   * @param {string} path
   * @param {Pace} pace
   * @param {Owner} owner
   */
  constructor(path, pace, owner) {
    const url = new URL(path, location.href);
    url.protocol = url.protocol.replace("http", "ws");
    this.url = url;
    this.pace = pace;
    this.owner = owner;
    this.failures = 0;
    this.isFinal = false;
    // An open socket would keep the page out of the back/forward cache.
    addEventListener("pagehide", () => this.#drop());
  }

  get isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** Whether there is a socket, open or opening. */
  get isHeld() {
    return this.#socket !== null;
  }

  /** @param {object} message */
  send(message) {
    if (this.isOpen) this.#socket?.send(JSON.stringify(message));
    return this.isOpen;
  }

  ping() {
    this.send(this.owner.ping());
  }

  /** Opens the socket, and again at once when the page is shown again. */
  start() {
    addEventListener("pageshow", (event) => event.persisted && this.#wake());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.#wake();
    });
    this.open();
  }

  open() {
    clearTimeout(this.#retryTimer);
    this.owner.opening?.();
    const socket = new WebSocket(this.url);
    this.#socket = socket;
    this.#heardAt = Date.now();
    socket.addEventListener("open", () => socket === this.#socket && this.#opened());
    socket.addEventListener("message", (event) => socket === this.#socket && this.#heard(event.data));
    socket.addEventListener("close", (event) => socket === this.#socket && this.#closed(event.code));
    clearInterval(this.#pingTimer);
    this.#pingTimer = setInterval(() => this.beat(), this.pace.pingMs);
  }

  /** Drops the socket, which may be dead, and opens another one at once. */
  renew() {
    this.#drop();
    this.failures = 0;
    this.open();
  }

  /** A browser may take minutes to notice a dead connection; an unanswered ping reveals it at once. */
  beat() {
    if (Date.now() - this.#heardAt > this.pace.deadAfterMs) {
      this.#drop();
      this.#retryLater();
      return;
    }
    this.ping();
  }

  /** A lost socket need not wait for its next try, and a dead one is noticed. */
  #wake() {
    if (this.isFinal) return;
    if (!this.isHeld) this.open();
    else if (this.isOpen) this.beat();
  }

  #opened() {
    this.#heardAt = Date.now();
    this.owner.opened?.();
  }

  /** @param {unknown} data */
  #heard(data) {
    this.#heardAt = Date.now();
    this.failures = 0;
    this.owner.heard(data);
  }

  /** @param {number} code */
  #closed(code) {
    this.#drop();
    this.isFinal = FINAL_CODES.has(code);
    if (this.isFinal) this.owner.ended?.();
    else this.#retryLater();
  }

  /** Drops the socket without waiting for it to close. */
  #drop() {
    const old = this.#socket;
    this.#socket = null;
    clearTimeout(this.#retryTimer);
    clearInterval(this.#pingTimer);
    if (old === null) return;
    old.close();
    this.owner.dropped?.();
  }

  #retryLater() {
    this.owner.retrying?.();
    const pause = pauseAfter(this.pace, this.failures, Math.random());
    this.failures += 1;
    clearTimeout(this.#retryTimer);
    this.#retryTimer = setTimeout(() => this.open(), pause);
  }
}
