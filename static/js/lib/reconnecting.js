// One WebSocket that comes back by itself, with growing pauses between tries. What it says and when
// a page wakes it is for those who use it: lib/live.js and table/io/socket.js.

/** Signed out, not allowed here, no such thing, played on elsewhere: trying again is no use. */
const FINAL_CODES = new Set([4401, 4403, 4404, 4410]);

/**
 * @typedef {object} Pace
 * @property {number} firstPauseMs Before the first try to come back.
 * @property {number} longestPauseMs
 * @property {number} pingMs Between two pings of an open socket.
 * @property {number} deadAfterMs Without a word for so long the connection is dead.
 */

/**
 * @typedef {object} Owner
 * @property {() => object} ping The message of a ping.
 * @property {(data: unknown) => void} heard A frame came.
 * @property {() => void} [opening] A try begins.
 * @property {() => void} [opened]
 * @property {() => void} [dropped] There is no socket any more.
 * @property {() => void} [retrying] It tries again after a pause.
 * @property {() => void} [ended] It does not come back.
 */

/**
 * How long to wait before the next try, in milliseconds.
 *
 * @param {Pace} pace
 * @param {number} failures
 * @param {number} random From 0 to 1: not everybody comes back at the same moment.
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

  /** There is a socket, open or on its way. */
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

  /** Lets go of the socket, which may be dead, and opens another one at once. */
  renew() {
    this.#drop();
    this.failures = 0;
    this.open();
  }

  /** A browser may take minutes to notice a dead connection; an unanswered ping shows it at once. */
  beat() {
    if (Date.now() - this.#heardAt > this.pace.deadAfterMs) {
      this.#drop();
      this.#retryLater();
      return;
    }
    this.ping();
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

  /** Lets go of the socket without waiting for it. */
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
