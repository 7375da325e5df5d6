// A classic script in the head, so that the chosen looks apply before the first paint. The signed-in
// player's choices come with the page and replace those in this browser (lib/prefs.js).
(() => {
  const root = document.documentElement;
  try {
    const own = JSON.parse(root.dataset.preferences ?? "{}");
    const last = localStorage["openrummy.account"];
    // Another player's choices end with their session.
    if (own.account && last && last !== own.account) localStorage.clear();
    // The last choice may still be on its way to the account.
    const [fresh, at] = (localStorage["openrummy.chosen"] ?? "").split(" ");
    for (const name in own) {
      if (name !== fresh || Date.now() - at > 9_999) localStorage[`openrummy.${name}`] = own[name];
    }
    for (const name of "theme suits motion back felt hand sound".split(" ")) {
      const value = localStorage[`openrummy.${name}`];
      if (value && value !== "auto") root.dataset[name] = value;
    }
  } catch {
    // Storage may be forbidden; then the system's setting counts.
  }
})();
