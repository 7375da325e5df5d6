// Sends a form once, although its button is pressed twice: each press would open, enter or pay.

// Milliseconds: an answer over a slow network takes that long. A download is the answer that leaves the page there.
const SENT_FOR = 20_000;

/** @typedef {{ form: EventTarget | null, by: HTMLElement | null, data: string, at: number }} Press */

/**
 * Whether a press sends again what was just sent. With other entries it is another form.
 *
 * @param {Press} before
 * @param {Press} press
 */
export function isAgain(before, press) {
  return (
    before.form === press.form && before.by === press.by && before.data === press.data && press.at - before.at < SENT_FOR
  );
}

/** @param {HTMLFormElement} form */
function readEntries(form) {
  const entries = [...new FormData(form)];
  const told = entries.map(([name, value]) => [name, value instanceof File ? [value.name, value.size] : value]);
  return JSON.stringify(told);
}

export function sendOnce() {
  /** @type {Press} */
  const nothing = { form: null, by: null, data: "", at: 0 };
  let sent = nothing;
  document.addEventListener("submit", (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    // What a script sends itself is its own business.
    if (event.defaultPrevented || form.method !== "post") return;
    const press = { form, by: event.submitter, data: readEntries(form), at: event.timeStamp };
    if (isAgain(sent, press)) event.preventDefault();
    else sent = press;
  });
  // Back from the next page, the form may be sent again.
  addEventListener("pageshow", () => {
    sent = nothing;
  });
}
