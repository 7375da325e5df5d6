// The signed-in player's news on every page: takes one of their tabs to their table when a round begins, and
// updates their tables and balance. A table's page gets the news over its own socket.

import { listen } from "./lib/live.js";
import { answerTo, claimOf, noteClaim, showTable, takeTable } from "./lib/ready.js";
import { refreshParts } from "./lib/refresh.js";
import { showBalance } from "./wallet/balance.js";
import { isolated } from "./table/core/isolated.js";

// A decision about the player was made: pages that show it refresh.
const DECIDED = new Set([
  "achievement",
  "withdrawal",
  "identity",
  "invitation",
  "slow_games",
  "friend_came",
  "club",
  "silence",
]);
/** After a server's failure all pages reconnect at once. Each asks within this time. */
const CATCH_UP_MS = 5_000;
/** The longest time that a timer takes; whoever stays longer reloads the page. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** Time for the window that has the focus to take the table first. */
const UNFOCUSED_PAUSE_MS = 400;
/** Pongs in a row without a call, after which the table no longer waits. */
const QUIET_PONGS = 2;

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
    .replace("{name}", String(isolated("", message.sender)))
    .replace("{table}", String(isolated("", message.name)));
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

let quietPongs = 0;

/** Whether something typed on this page would be lost by leaving it. */
function isWriting() {
  const fields = /** @type {NodeListOf<HTMLInputElement | HTMLTextAreaElement>} */ (
    document.querySelectorAll("textarea, input:not([type=hidden], [type=checkbox], [type=radio])")
  );
  return [...fields].some((field) => field.value !== field.defaultValue);
}

/**
 * One tab goes to a tournament's table, once: the visible one, if no tab shows the table and nothing typed would be lost.
 *
 * @param {string} url
 * @param {Record<string, unknown>} message
 */
async function called(url, message) {
  const answer = () =>
    answerTo({
      path: location.pathname,
      url,
      isVisible: document.visibilityState === "visible",
      isConnected: message.connected === true,
      claim: claimOf(url),
      now: Date.now(),
    });
  let decided = answer();
  if (decided === "go" && !document.hasFocus()) {
    await new Promise((resolve) => setTimeout(resolve, UNFOCUSED_PAUSE_MS));
    decided = answer();
  }
  if (decided === "stay") {
    if (claimOf(url)?.arrived !== true) noteClaim(url, { arrived: true, now: Date.now() });
    return;
  }
  const mayGo = decided === "go" && !isWriting() && (await takeTable(url));
  if (mayGo && noteClaim(url, { arrived: false, now: Date.now() })) location.assign(url);
  else show(url, typeof message.name === "string" ? message.name : "");
}

/** The bar goes when nothing waits any more. @param {boolean} isCalled */
function followCalls(isCalled) {
  quietPongs = isCalled ? 0 : quietPongs + 1;
  const bar = document.querySelector('[data-region="ready"]');
  if (quietPongs >= QUIET_PONGS && bar instanceof HTMLElement) bar.hidden = true;
}

/** A silence that runs out while its page is open: the server is asked whether it is over. */
function followSilence() {
  const notice = document.querySelector("[data-ends-in]");
  if (!(notice instanceof HTMLElement)) return;
  const left = (Number(notice.dataset.endsIn) + 1) * 1000;
  if (left < LONGEST_TIMER_MS) setTimeout(() => void refreshParts("silence").then(followSilence), left);
  delete notice.dataset.endsIn;
}

/** @param {{type: string} & Record<string, unknown>} message */
function heard(message) {
  const { type, url, name } = message;
  if (type === "balance") showBalance(message);
  if (type === "tables") void showTables(message);
  if (DECIDED.has(type)) void refreshParts(type).then(followSilence);
  if (type === "pong") followCalls(false);
  if (typeof url !== "string" || !url.startsWith("/tables/")) return;
  if (type === "invitation" && location.pathname !== url.split("?")[0]) showInvitation(url, message);
  if (type === "chair" || type === "table_ready") followCalls(true);
  // A free chair is kept for a moment: no reason to interrupt a game.
  if (type === "chair" && location.pathname !== url) show(url, typeof name === "string" ? name : "");
  if (type === "table_ready") void called(url, message);
}

/** Decisions may have been made while there was no connection. The field of a chat keeps what is typed in it. */
function catchUp() {
  const kinds = [...DECIDED].filter((kind) => kind !== "silence");
  setTimeout(() => void refreshParts(...kinds), Math.random() * CATCH_UP_MS);
}

function listenHere() {
  listen("/ws/me/", heard, catchUp);
}

followSilence();
if (document.querySelector('[data-region="table"][data-socket]') === null) {
  listenHere();
} else {
  showTable(location.pathname);
  document.addEventListener("oneself", (event) => {
    const message = event instanceof CustomEvent ? event.detail : null;
    // The table continues in another tab, and this page is still open.
    if (message?.type === "ended") listenHere();
    else if (message !== null) heard(message);
  });
}
