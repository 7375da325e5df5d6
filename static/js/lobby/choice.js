// What of a game can be played: the kinds of its tables, narrowed down by what a player wishes.

/**
 * @typedef {object} Option A kind of table (tables/lobby/tiles.py).
 * @property {number} id
 * @property {string} format
 * @property {number} seats
 * @property {string} stake In words.
 * @property {number} value The stake, in the smallest unit of its currency.
 * @property {string} money
 * @property {boolean} practice
 * @property {string} facts
 * @property {string} rules What differs from the usual rules, in words; empty if nothing does.
 */

/** @typedef {Pick<Option, "format" | "seats" | "value" | "money" | "practice">} Wish */

/**
 * @typedef {object} Choice
 * @property {Option} option What comes nearest to the wish.
 * @property {readonly string[]} formats Those that there are.
 * @property {readonly number[]} seats Of the format, from the fewest.
 * @property {readonly Option[]} stakes Of the format and the seats, from the lowest.
 */

/**
 * Money and practice count before the format, then the seats, then the stake. What there is none of
 * is passed over, but chips never become cash.
 *
 * @param {readonly Option[]} options
 * @param {Wish} wish
 * @returns {Choice | null} Null where there is none for this money.
 */
export function choose(options, wish) {
  const affordable = options.filter(({ money }) => money === wish.money);
  if (affordable.length === 0) return null;
  const suited = orAll(affordable, ({ practice }) => practice === wish.practice);
  const formats = [...new Set(suited.map(({ format }) => format))];
  const format = formats.includes(wish.format) ? wish.format : formats[0];
  const alike = suited.filter((option) => option.format === format);
  const seats = [...new Set(alike.map((option) => option.seats))].sort((one, other) => one - other);
  const size = nearest(seats, wish.seats, (number) => number);
  const stakes = alike
    .filter((option) => option.seats === size)
    .sort((one, other) => one.value - other.value);
  const option = /** @type {Option} */ (nearest(stakes, wish.value, ({ value }) => value));
  return { option, formats, seats, stakes };
}

/**
 * The wish one step further; the same one at the end.
 *
 * @param {Choice} choice
 * @param {"seats" | "stake"} what
 * @param {number} by 1 or -1.
 * @returns {Partial<Wish>}
 */
export function step({ option, seats, stakes }, what, by) {
  if (what === "seats") return { seats: seats[seats.indexOf(option.seats) + by] ?? option.seats };
  return { value: stakes[stakes.indexOf(option) + by]?.value ?? option.value };
}

/** Of a row of chips, in pixels of a narrow tile; a list of further ones takes its part of it. */
const ROW = 344;
const LIST = 50;
const CHIP = 30;
const LETTER = 8.5;

/**
 * The formats that lie open in one row, at least one, and those in a list beside them.
 *
 * @param {readonly string[]} formats
 */
export function inPlaces(formats) {
  const widths = formats.map((name) => CHIP + LETTER * name.length);
  const end = (/** @type {number} */ count) => widths.slice(0, count).reduce((sum, width) => sum + width, 0);
  if (end(formats.length) <= ROW) return { open: [...formats], more: [] };
  const fitting = formats.filter((_, at) => end(at + 1) + LIST <= ROW).length;
  const open = Math.max(1, fitting);
  return { open: formats.slice(0, open), more: formats.slice(open) };
}

/**
 * @param {readonly Option[]} options
 * @param {(option: Option) => boolean} test
 */
function orAll(options, test) {
  const some = options.filter(test);
  return some.length > 0 ? some : options;
}

/**
 * @template T
 * @param {readonly T[]} all
 * @param {number} wanted
 * @param {(one: T) => number} number
 * @returns {T | undefined}
 */
function nearest(all, wanted, number) {
  const off = (/** @type {T} */ one) => Math.abs(number(one) - wanted);
  return all.reduce((best, next) => (off(next) < off(best) ? next : best), /** @type {T} */ (all[0]));
}
