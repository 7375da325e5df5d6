// The page's reaction when a table is ready for its player.

/**
 * `go`: open the table at once; `show`: a bar with a link, for a player who plays elsewhere or has left the
 * table before; `stay`: the page is this table.
 *
 * @param {{path: string, url: string, taken: boolean}} where `taken`: this browser has gone there
 * before automatically.
 * @returns {"go" | "show" | "stay"}
 */
export function answerTo({ path, url, taken }) {
  if (path === url) return "stay";
  return taken || /^\/tables\/\d+\/$/.test(path) ? "show" : "go";
}
