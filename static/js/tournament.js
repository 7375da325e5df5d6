// A tournament's page: after a notice of a change, htmx fetches the part that changes.

import { countDown } from "./lib/countdown.js";
import { find } from "./lib/dom.js";
import { listen } from "./lib/live.js";
import { offerInvitation, onInvitation } from "./lib/sharing.js";

/** Many tables end at nearly the same moment; one request after a pause covers them all. */
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

// Until the start, and until the reader's next table.
countDown();

// The invitation to a private tournament.
onInvitation(page, () => page.querySelector(".entrance__link")?.getAttribute("href") ?? "");
const offer = () => offerInvitation(page);
offer();
new MutationObserver(offer).observe(page, { attributeFilter: ["hidden"], childList: true, subtree: true });
