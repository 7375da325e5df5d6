// The player's own page: looks in this browser, and permission for push messages.

import { callState, turnOff, turnOn } from "./lib/calls.js";
import { find } from "./lib/dom.js";
import { readPreference, writePreference } from "./lib/prefs.js";

/** @typedef {import("./lib/prefs.js").PreferenceName} PreferenceName */

function wireLooks() {
  const section = find('[data-region="looks"]');
  for (const select of section.querySelectorAll("select")) {
    const name = /** @type {PreferenceName} */ (select.dataset.preference);
    select.value = readPreference(name);
    select.addEventListener("change", () => writePreference(name, select.value));
  }
  section.hidden = false;
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

wireLooks();
const calls = document.querySelector('[data-region="calls"]');
if (calls instanceof HTMLElement) wireCalls(calls);
