// The board of a puzzle with groups: cards are selected by pointer or keys, and laid into groups. The
// answer is sent as "4H 5H 6H|7S 7C PJ"; the server judges it.

import { signOf } from "./lib/keys.js";

/** @type {HTMLFormElement | null} */
const form = document.querySelector('form[data-region="groups"]');

if (form !== null) layGroups(form);

/** @param {HTMLFormElement} form */
function layGroups(form) {
  const groups = part(form, "groups");
  const loose = part(form, "loose");
  const said = part(form, "said");
  const cards = [...form.querySelectorAll("button")].filter(({ dataset }) => dataset.face !== undefined);
  if (part(form, "groups").childElementCount > 0) cards.sort((one, other) => numberOf(one) - numberOf(other));

  const chosen = () => cards.filter((card) => card.getAttribute("aria-pressed") === "true");

  /** @param {HTMLElement} row */
  function moveTo(row) {
    const moved = chosen();
    for (const card of moved) {
      card.setAttribute("aria-pressed", "false");
      row.append(card);
    }
    // In the order of the hand; cards that lay on the table before come in order of numbers.
    row.append(...cards.filter((card) => card.parentElement === row));
    tidy();
    return moved.map((card) => card.textContent?.trim() ?? "").join(", ");
  }

  function tidy() {
    for (const group of ofPart(groups, "group")) {
      if (part(group, "row").childElementCount === 0) group.remove();
    }
    for (const [place, group] of ofPart(groups, "group").entries()) {
      const title = words("group", { number: place + 1 });
      part(group, "title").textContent = title;
      group.setAttribute("aria-label", title);
    }
    const texts = ofPart(groups, "row").map((row) =>
      [...row.querySelectorAll("button")].map((card) => card.dataset.face ?? "").join(" "),
    );
    const answer = form.elements.namedItem("answer");
    if (answer instanceof HTMLInputElement) answer.value = texts.join("|");
  }

  /** @param {HTMLElement} row */
  function gather(row) {
    const names = moveTo(row);
    const at = ofPart(groups, "row").indexOf(row);
    const name = at < 0 ? "loose" : "made";
    said.textContent = words(name, { number: at + 1, cards: names });
  }

  /** @param {string} action @param {HTMLElement} button */
  function act(action, button) {
    if (chosen().length === 0) {
      said.textContent = words("none", {});
    } else if (action === "add") {
      const group = button.closest('[data-part="group"]');
      if (group instanceof HTMLElement) gather(part(group, "row"));
    } else {
      gather(action === "group" ? newGroup() : loose);
    }
  }

  function newGroup() {
    const template = form.querySelector("template");
    const made = template?.content.firstElementChild?.cloneNode(true);
    if (!(made instanceof HTMLElement)) throw new Error("the page has no template of a group");
    groups.append(made);
    return part(made, "row");
  }

  /** @param {string} name @param {Record<string, string | number>} values */
  function words(name, values) {
    const text = form.getAttribute(`data-say-${name}`) ?? "";
    return text.replace(/\{(\w+)\}/g, (_whole, key) => String(values[key] ?? ""));
  }

  tidy();

  form.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("button") : null;
    if (button === null) return;
    if (button.dataset.face !== undefined) {
      const is = button.getAttribute("aria-pressed") === "true";
      button.setAttribute("aria-pressed", String(!is));
    } else if (button.dataset.action !== undefined) {
      act(button.dataset.action, button);
    }
  });

  form.addEventListener("keydown", (event) => {
    if (signOf(event) !== "g" || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act("group", form);
  });
}

/** @param {HTMLButtonElement} card */
function numberOf({ dataset }) {
  return "A23456789TJQKP".indexOf((dataset.face ?? "").charAt(0));
}

/**
 * @param {ParentNode} parent
 * @param {string} name
 * @returns {HTMLElement[]}
 */
function ofPart(parent, name) {
  return [...parent.querySelectorAll(`[data-part="${name}"]`)].filter(
    (element) => element instanceof HTMLElement,
  );
}

/**
 * @param {ParentNode} parent
 * @param {string} name
 */
function part(parent, name) {
  const [found] = ofPart(parent, name);
  if (found === undefined) throw new Error(`the page has no ${name}`);
  return found;
}
