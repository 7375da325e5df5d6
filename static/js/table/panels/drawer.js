// The drawer beside the table and its tabs; on a phone it is a sheet that opens on demand.

import { find, region, setAttribute } from "../../lib/dom.js";

const FIRST = "cards";
/** @type {Record<string, number>} */
const STEPS = { ArrowRight: 1, ArrowLeft: -1 };

export class Drawer {
  /**
   * @param {HTMLElement} root
   * @param {() => void} changed Another tab is visible.
   */
  constructor(root, changed) {
    this.root = root;
    this.changed = changed;
    this.drawer = region("drawer");
    this.tabs = region("tabs");
    /** The bar's button that opened it. @type {HTMLElement | null} */
    this.opener = null;
    this.tabs.addEventListener("keydown", (event) => this.#walk(event));
    // Escape also closes it, in the game's own handler.
    new MutationObserver(() => this.#told()).observe(root, { attributeFilter: ["class"] });
  }

  get isOpen() {
    return this.root.classList.contains("table--drawer");
  }

  /** A button of the bar, or the one that closes the drawer. @param {HTMLElement} element */
  toggle(element) {
    this.#toggle(element, FIRST);
  }

  /** @param {HTMLElement} element */
  chat(element) {
    this.#toggle(element, "chat");
  }

  /** @param {HTMLElement} element */
  tab(element) {
    this.show(element.dataset.tab ?? FIRST);
  }

  /** @param {string} name */
  show(name) {
    for (const tab of this.#all()) {
      const isShown = tab.dataset.tab === name;
      setAttribute(tab, "aria-selected", String(isShown));
      tab.tabIndex = isShown ? 0 : -1;
      find(`[data-panel="${tab.dataset.tab}"]`, this.drawer).hidden = !isShown;
    }
    this.#told();
  }

  get shown() {
    return this.#all().find((tab) => tab.ariaSelected === "true")?.dataset.tab;
  }

  /**
   * @param {HTMLElement} element
   * @param {string} name
   */
  #toggle(element, name) {
    const closes = this.drawer.contains(element);
    const isThere = this.drawer.checkVisibility({ visibilityProperty: true }) && this.shown === name;
    if (closes || isThere) {
      // Beside the table on a desktop it stays open, on its first tab.
      this.show(FIRST);
      this.root.classList.remove("table--drawer");
      (this.opener ?? element).focus();
      return;
    }
    this.opener = element;
    this.show(name);
    this.root.classList.add("table--drawer");
    find('[role="tab"][aria-selected="true"]', this.tabs).focus({ preventScroll: true });
  }

  #told() {
    for (const [action, name] of [["drawer", FIRST], ["chat", "chat"]]) {
      const button = document.querySelector(`.bar [data-action="${action}"]`);
      if (button !== null) setAttribute(button, "aria-expanded", String(this.isOpen && this.shown === name));
    }
    this.changed();
  }

  #all() {
    return /** @type {HTMLElement[]} */ ([...this.tabs.querySelectorAll('[role="tab"]')]);
  }

  /** @param {KeyboardEvent} event */
  #walk(event) {
    const tabs = this.#all().filter((tab) => !tab.hidden);
    const at = tabs.findIndex((tab) => tab === document.activeElement);
    const step = STEPS[event.key];
    if (at < 0 || step === undefined) return;
    event.preventDefault();
    const next = tabs[(at + step + tabs.length) % tabs.length];
    if (next === undefined) return;
    this.show(next.dataset.tab ?? FIRST);
    next.focus();
  }
}
