// The lobby: tiles with the player's choices, the sheet that they are made in, and countdowns to tournaments.

import { countDown } from "./lib/countdown.js";
import { find, make, setText } from "./lib/dom.js";
import { keep, readPreference, writePreference } from "./lib/prefs.js";
import { choose } from "./lobby/choice.js";
import { offerToInstall } from "./lobby/install.js";

/** @typedef {import("./lobby/choice.js").Choice} Choice */
/** @typedef {import("./lobby/choice.js").Option} Option */
/** @typedef {import("./lobby/choice.js").Way} Way */
/** @typedef {import("./lobby/choice.js").Wish} Wish */
/** @typedef {"format" | "seats" | "stake"} Part */
/** @typedef {Part | "practice" | "money"} Wished */

/** @type {readonly Part[]} */
const PARTS = ["format", "seats", "stake"];

/** Choices that apply to all tiles: chips or cash, bots or people. */
function common() {
  const chosen = (/** @type {string} */ name) =>
    document.querySelector(`[data-wish="${name}"]:checked`)?.getAttribute("value");
  return { money: chosen("money") ?? "CHIPS", practice: chosen("practice") === "bots" };
}

/** @param {"practice" | "money"} name */
const wordsOf = (name) => document.querySelector(`[data-wish="${name}"]:checked + span`)?.textContent ?? "";

class Tile {
  /** @param {HTMLFormElement} form */
  constructor(form) {
    this.form = form;
    this.title = find("h3", form).textContent ?? "";
    /** @type {Option[]} */
    this.options = JSON.parse(find("script", form).textContent ?? "[]");
    const id = Number(new URL(form.action).pathname.match(/\d+/)?.[0]);
    const first = /** @type {Option} */ (this.options.find((option) => option.id === id));
    /** @type {Wish} */
    this.wish = { ...first, ...common() };
    /** @type {Choice | null} */
    this.choice = null;
    /** What the last choice has changed elsewhere. @type {readonly Part[]} */
    this.flashing = [];
    this.note = "";
    const link = find('[data-part="choice"]', form);
    link.setAttribute("role", "button");
    link.setAttribute("aria-haspopup", "dialog");
    link.addEventListener("click", (event) => {
      event.preventDefault();
      sheet?.open(this);
    });
    link.addEventListener("keydown", (event) => {
      if (event.key !== " ") return;
      event.preventDefault();
      sheet?.open(this);
    });
    this.#draw();
  }

  /**
   * What else has to change with a choice flashes, and a note says why.
   *
   * @param {Partial<Wish>} wish
   * @param {Wished} what
   */
  want(wish, what) {
    const before = this.choice?.option ?? null;
    this.wish = { ...this.wish, ...wish };
    this.#draw();
    this.#tell(before, what);
  }

  /**
   * @param {Option | null} before
   * @param {Wished} what
   */
  #tell(before, what) {
    const note = find('[data-part="note"]', this.form);
    const link = find('[data-part="choice"]', this.form);
    link.classList.remove("is-changed");
    this.flashing = [];
    this.note = "";
    if (this.choice !== null && before !== null) {
      const { option, changed } = this.choice;
      const { money, practice } = this.wish;
      // Another money has other stakes, which is no surprise.
      const isOther = (/** @type {Part} */ name) => isDifferent(name, before, option) && !(what === "money" && name === "stake");
      this.flashing = changed.filter((name) => name !== what && isOther(name));
      if (money === "CHIPS" && option.practice !== practice) {
        this.note = note.dataset[practice ? "onlyPeople" : "onlyBots"] ?? "";
      } else if (this.flashing.length > 0) {
        const words = { format: option.format, seats: option.players, stake: option.stake };
        const chosen = what === "practice" || what === "money" ? wordsOf(what) : words[what];
        const list = this.flashing.map((name) => words[name]).join(", ");
        this.note = (note.dataset.text ?? "").replace("{chosen}", chosen).replace("{changed}", list);
      }
    }
    setText(note, this.note);
    note.hidden = this.note === "";
    if (this.flashing.length > 0) flash(link);
  }

  #draw() {
    const { form } = this;
    this.choice = choose(this.options, this.wish);
    const item = form.closest("li");
    if (item !== null) item.hidden = this.choice === null;
    if (this.choice === null) return;
    const { option } = this.choice;
    form.action = (form.dataset.play ?? "").replace("0", String(option.id));
    setText(find('[data-part="summary"]', form), option.summary);
    const rules = find('[data-part="rules"]', form);
    setText(rules, option.rules);
    rules.hidden = option.rules === "";
  }
}

/** @param {HTMLElement} element It flashes anew with each change. */
function flash(element) {
  element.classList.remove("is-changed");
  void element.offsetWidth;
  element.classList.add("is-changed");
}

