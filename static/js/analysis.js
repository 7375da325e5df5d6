// The analysis beside a replay: its progress, and the most expensive decisions as tasks.

const ASKED_AGAIN_MS = 1_000;

/** @returns {HTMLElement | null} */
const section = () => document.querySelector('[data-region="analysis"]');

/** The server's current version of this part of the page. */
async function refresh() {
  const old = section();
  if (old === null) return;
  try {
    const answer = await fetch(old.dataset.url ?? "", { headers: { "HX-Request": "true" } });
    if (answer.ok && !answer.redirected) {
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = page.querySelector('[data-region="analysis"]');
      if (fresh !== null) old.replaceWith(fresh);
    }
  } catch {
    // Asks again in a moment.
  }
  follow();
}

function follow() {
  if (section()?.dataset.waiting !== undefined) setTimeout(() => void refresh(), ASKED_AGAIN_MS);
}

/**
 * Judges the pressed option: the best one is right; the one of the deal was not, nor is any other.
 *
 * @param {HTMLElement} task
 * @param {HTMLElement} option
 */
function answer(task, option) {
  const { best, chosen } = task.dataset;
  const { option: pressed } = option.dataset;
  const said = task.querySelector('[data-part="said"]');
  const verdict = pressed === best ? "right" : pressed === chosen ? "chosen" : "wrong";
  if (said !== null) said.textContent = task.getAttribute(`data-say-${verdict}`);
  for (const button of task.querySelectorAll("[data-option]")) {
    if (!(button instanceof HTMLElement)) continue;
    if (button.dataset.option === best) button.dataset.answer = "right";
    else if (button === option) button.dataset.answer = "wrong";
    else delete button.dataset.answer;
  }
  const details = task.querySelector("details");
  if (details !== null) details.open = true;
}

document.addEventListener("click", (event) => {
  const option = event.target instanceof Element ? event.target.closest("[data-option]") : null;
  const task = option?.closest('[data-region="task"]');
  if (option instanceof HTMLElement && task instanceof HTMLElement) answer(task, option);
});

follow();
