// The server's messages on a table's page: shown for a moment, errors until they are closed.

import { find } from "./lib/dom.js";
import { freePlace } from "./table/core/free.js";

const SHOWN_MS = 5_000;

const all = find('[data-region="messages"]');

/** On a phone in landscape the cards need the row: then the message uses free space. */
function lift() {
  all.classList.add("messages--lifted");
  const felt = find('[data-region="felt"]').getBoundingClientRect();
  const taken = document.querySelectorAll(".table :is(a, button, .seat, .pile, .card, .notice)");
  const others = [...taken].filter((part) => !all.contains(part));
  const boxes = others.map((part) => part.getBoundingClientRect());
  const place = freePlace(all.getBoundingClientRect(), felt, boxes);
  if (place === null) {
    all.classList.remove("messages--lifted");
    return;
  }
  all.style.left = `${place.left}px`;
  all.style.top = `${place.top}px`;
}

for (const message of all.querySelectorAll(".message")) {
  message.querySelector("button")?.addEventListener("click", () => message.remove());
  if (!message.matches(".message--error")) setTimeout(() => message.remove(), SHOWN_MS);
}
if (matchMedia("(max-height: 30rem)").matches) lift();
