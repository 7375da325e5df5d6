// A socket that only listens: it comes back by itself, and asks now and then whether something was
// missed. What it says is a hint; the page asks the server for what is true.

const PING_MS = 25_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** Signed out, not allowed here, no such thing: trying again is no use. */
const FINAL_CODES = new Set([4401, 4403, 4404]);

/**
 * The object with a `type` that a frame holds; null for anything else.
 *
 * @param {unknown} data
 * @returns {{type: string} & Record<string, unknown> | null}
 */
export function readNotice(data) {
  if (typeof data !== "string") return null;
  try {
    const message = JSON.parse(data);
    return typeof message?.type === "string" ? message : null;
  } catch {
    return null;
  }
}

/**
 * How long to wait before the next try, in milliseconds.
 *
 * @param {number} failures
 * @param {number} chance From 0 to 1, so that not everybody comes back at one moment.
 */
export function pauseAfter(failures, chance) {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures) * (0.6 + chance * 0.8);
}

/**
 * @param {string} path
 * @param {(message: {type: string} & Record<string, unknown>) => void} heard
 */
export function listen(path, heard) {
  const url = new URL(path, location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  /** @type {WebSocket | null} */
  let socket = null;
  let failures = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let retry = undefined;

  function open() {
    clearTimeout(retry);
    const opened = new WebSocket(url);
    socket = opened;
    opened.addEventListener("message", (event) => {
      failures = 0;
      const message = readNotice(event.data);
      if (message !== null) heard(message);
    });
    opened.addEventListener("close", (event) => {
      if (socket !== opened) return;
      socket = null;
      if (FINAL_CODES.has(event.code)) return;
      retry = setTimeout(open, pauseAfter(failures, Math.random()));
      failures += 1;
    });
  }

  setInterval(() => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type: "ping" }));
  }, PING_MS);
  // An open socket would keep the page out of the back/forward cache.
  addEventListener("pagehide", () => {
    const old = socket;
    socket = null;
    clearTimeout(retry);
    old?.close();
  });
  addEventListener("pageshow", (event) => {
    if (event.persisted && socket === null) open();
  });
  open();
}
