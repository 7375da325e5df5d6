// The page's storage, which survives a reload.

/**
 * @typedef {object} Memory
 * @property {() => unknown} read
 * @property {(value: unknown) => void} write
 */

/**
 * @param {string} key
 * @returns {Memory}
 */
export function sessionMemory(key) {
  return {
    read() {
      try {
        return JSON.parse(sessionStorage.getItem(key) ?? "null");
      } catch {
        return null;
      }
    },
    write(value) {
      try {
        sessionStorage.setItem(key, JSON.stringify(value));
      } catch {
        // Storage may be forbidden or full; the page works without it.
      }
    },
  };
}
