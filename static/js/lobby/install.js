// The lobby's offer to install the site on the home screen, for players who are not new.

import { find } from "../lib/dom.js";

const REFUSED = "openrummy.install";

/** @typedef {Event & {prompt: () => Promise<unknown>}} InstallEvent */

export function offerToInstall() {
  const card = document.querySelector('[data-region="install"]');
  if (!(card instanceof HTMLElement) || isInstalled() || isRefused()) return;
  const install = find('[data-action="install"]', card);
  find('[data-action="not-now"]', card).addEventListener("click", () => {
    card.hidden = true;
    localStorage.setItem(REFUSED, "1");
  });
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault(); // no bar of the browser's own beside the card
    card.hidden = install.hidden = false;
    install.onclick = async () => {
      card.hidden = true;
      await /** @type {InstallEvent} */ (event).prompt();
    };
  });
  if (isApple()) card.hidden = find('[data-part="by-hand"]', card).hidden = false;
}

const isInstalled = () => matchMedia("(display-mode: standalone)").matches || Reflect.get(navigator, "standalone") === true;

function isRefused() {
  try {
    return localStorage.getItem(REFUSED) !== null;
  } catch {
    return true; // a browser without storage could not keep the answer
  }
}

/** Safari on a phone or tablet has no event and installs from its own menu. */
const isApple = () => "standalone" in navigator;
