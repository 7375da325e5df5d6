// The pages of settings: each choice is saved as it is made, and looks apply to this page at once; permission for
// push messages.

import { callState, turnOff, turnOn } from "./lib/calls.js";
import { find } from "./lib/dom.js";
import { CHOICES, applyPreference, readPreference } from "./lib/prefs.js";

/** @typedef {import("./lib/prefs.js").PreferenceName} PreferenceName */
/** @typedef {HTMLInputElement | HTMLSelectElement} Control */

const texts = find(".settings").dataset;
const themeButtons = /** @type {NodeListOf<HTMLButtonElement>} */ (
  document.querySelectorAll("button[data-theme-choice]")
);

/** What a sentence about a choice stands in. @param {Control} control @returns {Element | null} */
const fieldOf = (control) => control.closest(".field") ?? control.form;

/**
 * Says beside a field that it is saved, or why not; says nothing while that is not known.
 *
 * @param {Control} control
 * @param {{saved?: string | undefined, error?: string | undefined}} said
 */
function say(control, { saved = "", error = "" }) {
  const place = fieldOf(control);
  if (place === null) return;
  find('[data-part="saved"]', place).textContent = saved;
  find('[data-part="error"]', place).textContent = error;
  if (error) control.setAttribute("aria-invalid", "true");
  else control.removeAttribute("aria-invalid");
}

/** Shows a choice on this page before it is stored. @param {Control} control */
function applyHere({ name, value }) {
  if (name in CHOICES) applyPreference(/** @type {PreferenceName} */ (name), value);
  if (name === "theme") {
    for (const button of themeButtons) {
      button.setAttribute("aria-pressed", String(button.dataset.themeChoice === value));
    }
  }
  if (name !== "face") return;
  for (const use of document.querySelectorAll(".menu > summary .face use")) {
    use.setAttribute("href", (use.getAttribute("href") ?? "").replace(/#.*$/, `#${value}`));
  }
}

/**
 * A form of several independent choices sends those alone that were changed: others may have been made elsewhere.
 *
 * @param {HTMLFormElement} form
 * @param {Set<Control>} changed
 */
function collect(form, changed) {
  const all = new FormData(form);
  if (form.dataset.saves !== "changes") return all;
  const names = new Set(["csrfmiddlewaretoken", ...[...changed].map(({ name }) => name)]);
  for (const name of [...all.keys()]) if (!names.has(name)) all.delete(name);
  return all;
}

/**
 * @param {HTMLFormElement} form
 * @param {Set<Control>} changed
 * @returns {Promise<string>} What is wrong, or nothing.
 */
async function send(form, changed) {
  const answer = await fetch(form.action, {
    method: "POST",
    headers: { Accept: "application/json" },
    body: collect(form, changed),
    // It is stored even if the page is left now.
    keepalive: true,
  });
  if (answer.ok && !answer.redirected) return "";
  if (answer.status !== 422) throw new Error(`The answer is ${answer.status}`);
  return String((await answer.json()).error);
}

/** @param {HTMLFormElement} form */
function wireSaving(form) {
  /** What was changed while a request is on its way. @type {Set<Control>} */
  let changed = new Set();
  let isSending = false;

  /** @param {Control} control */
  const save = async (control) => {
    changed.add(control);
    if (isSending) return;
    isSending = true;
    while (changed.size > 0) {
      const current = changed;
      changed = new Set();
      /** @type {{saved?: string | undefined, error?: string | undefined}} */
      let said = { saved: texts.textSaved };
      try {
        const error = await send(form, current);
        if (error) said = { error };
      } catch {
        said = { error: texts.textFailed };
      }
      // A field whose newer choice still waits is not saved yet.
      const waiting = new Set([...changed].map(fieldOf));
      for (const one of current) if (!waiting.has(fieldOf(one))) say(one, said);
    }
    isSending = false;
  };

  form.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return;
    say(target, {});
    applyHere(target);
    void save(target);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("pagehide", () => {
    if (changed.size > 0) navigator.sendBeacon(form.action, collect(form, changed));
  });
}

/** Shows the choices of this browser, which may not be stored yet. @param {HTMLFormElement} form */
function showOwnChoices(form) {
  for (const control of form.elements) {
    if (!(control instanceof HTMLSelectElement) || !control.dataset.preference) continue;
    control.value = readPreference(/** @type {PreferenceName} */ (control.dataset.preference));
  }
}

/** @param {HTMLElement} section */
function wireCalls(section) {
  const state = find('[data-part="state"]', section);
  const on = find('[data-action="calls-on"]', section);
  const off = find('[data-action="calls-off"]', section);

  /** @param {string} now */
  const show = (now) => {
    state.textContent = state.getAttribute(`data-text-${now}`);
    on.hidden = now !== "off" && now !== "failed";
    off.hidden = now !== "on";
  };
  /** @param {() => Promise<string>} act */
  const act = async (act) => {
    try {
      show(await act());
    } catch {
      show("failed");
    }
  };
  /** @param {string} address */
  const tell = (address) => async (/** @type {PushSubscription} */ subscription) => {
    const token = section.querySelector('input[name="csrfmiddlewaretoken"]');
    const answer = await fetch(address, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "X-CSRFToken": token instanceof HTMLInputElement ? token.value : "",
      },
      body: JSON.stringify(subscription),
    });
    return answer.ok;
  };

  on.addEventListener("click", () => {
    void act(() => turnOn(section.dataset.key ?? "", tell(section.dataset.on ?? "")));
  });
  off.addEventListener("click", () => void act(() => turnOff(tell(section.dataset.off ?? ""))));
  void act(() => callState((section.dataset.own ?? "").split(" "), tell(section.dataset.on ?? "")));
}

/**
 * The choices that were made before this script was there, with their values.
 *
 * @param {HTMLFormElement} form
 * @returns {[Control, string][]}
 */
function listEarlyChoices(form) {
  /** @type {[Control, string][]} */
  const early = [];
  for (const control of form.elements) {
    if (control instanceof HTMLSelectElement) {
      const usual = [...control.options].find(({ defaultSelected }) => defaultSelected) ?? control.options[0];
      if (control.value !== usual?.value) early.push([control, control.value]);
    } else if (control instanceof HTMLInputElement && control.checked && !control.defaultChecked) {
      early.push([control, control.value]);
    }
  }
  return early;
}

for (const form of document.querySelectorAll("form[data-saves]")) {
  if (!(form instanceof HTMLFormElement)) continue;
  const early = listEarlyChoices(form);
  showOwnChoices(form);
  wireSaving(form);
  for (const [control, value] of early) {
    control.value = value;
    control.dispatchEvent(new Event("change", { bubbles: true }));
  }
  for (const button of themeButtons) button.addEventListener("click", () => showOwnChoices(form));
}
const calls = document.querySelector('[data-region="calls"]');
if (calls instanceof HTMLElement) wireCalls(calls);
