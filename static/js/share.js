// Buttons that share the address of a replay, a result, a puzzle or a tournament, or the invitation to a club.

import { find, setText } from "./lib/dom.js";
import { canPassOn, copyLink, offerInvitation, onInvitation, passOn } from "./lib/sharing.js";

for (const row of document.querySelectorAll("[data-share]")) {
  if (!(row instanceof HTMLElement)) continue;
  const url = row.dataset.share || location.origin + location.pathname;
  const button = find('[data-part="pass-on"]', row);
  const copy = find('[data-part="copy"]', row);
  const address = find('[data-part="address"]', row);
  button.hidden = !canPassOn;
  copy.hidden = false;
  button.addEventListener("click", () => void passOn(url, row.dataset.title ?? ""));
  copy.addEventListener("click", async () => {
    // It is shown there, to be copied by hand.
    setText(address, url);
    address.hidden = await copyLink(copy, url);
  });
}

for (const part of document.querySelectorAll("[data-invitation]")) {
  if (!(part instanceof HTMLElement)) continue;
  offerInvitation(part);
  onInvitation(part, () => part.querySelector(".entrance__link")?.getAttribute("href") ?? "");
}
