// The coach of a first deal of Rummikub.

import { Coach } from "../../rummy/controllers/coach.js";
import { say } from "../../rummy/core/advice.js";
import { advise, GOALS, reached } from "../core/lesson.js";
import { tileName } from "../core/names.js";
import { gameOf } from "../core/seen.js";

/** @typedef {import("../../../table/core/tell.js").Texts} Texts */
/** @typedef {import("./build.js").Build} Build */

/**
 * @param {Texts} texts
 * @param {number} table
 * @returns {Coach<Build>}
 */
export const createCoach = (texts, table) =>
  new Coach(texts, table, {
    goals: GOALS,
    reached,
    // While a move is pending, nothing has to be pressed.
    advise: (/** @type {Build} */ build) => (build.session.ready ? advise(build) : say("checking")),
    nameOf: (_build, card) => tileName(texts, card),
    numbers: (_rules, { state }) => ({ least: gameOf(state)?.initial_meld ?? 0 }),
  });
