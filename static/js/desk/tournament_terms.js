// The form of a tournament or its template: hides fields of other formats, schedules and rule sets.

const REBUYS = ["rebuys", "rebuy_rounds", "rebuy_below"];
/** @type {Record<string, string[]>} */
const UNUSED_BY_FORMAT = {
  "knock-out": ["stakes", "start_chips"],
  "heads-up": ["stakes", "start_chips", "seats", "qualifiers", "late_seconds", ...REBUYS],
  "shoot-out": REBUYS,
};
// A pool has as many deals as it takes, and no chips.
const UNUSED_BY_POOLS = ["deals", "rebuy_below"];
/**
 * Values that a format fixes.
 *
 * @type {Record<string, Record<string, string>>}
 */
const FIXED_BY_FORMAT = {
  "heads-up": { seats: "2", qualifiers: "1", late_seconds: "0", rebuys: "0" },
  "shoot-out": { rebuys: "0" },
};
/** @type {Record<string, string[]>} */
const USED_BY_SCHEDULE = {
  never: [],
  minutes: ["every"],
  week: ["weekdays", "times"],
  month: ["date", "times"],
  crontab: ["schedule"],
};

/**
 * @param {string} name
 * @returns {HTMLInputElement | undefined}
 */
const input = (name) => {
  const found = document.querySelector(`#id_${name}`);
  return found instanceof HTMLInputElement ? found : undefined;
};

/**
 * The fields that each choice leaves unused, by its id.
 *
 * @type {Map<string, Set<string>>}
 */
const unused = new Map();
/** @type {Set<string>} */
const known = new Set();

const showRows = () => {
  for (const name of known) {
    const row = document.querySelector(`.form-row.field-${name}`);
    if (!(row instanceof HTMLElement)) continue;
    // A rejected value must stay visible.
    const isRefused = row.classList.contains("errors");
    row.hidden = [...unused.values()].some((names) => names.has(name)) && !isRefused;
  }
};

/**
 * Follow a choice, which leaves some of `names` unused: hide their rows.
 *
 * @param {string} id
 * @param {Iterable<string>} names
 * @param {(chosen: string, choice: HTMLSelectElement) => Iterable<string>} unusedBy
 */
const follow = (id, names, unusedBy) => {
  const choice = document.querySelector(id);
  if (!(choice instanceof HTMLSelectElement)) return;
  for (const name of names) known.add(name);
  const show = () => {
    unused.set(id, new Set(unusedBy(choice.value, choice)));
    showRows();
  };
  choice.addEventListener("change", show);
  show();
};

/**
 * Fields fixed by a format, with the values that were typed there.
 *
 * @type {Map<HTMLInputElement, string>}
 */
const written = new Map();
/** @param {string} format */
const fixValues = (format) => {
  for (const [field, value] of written) field.value = value;
  written.clear();
  for (const [name, value] of Object.entries(FIXED_BY_FORMAT[format] ?? {})) {
    const field = input(name);
    if (field === undefined) continue;
    written.set(field, field.value);
    field.value = value;
  }
};

follow("#id_format", Object.values(UNUSED_BY_FORMAT).flat(), (format) => {
  fixValues(format);
  return UNUSED_BY_FORMAT[format] ?? [];
});
follow("#id_preset", UNUSED_BY_POOLS, (rules, choice) =>
  choice.dataset.pools?.split(" ").includes(rules) ? UNUSED_BY_POOLS : [],
);
const OF_SCHEDULES = Object.values(USED_BY_SCHEDULE).flat();
follow("#id_repeats", OF_SCHEDULES, (repeats) =>
  OF_SCHEDULES.filter((name) => !USED_BY_SCHEDULE[repeats]?.includes(name)),
);
