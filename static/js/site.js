// What every page does: the theme switch, and menus that close when one looks elsewhere.

import { readPreference, writePreference } from "./lib/prefs.js";

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

function wireMenus() {
  const menus = /** @type {NodeListOf<HTMLDetailsElement>} */ (
    document.querySelectorAll("details.menu")
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

wireThemeSwitch();
wireMenus();
