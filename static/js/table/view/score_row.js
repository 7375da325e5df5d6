// A line of a score sheet.

import { make } from "../../lib/dom.js";

/**
 * @param {string} title
 * @param {readonly string[]} cells
 * @param {string | null} [className]
 */
export const scoreRow = (title, cells, className = null) =>
  make(
    "tr",
    { class: className },
    make("th", { scope: "row" }, title),
    ...cells.map((text) => make("td", {}, text)),
  );
