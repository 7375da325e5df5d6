// The table's short messages.

import { find, region, setText } from "../../lib/dom.js";
import { freePlace } from "../core/free.js";

const SHOWN_MS = 5000;

export class Toast {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.toast = region("toast");
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  /**
   * Shows a message for a moment, where it covers no seat, card or button.
   *
   * @param {string} text
   */
  show(text) {
    const { toast } = this;
    clearTimeout(this.timer);
    toast.hidden = false;
    setText(find("span", toast), text);
    document.body.append(toast);
    const taken = this.root.querySelectorAll("a, button, .seat, .pile, .card, .notice");
    const boxes = [...taken].map((element) => element.getBoundingClientRect());
    const place = freePlace(toast.getBoundingClientRect(), region("felt").getBoundingClientRect(), boxes);
    if (place === null) find(".entrances", this.root).append(toast);
    toast.style.inset = `${place?.top}px auto auto ${place?.left}px`;
    this.timer = setTimeout(() => this.close(), SHOWN_MS);
  }

  close() {
    this.toast.hidden = true;
  }
}
