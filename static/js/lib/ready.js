// What a page does when a table is ready for its player.

/**
 * `go`: to the table at once; `show`: a bar with a link, for who plays elsewhere or has been
 * there and left; `stay`: this is the table.
 *
 * @param {{path: string, url: string, taken: boolean}} where `taken`: this browser has gone there
 *   by itself before.
 * @returns {"go" | "show" | "stay"}
 */
export function answerTo({ path, url, taken }) {
  if (path === url) return "stay";
  return taken || /^\/tables\/\d+\/$/.test(path) ? "show" : "go";
}
