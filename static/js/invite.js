// The invitation to a private table is passed on: by the device's own sheet, as text, as a code that
// a camera reads.

import { dialogNamed } from "./lib/dialog.js";
import { find, setText } from "./lib/dom.js";

const DONE_MS = 3_000;

const row = find('[data-region="invite"]');
const url = row.dataset.link ?? "";
const [share, copy, code] = ["share", "copy", "code"].map((name) => find(`[data-invite="${name}"]`, row));
const dialog = dialogNamed("invite");

const showCode = () => dialog.showModal();

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
    showCode();
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
code?.addEventListener("click", showCode);
