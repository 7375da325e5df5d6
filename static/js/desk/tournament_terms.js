// The form of a tournament or its template: fields of another format or schedule are not shown.

const REBUYS = ["rebuys", "rebuy_rounds", "rebuy_below"];
const UNUSED_BY_FORMAT = {
  "knock-out": ["stakes", "start_chips"],
  "heads-up": ["stakes", "start_chips", "seats", "qualifiers", "late_seconds", ...REBUYS],
  "shoot-out": REBUYS,
};
/**
 * Values that a format does not leave open.
 *
 * @type {Record<string, Record<string, string>>}
 */
const FIXED_BY_FORMAT = {
  "heads-up": { seats: "2", qualifiers: "1", late_seconds: "0", rebuys: "0" },
  "shoot-out": { rebuys: "0" },
};
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
 * Follow a choice: of all the names that it knows, show those that `isShown` says.
 *
 * @param {string} id
 * @param {Record<string, string[]>} names
 * @param {(named: boolean) => boolean} isShown
 * @param {(chosen: string) => void} [before]
 */
const follow = (id, names, isShown, before) => {
  const choice = document.querySelector(id);
  if (!(choice instanceof HTMLSelectElement)) return;
  const all = new Set(Object.values(names).flat());
  const show = () => {
    before?.(choice.value);
    for (const name of all) {
      const row = document.querySelector(`.form-row.field-${name}`);
      if (!(row instanceof HTMLElement)) continue;
      // A value that is refused has to be seen.
      const isRefused = row.classList.contains("errors");
      row.hidden = !isShown(Boolean(names[choice.value]?.includes(name))) && !isRefused;
    }
  };
  choice.addEventListener("change", show);
  show();
};

/**
 * Fields that a format has set, with what was written there.
 *
 * @type {Map<HTMLInputElement, string>}
 */
const written = new Map();
follow("#id_format", UNUSED_BY_FORMAT, (isUnused) => !isUnused, (format) => {
  for (const [field, value] of written) field.value = value;
  written.clear();
  for (const [name, value] of Object.entries(FIXED_BY_FORMAT[format] ?? {})) {
    const field = input(name);
    if (field === undefined) continue;
    written.set(field, field.value);
    field.value = value;
  }
});
follow("#id_repeats", USED_BY_SCHEDULE, (isUsed) => isUsed);
