// At a tournament's table: the status of its round, fetched whenever it is opened; and, below the match's
// result, its meaning for the tournament.

import { find, setText } from "./lib/dom.js";

// The place is usually final within seconds, but other tables of the round may play on for long.
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 10_000;
const card = find('[data-region="event"]');
const result = find('[data-region="result"]');
const outcome = find('[data-region="result-event"]');

/** The card's content, or null if it cannot be fetched now. @returns {Promise<HTMLElement | null>} */
async function ask() {
  try {
    const answer = await fetch(card.dataset.source ?? "", { headers: { Accept: "text/html" } });
    if (!answer.ok || answer.redirected) return null;
    return new DOMParser().parseFromString(await answer.text(), "text/html").body;
  } catch {
    // The link to the tournament's page is already shown.
    return null;
  }
}

async function show() {
  const part = await ask();
  if (part !== null) card.replaceChildren(...part.children);
}

card.addEventListener("toggle", (event) => {
  if (event instanceof ToggleEvent && event.newState === "open") void show();
});

let isFollowed = false;

/**
 * Until the place is final, while the result of this table's only match is open.
 *
 * @param {number} [pauseMs] Until it is asked again.
 */
async function follow(pauseMs = FIRST_PAUSE_MS) {
  isFollowed = !result.hidden;
  if (!isFollowed) return;
  const part = await ask();
  const told = part?.querySelector('[data-part="outcome"], [data-region="own-result"]');
  if (told != null) setText(outcome, (told.textContent ?? "").replace(/\s+/g, " ").trim());
  if (told instanceof HTMLElement && told.dataset.final === "yes") return;
  setTimeout(() => void follow(Math.min(2 * pauseMs, LONGEST_PAUSE_MS)), pauseMs);
}

new MutationObserver(() => {
  const isOver = find('[data-region="table"]').dataset.phase === "over";
  if (isOver && !result.hidden && !isFollowed) void follow();
}).observe(result, { attributeFilter: ["hidden"] });
