// The signed-in player's news on every page: takes them to their table when a round begins, and updates
// their tables and balance. A table's page gets the news over its own socket.

import { listen } from "./lib/live.js";
import { answerTo } from "./lib/ready.js";
import { refreshParts } from "./lib/refresh.js";
import { showBalance } from "./wallet/balance.js";

// A decision about the player was made: pages that show it refresh.
const DECIDED = new Set([
  "achievement",
  "withdrawal",
  "identity",
  "invitation",
  "slow_games",
  "friend_came",
  "club",
]);
const TAKEN = "openrummy.taken";

/** The last table that this browser has opened automatically. */
function lastTaken() {
  try {
    return sessionStorage.getItem(TAKEN);
  } catch {
    return null;
  }
}

/** @param {string} url */
function remember(url) {
  try {
    sessionStorage.setItem(TAKEN, url);
  } catch {
    // Without storage the bar does it.
  }
  return lastTaken() === url;
}

/**
 * @param {string} url
 * @param {string} name
 */
function show(url, name) {
  const bar = document.querySelector('[data-region="ready"]');
  const link = bar?.querySelector("a");
  const title = bar?.querySelector('[data-part="name"]');
  if (!(bar instanceof HTMLElement) || !link || !title) return;
  link.href = url;
  title.textContent = name;
  bar.hidden = false;
}

/**
 * A friend invites: a page that lists invitations shows it there, others over their content.
 *
 * @param {string} url
 * @param {Record<string, unknown>} message
 */
function showInvitation(url, message) {
  const bar = document.querySelector('[data-region="invited"]');
  const link = bar?.querySelector("a");
  const text = bar?.querySelector("p");
  if (!(bar instanceof HTMLElement) || !link || !text) return;
  if (document.querySelector('[data-refresh-on="invitation"]') !== null) return;
  link.href = url;
  text.textContent = (text.dataset.text ?? "")
    .replace("{name}", String(message.sender))
    .replace("{table}", String(message.name));
  bar.hidden = false;
  bar.querySelector("button")?.addEventListener("click", () => (bar.hidden = true), { once: true });
}

/**
 * Most pages have none to show, and need not load the module for it.
 *
 * @param {Record<string, unknown>} message
 */
async function showTables(message) {
  const root = document.querySelector('[data-region="own-tables"]');
  if (!(root instanceof HTMLElement)) return;
  if (!root.dataset.ids && !(/** @type {unknown[]} */ (message.tables).length)) return;
  const { showOwnTables } = await import("./own_tables.js");
  await showOwnTables(root, message);
}

/** @param {{type: string} & Record<string, unknown>} message */
function heard(message) {
  const { type, url, name } = message;
  if (type === "balance") showBalance(message);
  if (type === "tables") void showTables(message);
  if (DECIDED.has(type)) void refreshParts(type);
  if (typeof url !== "string" || !url.startsWith("/tables/")) return;
  if (type === "invitation" && location.pathname !== url.split("?")[0]) showInvitation(url, message);
  // A free chair is kept for a moment: no reason to interrupt a game.
  if (type === "chair" && location.pathname !== url) show(url, typeof name === "string" ? name : "");
  if (type !== "table_ready") return;
  const answer = answerTo({ path: location.pathname, url, taken: lastTaken() === url });
  if (answer === "stay") remember(url);
  else if (answer === "go" && remember(url)) location.assign(url);
  else show(url, typeof name === "string" ? name : "");
}

if (document.querySelector('[data-region="table"][data-socket]') === null) {
  listen("/ws/me/", heard);
} else {
  document.addEventListener("oneself", (event) => {
    const message = event instanceof CustomEvent ? event.detail : null;
    // The table continues in another tab, and this page is still open.
    if (message?.type === "ended") listen("/ws/me/", heard);
    else if (message !== null) heard(message);
  });
}
