// The tabs beside a replay: moves, analysis, discards. The address `#analysis` opens that one.

/** @param {() => void} onShow Called after another panel is shown. */
export function openTabs(onShow) {
  /** @type {NodeListOf<HTMLElement>} */
  const found = document.querySelectorAll('[role="tab"]');
  const tabs = [...found].filter(({ hidden }) => !hidden);

  /** @param {HTMLElement} chosen */
  function show(chosen) {
    for (const tab of tabs) {
      const isChosen = tab === chosen;
      tab.setAttribute("aria-selected", String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      const panel = document.getElementById(tab.getAttribute("aria-controls") ?? "");
      if (panel !== null) panel.hidden = !isChosen;
    }
    onShow();
  }

  /** @type {Record<string, (at: number) => number>} */
  const KEYS = {
    ArrowLeft: (at) => at - 1,
    ArrowRight: (at) => at + 1,
    Home: () => 0,
    End: () => -1,
  };

  for (const [at, tab] of tabs.entries()) {
    tab.addEventListener("click", () => show(tab));
    tab.addEventListener("keydown", (event) => {
      const to = KEYS[event.key];
      if (to === undefined) return;
      event.preventDefault();
      const next = tabs.at(to(at) % tabs.length);
      if (next === undefined) return;
      show(next);
      next.focus();
    });
  }

  const byAddress = () => {
    const tab = tabs.find(({ id }) => id === `tab-${location.hash.slice(1)}`);
    if (tab === undefined) return;
    show(tab);
    tab.scrollIntoView({ block: "nearest" });
  };
  addEventListener("hashchange", byAddress);
  byAddress();
}
