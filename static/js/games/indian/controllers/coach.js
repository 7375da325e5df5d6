// The coach of a first deal of Indian rummy.

import { cardName } from "../../../table/core/tell.js";
import { Coach } from "../../rummy/controllers/coach.js";
import { say } from "../../rummy/core/advice.js";
import { advise, GOALS, reached } from "../core/lesson.js";

/** @typedef {import("../../../table/core/tell.js").Texts} Texts */
/** @typedef {import("./play.js").Play} Play */

/** @param {Play} play */
const seen = ({ state, groups, wild, arrangement }) => ({ state, groups, wild, rev: arrangement.rev });

/**
 * @param {Texts} texts
 * @param {number} table
 * @returns {Coach<Play>}
 */
export const createCoach = (texts, table) =>
  new Coach(texts, table, {
    goals: GOALS,
    reached: (play) => reached(seen(play)),
    // While a hand is being submitted, nothing more has to be pressed.
    advise: (play) => (play.moving?.kind === "declare" ? say("declared") : advise(seen(play))),
    nameOf: ({ wild }, card) => cardName(texts, card, wild),
    numbers: (rules) => ({ most: rules.max_points ?? 0, wrong: rules.wrong_declaration_points ?? 0 }),
  });
