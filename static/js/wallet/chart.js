// The chart of a statement: the balance over time, as steps. The sentence and the table below it contain
// the same for people who cannot see it.

import { formatAmount, wordsIn } from "../lib/format.js";
import { readPoints } from "./points.js";

// In seconds.
const SHORTEST = 600;
const DAY = 86_400;
const MONTH = 28 * DAY;

const language = () => document.documentElement.lang || "en";

/** @param {HTMLElement} figure Its stylesheet, wallet.css, provides the colours. */
function coloursOf(figure) {
  const style = getComputedStyle(figure);
  return { axes: style.color, grid: style.borderTopColor, line: style.textDecorationColor };
}

/**
 * @param {HTMLElement} figure
 * @param {HTMLElement} place
 * @param {import("./points.js").Points} points
 */
function draw(figure, place, { currency, zone, times, balances }) {
  // A classic script, loaded before this module.
  const Chart = /** @type {any} */ (globalThis).uPlot;
  const unit = currency === "INR" ? 100 : 1;
  const at = figure.querySelector(".chart__at");
  const day = new Intl.DateTimeFormat(wordsIn(language()), { timeZone: zone, day: "numeric", month: "short" });
  const month = new Intl.DateTimeFormat(wordsIn(language()), { timeZone: zone, month: "short", year: "numeric" });
  const time = new Intl.DateTimeFormat(wordsIn(language()), { timeZone: zone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  let colours = coloursOf(figure);

  /** @param {number} seconds */
  const when = (seconds) => new Date(seconds * 1_000);
  /** @param {number} value */
  const amount = (value) => formatAmount(Math.round(value * unit), currency);
  /** @param {unknown} _chart @param {number[]} marks @param {number} _axis @param {number} _space @param {number} step */
  const momentsOf = (_chart, marks, _axis, _space, step) =>
    marks.map((mark) => (step < DAY ? time : step < MONTH ? day : month).format(when(mark)));
  /** @param {unknown} _chart @param {number[]} marks */
  const amountsOf = (_chart, marks) => marks.map(amount);
  const axis = { stroke: () => colours.axes, grid: { stroke: () => colours.grid, width: 1 }, ticks: { stroke: () => colours.grid, width: 1 } };

  /** @param {unknown} _chart @param {number} first @param {number} last */
  const spanOf = (_chart, first, last) => [first, Math.max(last, first + SHORTEST)];

  /** @param {any} chart */
  function tell(chart) {
    const index = chart.cursor.idx;
    if (at === null) return;
    at.textContent =
      index === null || index === undefined
        ? ""
        : `${day.format(when(times[index] ?? 0))}, ${time.format(when(times[index] ?? 0))}: ${formatAmount(balances[index] ?? 0, currency)}`;
  }

  const size = () => ({ width: place.clientWidth, height: place.clientHeight });
  const chart = new Chart(
    {
      ...size(),
      tzDate: (/** @type {number} */ seconds) => Chart.tzDate(when(seconds), zone),
      legend: { show: false },
      cursor: { drag: { x: false, y: false } },
      hooks: { setCursor: [tell] },
      scales: { x: { range: spanOf } },
      axes: [
        { ...axis, values: momentsOf },
        { ...axis, values: amountsOf, size: 84 },
      ],
      series: [
        {},
        {
          stroke: () => colours.line,
          width: 2,
          paths: Chart.paths.stepped({ align: 1 }),
          points: { show: false },
        },
      ],
    },
    [times, balances.map((balance) => balance / unit)],
    place,
  );

  new ResizeObserver(() => chart.setSize(size())).observe(place);
  const repaint = () => {
    colours = coloursOf(figure);
    chart.redraw();
  };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
  new MutationObserver(repaint).observe(document.documentElement, { attributeFilter: ["data-theme"] });
}

const figure = document.querySelector('[data-region="balance-chart"]');
const place = figure?.querySelector(".chart__canvas");
const points = readPoints(document.getElementById("balance-points")?.textContent ?? "");
if (figure instanceof HTMLElement && place instanceof HTMLElement && points !== null) {
  draw(figure, place, points);
}
