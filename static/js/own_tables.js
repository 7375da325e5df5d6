// The player's tables: a list in the lobby, a bar on other pages, tabs at a table. The server renders the
// list; the others are built from its messages.

import { clockText, remaining } from "./table/core/clock.js";
import { localNow } from "./lib/local_now.js";
import { find, make, setAttribute, setText } from "./lib/dom.js";
import { refreshParts } from "./lib/refresh.js";

/**
 * @typedef {object} OwnTable A table in `/ws/me/` (docs/protocol.md).
 * @property {number} id
 * @property {string} name
 * @property {string} url
 * @property {string} state
 * @property {string} player
 * @property {number | null} due_at
 * @property {number | null} deadline
 * @property {number} length_ms
 */

const TICK_MS = 250;

/** @type {readonly OwnTable[]} */
let shown = [];
/** Server time less local time. */
let offset = 0;
/** @type {ReturnType<typeof setInterval> | undefined} */
let timer = undefined;

/**
 * @param {HTMLElement} root
 * @param {unknown} message Of the type `tables`.
 */
export async function showOwnTables(root, message) {
  const { now, tables } = /** @type {{now: number, tables: OwnTable[]}} */ (message);
  const before = shown;
  shown = tables.filter((table) => isListed(table, root.dataset.as));
  if (shown.length > 0) {
    offset = now - localNow();
    await loadSheet(root);
  }
  await draw(root);
  const called = shown.find((table) => calls(table, before));
  if (called !== undefined) call(root, called);
  timer ??= setInterval(() => tick(root), TICK_MS);
  tick(root);
}

/**
 * Whether it is the player's turn, or somebody has come to a table where nobody else was.
 *
 * @param {OwnTable} table
 * @param {readonly OwnTable[]} before
 */
export function calls({ id, state }, before) {
  const old = before.find((one) => one.id === id)?.state;
  return state === "own_turn" ? old !== state : old === "waiting" && state === "pause";
}

/**
 * A table at which the player does not sit is listed in the lobby, and follows them over no other page.
 *
 * @param {OwnTable} table
 * @param {string | undefined} as
 */
export const isListed = ({ state }, as) => as !== "bar" || state !== "opened";

/** Its stylesheet, if the page has not loaded it. @param {HTMLElement} root */
function loadSheet(root) {
  const { sheet } = root.dataset;
  if (sheet === undefined) return undefined;
  delete root.dataset.sheet;
  const link = make("link", { rel: "stylesheet", href: sheet });
  return new Promise((resolve) => {
    link.addEventListener("load", resolve);
    link.addEventListener("error", resolve);
    document.head.append(link);
  });
}

/** @param {HTMLElement} root */
async function draw(root) {
  const ids = shown.map(({ id }) => String(id)).join();
  if (root.dataset.ids !== ids) {
    if (root.dataset.refreshOn !== undefined) {
      // Another list has replaced it.
      await refreshParts("tables");
      return;
    }
    root.dataset.ids = ids;
    find("ul", root).replaceChildren(...shown.map(row));
  }
  root.hidden = shown.length === 0;
}

/** @param {OwnTable} table */
const row = ({ id, name, url }) =>
  make(
    "li",
    { class: "own-table", "data-own-table": id },
    make(
      "a",
      { class: "own-table__link", href: url },
      make("span", { class: "own-table__ring", "aria-hidden": "true" }),
      make(
        "span",
        { class: "own-table__text" },
        make("span", { class: "own-table__name" }, name),
        " ",
        make("span", { class: "own-table__state" }),
      ),
      " ",
      make("span", { class: "own-table__clock", "aria-hidden": "true" }),
    ),
  );

/**
 * @param {HTMLElement} root
 * @param {OwnTable} table
 */
function call(root, { name, state }) {
  const words = `${root.dataset[state]} · ${name}`;
  setText(find('[data-part="called"]', root), words);
  document.dispatchEvent(new CustomEvent("turn-elsewhere"));
}

/** @param {HTMLElement} old */
function tick(old) {
  // The lobby's list may have been rendered again.
  const root = old.isConnected ? old : document.querySelector('[data-region="own-tables"]');
  if (!(root instanceof HTMLElement)) return;
  for (const table of shown) {
    const element = root.querySelector(`[data-own-table="${table.id}"]`);
    if (!(element instanceof HTMLElement)) continue;
    element.dataset.state = table.state;
    const words = root.dataset[table.state] ?? "";
    setText(find(".own-table__state", element), words.replace("{name}", table.player));
    const left = remaining(/** @type {any} */ (table), table.length_ms, localNow() + offset);
    const clock = find(".own-table__clock", element);
    setText(clock, left === null ? "" : clockText(left.ms));
    setAttribute(element, "data-part", left?.part);
    element.style.setProperty("--left", (left?.share ?? 0).toFixed(3));
  }
  markTitle(root);
}

const plainTitle = globalThis.document?.title ?? "";

/** A table's page has its own indicator. @param {HTMLElement} root */
function markTitle(root) {
  if (root.dataset.as === "tabs") return;
  const isOwn = shown.some(({ state }) => state === "own_turn");
  const title = isOwn ? `● ${root.dataset.own_turn} · ${plainTitle}` : plainTitle;
  if (document.title !== title) document.title = title;
}
