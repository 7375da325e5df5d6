// The invitation to a private table is passed on: by the device's own sheet, as text, as a code that
// a camera reads, to friends in one press. The sheet says who is there, and has what a host does.

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
    // Without the network the link and its code are there all the same.
  }
}

if (canPassOn && share !== undefined) {
  share.hidden = false;
  share.addEventListener("click", () => void passOn(url, document.title));
}
copy?.addEventListener("click", async () => {
  // There it stands to be copied by hand.
  if (!(await copyLink(copy, url))) await showCompany();
});
company?.addEventListener("click", showCompany);
find('[data-invite="code"]', people).addEventListener("click", () => {
  people?.close();
  picture?.showModal();
});
