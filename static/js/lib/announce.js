// Speaks to screen readers through two live regions that are in the page from the start.

const JOIN_MS = 250;

export class Announcer {
  /**
   * @param {HTMLElement} polite
   * @param {HTMLElement} alert
   */
  constructor(polite, alert) {
    this.politeRegion = polite;
    this.alertRegion = alert;
    /** @type {string[]} */
    this.waiting = [];
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  /**
   * Sentences in quick succession are read as one.
   *
   * @param {string} text
   */
  say(text) {
    this.waiting.push(text);
    this.timer ??= setTimeout(() => {
      write(this.politeRegion, this.waiting.join(" "));
      this.waiting = [];
      this.timer = undefined;
    }, JOIN_MS);
  }

  /** @param {string} text */
  alert(text) {
    write(this.alertRegion, text);
  }
}

/**
 * The same text twice is a new message.
 *
 * @param {HTMLElement} region
 * @param {string} text
 */
function write(region, text) {
  region.textContent = "";
  requestAnimationFrame(() => {
    region.textContent = text;
  });
}
