// The kinds of tables of a game that match a player's choices.

/**
 * @typedef {object} Option A kind of table (lobby/tiles.py).
 * @property {number} id
 * @property {string} format
 * @property {number} seats
 * @property {string} players The seats as text.
 * @property {string} stake As text.
 * @property {number} value The stake, in the smallest unit of its currency.
 * @property {string} summary
 * @property {string} money
 * @property {boolean} practice
 * @property {string} facts
 * @property {string} brings The largest stack that "Play now" brings, as text; empty for an entry fee.
 * @property {string} rules Differences from the default rules, as text; empty if there are none.
 */

/** @typedef {Pick<Option, "format" | "seats" | "value" | "money" | "practice">} Wish */

/**
 * @typedef {object} Way A value that can be chosen for one thing.
 * @property {string | number} value
 * @property {string} text
 * @property {boolean} isChosen
 * @property {Option | null} option The table that it leads to; null if the format has none.
 * @property {string} only What else would have to change, as text; empty if nothing.
 */

/**
 * @typedef {object} Choice
 * @property {Option} option The best match.
 * @property {readonly Way[]} format
 * @property {readonly Way[]} seats Every number of seats of the game, ascending.
 * @property {readonly Way[]} stake Those of the format, ascending.
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
  const format = suited.some((option) => option.format === wish.format) ? wish.format : suited[0]?.format;
  const alike = suited.filter((option) => option.format === format);
  const size = nearest(alike, wish.seats, ({ seats }) => seats)?.seats;
  const option = /** @type {Option} */ (
    nearest(alike.filter(({ seats }) => seats === size), wish.value, ({ value }) => value)
  );
  return {
    option,
    format: listFormats(suited, option),
    seats: listSeats(suited, alike, option, wish.value),
    stake: listStakes(alike, option),
    changed: findChanged(option, wish),
  };
}

/**
 * @param {readonly Option[]} suited
 * @param {Option} chosen
 * @returns {Way[]}
 */
function listFormats(suited, chosen) {
  const first = new Map(suited.toReversed().map((option) => [option.format, option]));
  return [...new Set(suited.map(({ format }) => format))].map((format) => ({
    value: format,
    text: format,
    isChosen: format === chosen.format,
    option: first.get(format) ?? null,
    only: "",
  }));
}

/**
 * @param {readonly Option[]} suited
 * @param {readonly Option[]} alike Those of the chosen format.
 * @param {Option} chosen
 * @param {number} value The stake that was wished for.
 * @returns {Way[]}
 */
function listSeats(suited, alike, chosen, value) {
  const sizes = new Map(suited.map(({ seats, players }) => [seats, players]));
  return [...sizes].sort(([one], [other]) => one - other).map(([seats, players]) => {
    const same = alike.filter((option) => option.seats === seats);
    const option = nearest(same, value, (one) => one.value) ?? null;
    const only = option === null || same.some((one) => one.stake === chosen.stake) ? "" : option.stake;
    return { value: seats, text: players, isChosen: seats === chosen.seats, option, only };
  });
}

/**
 * @param {readonly Option[]} alike
 * @param {Option} chosen
 * @returns {Way[]}
 */
function listStakes(alike, chosen) {
  const stakes = new Map(alike.map(({ value, stake }) => [value, stake]));
  return [...stakes].sort(([one], [other]) => one - other).map(([value, stake]) => {
    const same = alike.filter((option) => option.value === value);
    const option = nearest(same, chosen.seats, ({ seats }) => seats) ?? null;
    const only = option === null || option.seats === chosen.seats ? "" : option.players;
    return { value, text: stake, isChosen: value === chosen.value, option, only };
  });
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
