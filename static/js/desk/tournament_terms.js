// The form of a tournament or its template: fields of another format are not shown.

const OF_SHOOT_OUTS = ["stakes", "start_chips"];
const OF_REBUYS = ["rebuys", "rebuy_rounds", "rebuy_below"];

const format = document.querySelector("#id_format");
if (format instanceof HTMLSelectElement) {
  /**
   * @param {string[]} names
   * @param {boolean} isShown
   */
  const show = (names, isShown) => {
    for (const name of names) {
      const row = document.querySelector(`.form-row.field-${name}`);
      if (row instanceof HTMLElement) row.hidden = !isShown;
    }
  };
  const follow = () => {
    const isShootOut = format.value === "shoot-out";
    show(OF_SHOOT_OUTS, isShootOut);
    // A number that is refused has to be seen.
    const rebuys = document.querySelector("#id_rebuys");
    const hasRebuys = rebuys instanceof HTMLInputElement && Number(rebuys.value) > 0;
    show(OF_REBUYS, !isShootOut || hasRebuys);
  };
  format.addEventListener("change", follow);
  follow();
}
