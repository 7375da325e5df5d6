// A form with a preview that follows the typing, before anything is saved.

const preview = document.querySelector("[data-preview-url]");
const form = preview?.closest("form");
const PAUSE_MS = 300;

if (preview instanceof HTMLElement && form instanceof HTMLFormElement) {
  let timer = 0;
  let newest = 0;
  const show = async () => {
    newest += 1;
    const asked = newest;
    const answer = await fetch(preview.dataset.previewUrl ?? "", {
      method: "POST",
      body: new FormData(form),
    });
    // Ignore a slow answer to an earlier state of the form.
    if (answer.ok && asked === newest) preview.innerHTML = await answer.text();
  };
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = window.setTimeout(show, PAUSE_MS);
  });
}
