// The offline page, shown in place of another page, which it loads as soon as the server answers.
(() => {
  const PAUSE_MS = 3_000;

  async function look() {
    if (!navigator.onLine) return;
    try {
      await fetch("/healthz", { cache: "no-store" });
      location.reload();
    } catch {
      // Not yet.
    }
  }

  addEventListener("online", () => void look());
  setInterval(() => void look(), PAUSE_MS);
})();
