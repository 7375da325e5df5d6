// The lobby: tiles with the player's choices, and countdowns to tournaments.

import { countDown } from "./lib/countdown.js";
import { find, setAttribute, setText } from "./lib/dom.js";
import { keep, readPreference, writePreference } from "./lib/prefs.js";
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
      if (isFormat && target.value !== "") this.want({ format: target.value }, "format");
    });
    form.addEventListener("click", (event) => {
      const button = event.target instanceof Element ? event.target.closest("[data-step]") : null;
      if (button instanceof HTMLElement) this.#step(button);
    });
    this.#draw();
  }

  /**
   * What else has to change with a choice flashes, and a note says why.
   *
   * @param {Partial<Wish>} wish
   * @param {"format" | "seats" | "stake" | "practice" | "money"} what
   */
  want(wish, what) {
    const before = this.choice?.option ?? null;
    this.wish = { ...this.wish, ...wish };
    this.#draw();
    this.#tell(before, what);
  }

  /**
   * @param {Option | null} before
   * @param {"format" | "seats" | "stake" | "practice" | "money"} what
   */
  #tell(before, what) {
    const note = find('[data-part="note"]', this.form);
    const outputs = { seats: find('output[data-part="seats"]', this.form), stake: find('output[data-part="stake"]', this.form) };
    for (const output of Object.values(outputs)) output.classList.remove("is-changed");
    note.hidden = true;
    if (this.choice === null || before === null) return;
    const { option, changed } = this.choice;
    const other = changed.filter((name) => name !== what && isDifferent(name, before, option));
    if (other.length === 0) return;
    const words = { format: option.format, seats: outputs.seats.textContent ?? "", stake: option.stake };
    const chosen = what === "practice" || what === "money" ? note.dataset[this.wish.practice ? "bots" : "people"] : words[what];
    const list = other.map((name) => words[name].trim()).join(", ");
    setText(note, (note.dataset.text ?? "").replace("{chosen}", (chosen ?? "").trim()).replace("{changed}", list));
    note.hidden = false;
    for (const name of other) {
      if (name === "format") continue;
      // The flash begins anew with each change.
      void outputs[name].offsetWidth;
      outputs[name].classList.add("is-changed");
    }
  }

  /** @param {HTMLElement} button */
  #step({ dataset }) {
    if (this.choice === null) return;
    const { option } = this.choice;
    const what = dataset.step === "seats" ? "seats" : "stake";
    const further = step(this.choice, what, Number(dataset.by));
    // The stake that was chosen is kept in mind: back at other seats it holds again.
    const kept = what === "stake" ? { seats: option.seats } : {};
    this.want({ format: option.format, ...kept, ...further }, what);
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
    setText(find('[data-part="brings"]', form), option.brings);
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

/**
 * @param {"format" | "seats" | "stake"} name
 * @param {Option} before
 * @param {Option} option
 */
function isDifferent(name, before, option) {
  return name === "stake" ? before.stake !== option.stake : before[name] !== option[name];
}

const tiles = [...document.querySelectorAll("form[data-tile]")].map(
  (form) => new Tile(/** @type {HTMLFormElement} */ (form)),
);
for (const field of document.querySelectorAll("[data-wish]")) {
  field.addEventListener("change", () => {
    const what = field.getAttribute("data-wish") === "money" ? "money" : "practice";
    for (const tile of tiles) tile.want(common(), what);
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
// The question is asked once: without an answer the cards stay as they are.
if (suits !== null) keep({ suits: readPreference("suits") });
suits?.addEventListener("click", ({ target }) => {
  const button = target instanceof Element ? target.closest("[data-choose-suits]") : null;
  if (button === null) return;
  writePreference("suits", button.getAttribute("data-choose-suits") ?? "");
  suits.remove();
});
countDown();
offerToInstall();
