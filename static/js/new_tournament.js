// The form of a tournament for friends: asks for day and time where they are wanted, reads them in the host's zone, and
// names that zone.

import { find, setText } from "./lib/dom.js";
import { wordsIn } from "./lib/format.js";

const form = find("#new-tournament");

function read() {
  const value = (/** @type {string} */ name) => /** @type {HTMLInputElement | HTMLSelectElement} */ (find(`[name="${name}"]`, form)).value;
  const moment = new Date(`${value("day")}T${value("time")}`);
  const isWhole = !Number.isNaN(moment.valueOf());
  /** @type {HTMLInputElement} */ (find('[name="moment"]', form)).value = isWhole ? String(moment.valueOf()) : "";
  find('[data-part="day"]', form).hidden = value("minutes") !== "0";
  const zone = new Intl.DateTimeFormat(wordsIn(document.documentElement.lang), { timeZoneName: "longGeneric" });
  setText(find('[data-part="zone"]', form), zone.formatToParts().find(({ type }) => type === "timeZoneName")?.value ?? "");
}

// Before htmx collects the choices, and after it has drawn them anew.
form.addEventListener("change", read, { capture: true });
form.addEventListener("submit", read, { capture: true });
new MutationObserver(read).observe(form, { childList: true, characterData: true, subtree: true });
read();
