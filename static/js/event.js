// At a table of a tournament: how its round stands, asked for whenever it is opened.

import { find } from "./lib/dom.js";

const card = find('[data-region="event"]');

async function show() {
  try {
    const answer = await fetch(card.dataset.source ?? "", { headers: { Accept: "text/html" } });
    if (!answer.ok || answer.redirected) return;
    const part = new DOMParser().parseFromString(await answer.text(), "text/html");
    card.replaceChildren(...part.body.children);
  } catch {
    // The link to the tournament's page is there already.
  }
}

card.addEventListener("toggle", (event) => {
  if (event instanceof ToggleEvent && event.newState === "open") void show();
});
