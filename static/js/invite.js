// The invitation to a private table is passed on: by the device's own sheet, as text, as a code that
// a camera reads, to friends in one press. The sheet says who is there, and has what a host does.

import { dialogNamed } from "./lib/dialog.js";
import { find, setText } from "./lib/dom.js";

const DONE_MS = 3_000;

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

async function passOn() {
  try {
    await navigator.share({ title: document.title, url });
  } catch {
    // Thought better of it.
  }
}

async function copyLink() {
  if (copy === undefined) return;
  try {
    await navigator.clipboard.writeText(url);
  } catch {
    // Not allowed, or no such thing on an address without TLS: there it stands to be copied by hand.
    await showCompany();
    return;
  }
  const words = copy.textContent ?? "";
  if (words === copy.dataset.done) return;
  setText(copy, copy.dataset.done ?? "");
  setTimeout(() => setText(copy, words), DONE_MS);
}

if ("share" in navigator && share !== undefined) {
  share.hidden = false;
  share.addEventListener("click", passOn);
}
copy?.addEventListener("click", copyLink);
company?.addEventListener("click", showCompany);
find('[data-invite="code"]', people).addEventListener("click", () => {
  people?.close();
  picture?.showModal();
});
