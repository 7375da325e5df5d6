// The coach of a first deal of 500 Rum.

import { cardName } from "../../../table/core/tell.js";
import { Coach } from "../../rummy/controllers/coach.js";
import { advise, GOALS, reached } from "../core/lesson.js";

/** @typedef {import("../../../table/core/tell.js").Texts} Texts */
/** @typedef {import("./play.js").Play} Play */

/** @param {Play} play */
const seen = ({ state, may, takeable }) => ({ state, may, takeable });

/**
 * @param {Texts} texts
 * @param {number} table
 * @returns {Coach<Play>}
 */
export const createCoach = (texts, table) =>
  new Coach(texts, table, {
    goals: GOALS,
    reached: (play) => reached(seen(play)),
    advise: (play) => advise(seen(play)),
    nameOf: (_play, card) => cardName(texts, card, null),
    numbers: () => ({}),
  });
