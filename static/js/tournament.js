// A tournament's page: when something has changed, htmx asks for the part that changes.

import { countDown } from "./lib/countdown.js";
import { find } from "./lib/dom.js";
import { listen } from "./lib/live.js";

/** Many tables end at nearly one moment; one look after a pause finds them all. */
const PAUSE_MS = 400;

const page = find('[data-region="tournament"]');
/** @type {ReturnType<typeof setTimeout> | undefined} */
let pending = undefined;

listen(page.dataset.socket ?? "", ({ type }) => {
  if (type !== "changed" || pending !== undefined) return;
  pending = setTimeout(() => {
    pending = undefined;
    page.dispatchEvent(new CustomEvent("tournament-changed"));
  }, PAUSE_MS);
});

// Until the start, and until one's next table.
countDown();
