// The kinds of tables of a game that match a player's choices.

/**
 * @typedef {object} Option A kind of table (lobby/tiles.py).
 * @property {number} id
 * @property {string} format
 * @property {number} seats
 * @property {string} stake As text.
 * @property {number} value The stake, in the smallest unit of its currency.
 * @property {string} money
 * @property {boolean} practice
 * @property {string} facts
 * @property {string} brings The largest stack that "Play now" brings, as text; empty for an entry fee.
 * @property {string} rules Differences from the default rules, as text; empty if there are none.
 */

/** @typedef {Pick<Option, "format" | "seats" | "value" | "money" | "practice">} Wish */

/**
 * @typedef {object} Choice
 * @property {Option} option The best match.
 * @property {readonly string[]} formats The available ones.
 * @property {readonly number[]} seats Those of the format, ascending.
 * @property {readonly Option[]} stakes Those of the format and seats, ascending.
 * @property {readonly ("format" | "seats" | "stake")[]} changed What differs from the wish.
 */

/**
 * Money and practice count before the format, then the seats, then the stake. What is unavailable becomes
 * what comes nearest, and is named in `changed`; chips never become cash.
 *
 * @param {readonly Option[]} options
 * @param {Wish} wish
 * @returns {Choice | null} Null if there is none for this money.
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
  return { option, formats, seats, stakes, changed: findChanged(option, wish) };
}

/**
 * @param {Option} option
 * @param {Wish} wish
 */
function findChanged(option, wish) {
  /** @type {("format" | "seats" | "stake")[]} */
  const changed = [];
  if (option.format !== wish.format) changed.push("format");
  if (option.seats !== wish.seats) changed.push("seats");
  if (option.value !== wish.value) changed.push("stake");
  return changed;
}

/**
 * The choice one step further; unchanged at the end.
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

/** Widths in a row of chips, in pixels of a narrow tile, including a list of further ones. */
const ROW = 344;
const LIST = 50;
const CHIP = 30;
const LETTER = 8.5;

/**
 * The formats shown in one row, at least one, and those in a list beside them.
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
