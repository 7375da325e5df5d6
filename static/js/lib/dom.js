// Helpers that create and find elements.

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string | number | boolean | null | undefined>} [attributes] `false`, null
 *   and undefined leave an attribute out; `true` sets it empty.
 * @param {...(Node | string | null)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) setAttribute(element, name, value);
  element.append(...children.filter((child) => child !== null));
  return element;
}

/**
 * @param {Element} element
 * @param {string} name
 * @param {string | number | boolean | null | undefined} value
 */
export function setAttribute(element, name, value) {
  if ((value ?? false) === false) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? "" : String(value));
}

/**
 * Writes only differences, so that nothing is announced or laid out again needlessly.
 *
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * @param {string} selector
 * @param {ParentNode} [root]
 * @returns {HTMLElement}
 */
export function find(selector, root = document) {
  const element = root.querySelector(selector);
  if (!(element instanceof HTMLElement)) throw new Error(`The page has no ${selector}`);
  return element;
}

/** @param {string} name */
export const region = (name) => find(`[data-region="${name}"]`);

/**
 * A picture from another file's sprite.
 *
 * @param {string} href
 * @param {string} className
 */
export function sprite(href, className) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("class", className);
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(space, "use");
  use.setAttribute("href", href);
  svg.append(use);
  return svg;
}

/**
 * Reads the output of Django's `json_script`.
 *
 * @param {string} id
 * @returns {any}
 */
export function readJson(id) {
  return JSON.parse(document.getElementById(id)?.textContent ?? "null");
}

/**
 * Submits one of the page's own forms; the page reloads with the result.
 *
 * @param {string} name
 * @param {Record<string, string | number>} [values] By field.
 */
export function submitForm(name, values = {}) {
  const form = find(`form[data-form="${name}"]`);
  if (!(form instanceof HTMLFormElement)) return;
  for (const [key, value] of Object.entries(values)) {
    const field = form.elements.namedItem(key);
    if (field instanceof HTMLInputElement) field.value = String(value);
  }
  form.submit();
}
