// Parts of a page that the server renders again after a notice: elements with `data-refresh-on` and the
// notice's type.

/** @param {...string} kinds */
export async function refreshParts(...kinds) {
  const selector = kinds.map((kind) => `[data-refresh-on="${CSS.escape(kind)}"]`).join();
  if (document.querySelector(selector) === null) return;
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    if (!answer.ok || answer.redirected) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const old = document.querySelectorAll(selector);
    const fresh = page.querySelectorAll(selector);
    if (fresh.length !== old.length) return;
    old.forEach((part, at) => part.replaceWith(/** @type {Element} */ (fresh[at])));
  } catch {
    // It is only a hint: the page shows the change when it is reloaded.
  }
}
