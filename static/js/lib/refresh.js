// Parts of a page that the server draws again when something has happened to them: elements with
// `data-refresh-on` and the type of a notice.

/** @param {string} kind */
export async function refreshParts(kind) {
  const selector = `[data-refresh-on="${CSS.escape(kind)}"]`;
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
    // Only a hint: the page shows it when it is loaded again.
  }
}
