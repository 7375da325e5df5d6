// Sends a form once, although its button is pressed twice: each press would open, enter or pay.

// Milliseconds, in case a download was the answer and the page stays.
const SENT_FOR = 5_000;

export function sendOnce() {
  /** @type {[EventTarget | null, HTMLElement | null, number]} */
  let sent = [null, null, 0];
  document.addEventListener("submit", (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    // What a script sends itself is its own business.
    if (event.defaultPrevented || form.method !== "post") return;
    const [before, by, at] = sent;
    const isAgain = form === before && event.submitter === by && event.timeStamp - at < SENT_FOR;
    if (isAgain) event.preventDefault();
    else sent = [form, event.submitter, event.timeStamp];
  });
  // Back from the next page, the form may be sent again.
  addEventListener("pageshow", () => {
    sent = [null, null, 0];
  });
}
