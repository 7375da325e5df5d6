// The offer to keep the site on the home screen, to players who have finished a match in this browser.

import { find } from "../lib/dom.js";

const PLAYED = "openrummy.played"; // table/effects/main.js notes it
const REFUSED = "openrummy.install";

/** @typedef {Event & {prompt: () => Promise<unknown>}} InstallEvent */

export function offerToInstall() {
  const card = document.querySelector('[data-region="install"]');
  if (!(card instanceof HTMLElement) || isInstalled() || !isWanted()) return;
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

function isWanted() {
  try {
    return localStorage.getItem(PLAYED) !== null && localStorage.getItem(REFUSED) === null;
  } catch {
    return false; // a browser without storage forgets the app as well
  }
}

/** Safari on a phone or tablet says nothing and installs from its own menu. */
const isApple = () => "standalone" in navigator;
