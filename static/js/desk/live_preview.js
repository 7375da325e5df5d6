// A form with a preview: it follows what is typed, before anything is saved.

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
    // A slower answer to an earlier state of the form says nothing any more.
    if (answer.ok && asked === newest) preview.innerHTML = await answer.text();
  };
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = window.setTimeout(show, PAUSE_MS);
  });
}