/** The choices of one tile at a time. */
class Sheet {
  /** @param {HTMLDialogElement} dialog */
  constructor(dialog) {
    this.dialog = dialog;
    /** @type {Tile | null} */
    this.tile = null;
    dialog.addEventListener("change", ({ target }) => this.#chosen(target));
    dialog.addEventListener("click", ({ target }) => {
      if (target === dialog) dialog.close();
    });
    find('[data-part="play"]', dialog).addEventListener("click", (event) => {
      event.preventDefault();
      this.tile?.form.requestSubmit();
    });
  }

  /** @param {Tile} tile */
  open(tile) {
    this.tile = tile;
    setText(find('[data-part="title"]', this.dialog), tile.title);
    offerStrengths(tile.form.dataset.strengths?.split(" ") ?? []);
    this.draw();
    this.dialog.showModal();
    find("input:checked", this.dialog).focus();
  }

  /** @param {EventTarget | null} target */
  #chosen(target) {
    const { tile } = this;
    if (!(target instanceof HTMLInputElement) || !tile?.choice) return;
    const what = /** @type {Part} */ (target.name.replace("sheet-", ""));
    const way = tile.choice[what].find(({ value }) => String(value) === target.value);
    if (!way?.option) return;
    const { option } = tile.choice;
    // The stake that was wished for is kept in mind: at other seats it holds again.
    const wishes = {
      format: { format: way.option.format },
      seats: { format: option.format, seats: way.option.seats },
      stake: { format: option.format, seats: option.seats, value: way.option.value },
    };
    tile.want(wishes[what], what);
    this.draw();
    find(`input[name="sheet-${what}"]:checked`, this.dialog).focus();
  }

  draw() {
    const { choice, note, flashing } = this.tile ?? {};
    if (!choice) return;
    const part = (/** @type {string} */ name) => find(`[data-part="${name}"]`, this.dialog);
    for (const name of PARTS) {
      const group = find(`[data-choices="${name}"]`, this.dialog);
      group.replaceChildren(...choice[name].map((way) => this.#draw(way, name, group, choice.option)));
      group.classList.remove("is-changed");
      if (flashing?.includes(name)) flash(group);
      const only = /** @type {HTMLElement} */ (group.parentElement);
      only.hidden = choice[name].length === 1 && name === "format";
    }
    setText(part("note"), note ?? "");
    part("note").hidden = note === "";
    setText(part("facts"), choice.option.facts);
    setText(part("rules"), choice.option.rules);
    part("rules").hidden = choice.option.rules === "";
    setText(part("brings"), choice.option.brings);
    part("strength").hidden = !choice.option.practice;
  }

  /**
   * @param {Way} way
   * @param {Part} name
   * @param {HTMLElement} group
   * @param {Option} chosen
   */
  #draw(way, name, { dataset }, chosen) {
    const input = make("input", { type: "radio", name: `sheet-${name}`, value: way.value });
    input.checked = way.isChosen;
    input.disabled = way.option === null;
    const none = (dataset.none ?? "").replace("{chosen}", chosen.format);
    const only = way.only === "" ? "" : (dataset.only ?? "").replace("{changed}", way.only);
    const more = make("small", {}, way.option === null ? none : only);
    const label = make("label", { class: "chip" }, input, make("span", {}, make("b", {}, way.text), " ", more));
    label.classList.toggle("chip--apart", only !== "");
    return label;
  }
}

/**
 * @param {Part} name
 * @param {Option} before
 * @param {Option} option
 */
function isDifferent(name, before, option) {
  return name === "stake" ? before.stake !== option.stake : before[name] !== option[name];
}

const dialog = document.querySelector('dialog[data-region="sheet"]');
const sheet = dialog instanceof HTMLDialogElement ? new Sheet(dialog) : null;
const tiles = [...document.querySelectorAll("form[data-tile]")].map(
  (form) => new Tile(/** @type {HTMLFormElement} */ (form)),
);
for (const field of document.querySelectorAll("[data-wish]")) {
  field.addEventListener("change", () => {
    const what = field.getAttribute("data-wish") === "money" ? "money" : "practice";
    for (const tile of tiles) tile.want(common(), what);
    showCommon();
  });
}

let wishedStrength = readPreference("bots");
const strength = /** @type {HTMLSelectElement | null} */ (
  document.querySelector('[data-preference="bots"]')
);

/**
 * Bots never play for cash. Their strength is sent with every "Play now" against them. Games without a table
 * for this money are named in one line.
 */
function showCommon() {
  const { practice, money } = common();
  find('[data-part="practice"]').hidden = money !== "CHIPS";
  for (const field of document.querySelectorAll('input[name="strength"]')) {
    if (!(field instanceof HTMLInputElement)) continue;
    field.disabled = !practice || wishedStrength === "usual";
    field.value = wishedStrength;
  }
  const without = find('[data-part="without"]');
  const names = tiles.filter(({ choice }) => choice === null).map(({ title }) => title);
  setText(without, (without.dataset.text ?? "").replace("{games}", names.join(", ")));
  without.hidden = names.length === 0;
}

/**
 * Shows the strengths of a game's bots. Where they do not play as well as is wished, the best of them play.
 *
 * @param {readonly string[]} offered
 */
function offerStrengths(offered) {
  if (strength === null) return;
  for (const option of strength.options) option.hidden = option.value !== "usual" && !offered.includes(option.value);
  const isOffered = wishedStrength === "usual" || offered.includes(wishedStrength);
  strength.value = isOffered ? wishedStrength : (offered.at(-1) ?? "usual");
}

strength?.addEventListener("change", () => {
  wishedStrength = strength.value;
  writePreference("bots", wishedStrength);
  showCommon();
});
if (strength !== null) showCommon();

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
