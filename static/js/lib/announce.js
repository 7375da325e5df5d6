// Speaks to screen readers through two live regions that the page holds from the start.

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
   * Sentences that come close together are read as one.
   *
   * @param {string} text
   */
  say(text) {
    this.waiting.push(text);
    this.timer ??= setTimeout(() => {
      this.politeRegion.textContent = this.waiting.join(" ");
      this.waiting = [];
      this.timer = undefined;
    }, JOIN_MS);
  }

  /** @param {string} text */
  alert(text) {
    // The same words twice are a new message all the same.
    this.alertRegion.textContent = "";
    requestAnimationFrame(() => {
      this.alertRegion.textContent = text;
    });
  }
}
