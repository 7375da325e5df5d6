// Passes on the invitation to a private table: by the device's share sheet, as text, as a QR code, or to
// friends. The sheet also lists the people there, and the host's actions.

import { dialogNamed } from "./lib/dialog.js";
import { find } from "./lib/dom.js";
import { canPassOn, copyLink, passOn } from "./lib/sharing.js";

const row = find('[data-region="invite"]');
const url = row.dataset.link ?? "";
const [share, copy, company] = ["share", "copy", "company"].map((name) => find(`[data-invite="${name}"]`, row));
const [people, picture] = ["company", "invite"].map(dialogNamed);

async function showCompany() {
  people?.showModal();
  const part = find('[data-part="company"]', people);
  try {
    const answer = await fetch(row.dataset.company ?? "");
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    part.replaceChildren(...page.body.childNodes);
  } catch {
    // Without a network the link and its code are shown all the same.
  }
}

if (canPassOn && share !== undefined) {
  share.hidden = false;
  share.addEventListener("click", () => void passOn(url, document.title));
}
copy?.addEventListener("click", async () => {
  // It is shown there, to be copied by hand.
  if (!(await copyLink(copy, url))) await showCompany();
});
company?.addEventListener("click", showCompany);
find('[data-invite="code"]', people).addEventListener("click", () => {
  people?.close();
  picture?.showModal();
});
