// A classic script in the head, so that the chosen looks are there before the first paint.
(() => {
  const root = document.documentElement;
  for (const name of ["theme", "suits", "motion", "back", "felt", "hand", "sound"]) {
    try {
      const value = localStorage.getItem(`openrummy.${name}`);
      if (value && value !== "auto") root.dataset[name] = value;
    } catch {
      return; // storage may be forbidden; then the system decides
    }
  }
})();
