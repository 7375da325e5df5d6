// The script of every page: the theme switch, times in the reader's zone, menus that close when the focus leaves, and
// forms that are sent once.

import { sendOnce } from "./lib/once.js";
import { CHOICES, keep, readPreference, writePreference } from "./lib/prefs.js";
import { reportErrors } from "./lib/report.js";

function wireThemeSwitch() {
  const buttons = /** @type {NodeListOf<HTMLButtonElement>} */ (
    document.querySelectorAll("button[data-theme-choice]")
  );
  const show = () => {
    const chosen = readPreference("theme");
    for (const button of buttons) {
      button.setAttribute("aria-pressed", String(button.dataset.themeChoice === chosen));
    }
  };
  for (const button of buttons) {
    button.addEventListener("click", () => {
      writePreference("theme", button.dataset.themeChoice ?? "auto");
      show();
    });
  }
  show();
}

/** Passes on choices made in this browser before its player had an account. */
function handPreferencesOver() {
  const known = document.documentElement.dataset.preferences ?? "";
  for (const [key, [usual]] of Object.entries(CHOICES)) {
    const name = /** @type {import("./lib/prefs.js").PreferenceName} */ (key);
    const value = readPreference(name);
    if (value !== usual && !known.includes(`"${name}"`)) keep({ [name]: value });
  }
}

function wireMenus() {
  const menus = /** @type {NodeListOf<HTMLDetailsElement>} */ (
    document.querySelectorAll("details:is(.menu, .drop)")
  );
  document.addEventListener("click", (event) => {
    for (const menu of menus) {
      if (event.target instanceof Node && !menu.contains(event.target)) menu.open = false;
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of menus) {
      if (!menu.open) continue;
      menu.open = false;
      menu.querySelector("summary")?.focus();
    }
  });
}

/** Scrolls a long row to its selected entry. */
function showChosenTabs() {
  const rows = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".tabs, .filter"));
  for (const row of rows) {
    const chosen = /** @type {HTMLElement | null} */ (row.querySelector("[aria-current]"));
    if (chosen === null || row.scrollWidth <= row.clientWidth) continue;
    const left = chosen.getBoundingClientRect().left - row.getBoundingClientRect().left;
    row.scrollLeft += left - (row.clientWidth - chosen.offsetWidth) / 2;
  }
}

/** Times in the reader's zone. A part that is rendered again may bring the page's first one. */
async function writeMoments() {
  if (document.querySelector("time[data-moment], .site-main [data-refresh-on]") === null) return;
  const { showMoments } = await import("./lib/moments.js");
  showMoments();
}

/** The offline page, and messages while no page is open; see templates/sw.js. */
function keepServiceWorker() {
  // Missing on an address without TLS.
  if (!("serviceWorker" in navigator)) return;
  addEventListener("load", () => {
    // A browser that forbids storage does without.
    navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" }).catch(() => undefined);
  });
}

reportErrors("/script-errors/");
keepServiceWorker();
showChosenTabs();
sendOnce();
handPreferencesOver();
wireThemeSwitch();
wireMenus();
void writeMoments();
