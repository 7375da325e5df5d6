// The lobby: tiles with the player's choices, and countdowns to tournaments.

import { countDown } from "./lib/countdown.js";
import { find, setAttribute, setText } from "./lib/dom.js";
import { readPreference, writePreference } from "./lib/prefs.js";
import { choose, inPlaces, step } from "./lobby/choice.js";
import { offerToInstall } from "./lobby/install.js";

/** @typedef {import("./lobby/choice.js").Choice} Choice */
/** @typedef {import("./lobby/choice.js").Option} Option */
/** @typedef {import("./lobby/choice.js").Wish} Wish */

/** Choices that apply to all tiles: chips or cash, bots or people. */
function common() {
  const money = document.querySelector('[data-wish="money"]:checked');
  const practice = document.querySelector('[data-wish="practice"]');
  return {
    money: money instanceof HTMLInputElement ? money.value : "CHIPS",
    practice: practice instanceof HTMLInputElement && practice.checked,
  };
}

class Tile {
  /** @param {HTMLFormElement} form */
  constructor(form) {
    this.form = form;
    /** @type {Option[]} */
    this.options = JSON.parse(find("script", form).textContent ?? "[]");
    const id = Number(new URL(form.action).pathname.match(/\d+/)?.[0]);
    const first = /** @type {Option} */ (this.options.find((option) => option.id === id));
    /** @type {Wish} */
    this.wish = { ...first, ...common() };
    /** @type {Choice | null} */
    this.choice = null;
    form.addEventListener("change", (event) => {
      const { target } = event;
      const isFormat = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
      if (isFormat && target.value !== "") this.want({ format: target.value });
    });
    form.addEventListener("click", (event) => {
      const button = event.target instanceof Element ? event.target.closest("[data-step]") : null;
      if (button instanceof HTMLElement) this.#step(button);
    });
    this.#draw();
  }

  /** @param {Partial<Wish>} wish */
  want(wish) {
    this.wish = { ...this.wish, ...wish };
    this.#draw();
  }

  /** @param {HTMLElement} button */
  #step({ dataset }) {
    if (this.choice === null) return;
    const { option } = this.choice;
    const what = dataset.step === "seats" ? "seats" : "stake";
    const further = step(this.choice, what, Number(dataset.by));
    this.want({ format: option.format, seats: option.seats, value: option.value, ...further });
  }

  #draw() {
    const { form } = this;
    this.choice = choose(this.options, this.wish);
    for (const part of [".tile__body", '[data-part="facts"]', '[data-part="rules"]']) {
      find(part, form).hidden = this.choice === null;
    }
    find('[data-part="none"]', form).hidden = this.choice !== null;
    if (this.choice === null) return;
    const { option, formats, seats, stakes } = this.choice;
    form.action = (form.dataset.play ?? "").replace("0", String(option.id));
    setText(find('[data-part="facts"]', form), option.facts);
    const rules = find('[data-part="rules"]', form);
    setText(rules, option.rules);
    rules.hidden = option.rules === "";
    const output = find('output[data-part="seats"]', form);
    const words = option.seats === 1 ? output.dataset.one : output.dataset.other;
    setText(output, (words ?? "").replace("{count}", String(option.seats)));
    setText(find('output[data-part="stake"]', form), option.stake);
    this.#formats(formats, option.format);
    this.#ends("seats", seats.indexOf(option.seats), seats.length);
    this.#ends("stake", stakes.indexOf(option), stakes.length);
  }

  /**
   * Some formats are shown, the others in a list.
   *
   * @param {readonly string[]} formats
   * @param {string} chosen
   */
  #formats(formats, chosen) {
    const labels = [...this.form.querySelectorAll("[data-format]")].map((label) => ({
      label: /** @type {HTMLElement} */ (label),
      name: label.getAttribute("data-format") ?? "",
    }));
    const { open, more } = inPlaces(labels.map(({ name }) => name).filter((name) => formats.includes(name)));
    for (const { label, name } of labels) {
      label.hidden = !open.includes(name);
      const radio = find("input", label);
      if (radio instanceof HTMLInputElement) radio.checked = name === chosen;
    }
    const list = /** @type {HTMLSelectElement} */ (find('[data-part="more"]', this.form));
    list.hidden = more.length === 0;
    list.replaceChildren(new Option(`+${more.length}`, ""), ...more.map((name) => new Option(name, name)));
    list.value = more.includes(chosen) ? chosen : "";
  }

  /**
   * A button without an effect keeps the focus.
   *
   * @param {string} what
   * @param {number} at
   * @param {number} length
   */
  #ends(what, at, length) {
    for (const by of [-1, 1]) {
      const button = find(`[data-step="${what}"][data-by="${by}"]`, this.form);
      const isEnd = at + by < 0 || at + by >= length;
      setAttribute(button, "aria-disabled", isEnd ? "true" : null);
    }
  }
}

const tiles = [...document.querySelectorAll("form[data-tile]")].map(
  (form) => new Tile(/** @type {HTMLFormElement} */ (form)),
);
for (const field of document.querySelectorAll("[data-wish]")) {
  field.addEventListener("change", () => {
    for (const tile of tiles) tile.want(common());
    showStrength();
  });
}

const strength = /** @type {HTMLSelectElement | null} */ (
  document.querySelector('[data-preference="bots"]')
);

/** The strength of the bots is asked for with practice, and sent with every "Play now". */
function showStrength() {
  if (strength === null) return;
  const { practice, money } = common();
  find('[data-part="practice"]').hidden = money !== "CHIPS";
  find('[data-part="strength"]').hidden = !practice || money !== "CHIPS";
  for (const field of document.querySelectorAll('input[name="strength"]')) {
    if (field instanceof HTMLInputElement) field.disabled = !practice || strength.value === "usual";
    if (field instanceof HTMLInputElement) field.value = strength.value;
  }
}

if (strength !== null) {
  const kept = readPreference("bots");
  if ([...strength.options].some(({ value }) => value === kept)) strength.value = kept;
  strength.addEventListener("change", () => {
    writePreference("bots", strength.value);
    showStrength();
  });
  showStrength();
}

const suits = document.querySelector('section[data-region="suits"]');
suits?.addEventListener("click", ({ target }) => {
  const button = target instanceof Element ? target.closest("[data-choose-suits]") : null;
  if (button === null) return;
  writePreference("suits", button.getAttribute("data-choose-suits") ?? "");
  suits.remove();
});
countDown();
offerToInstall();
