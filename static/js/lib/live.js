// A read-only socket. Its messages are hints; the page asks the server for the facts.

import { Reconnecting } from "./reconnecting.js";

const PACE = {
  firstPauseMs: 1_000,
  longestPauseMs: 30_000,
  // The response contains everything current, so a lost hint costs seconds.
  pingMs: 25_000,
  // A dead mobile connection stays unnoticed for a quarter of an hour. Hidden tabs ping only once a minute.
  deadAfterMs: 150_000,
};

/**
 * The object with a `type` in a frame; null for anything else.
 *
 * @param {unknown} data
 * @returns {{type: string} & Record<string, unknown> | null}
 */
export function readHint(data) {
  if (typeof data !== "string") return null;
  try {
    const message = JSON.parse(data);
    return typeof message?.type === "string" ? message : null;
  } catch {
    return null;
  }
}

/**
 * @param {string} path
 * @param {(message: {type: string} & Record<string, unknown>) => void} heard
 * @param {() => void} [reopened] The socket is open again after a time in which hints were lost.
 */
export function listen(path, heard, reopened) {
  let wasOpen = false;
  const socket = new Reconnecting(path, PACE, {
    ping: () => ({ type: "ping" }),
    opened: () => {
      if (wasOpen) reopened?.();
      wasOpen = true;
    },
    heard: (data) => {
      const message = readHint(data);
      if (message !== null) heard(message);
    },
  });
  socket.start();
}
