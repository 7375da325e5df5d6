// A contract in words.

import { say } from "../../../table/core/say.js";
import { rulesOf } from "../../rummy/core/laid/seen.js";

/** @typedef {import("../../../table/core/protocol.js").TableState} TableState */
/** @typedef {import("../../../table/core/tell.js").Texts} Texts */

/**
 * "set of 3 + run of 4".
 *
 * @param {Texts} texts
 * @param {TableState} state
 * @param {readonly string[]} contract
 */
export function contractInWords(texts, state, contract) {
  const { min_set: set = 3, min_run: run = 4 } = rulesOf(state);
  return contract
    .map((kind) => (kind === "set" ? say(texts, "set_of", { size: set }) : say(texts, "run_of", { size: run })))
    .join(" + ");
}
