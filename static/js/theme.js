// A classic script in the head, so that the chosen theme is there before the first paint.
(() => {
  const root = document.documentElement;
  for (const name of ["theme", "suits", "motion"]) {
    try {
      const value = localStorage.getItem(`openrummy.${name}`);
      if (value && value !== "auto") root.dataset[name] = value;
    } catch {
      return; // storage may be forbidden; then the system decides
    }
  }
})();
