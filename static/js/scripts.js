// Chromium keeps the layout of some texts from before the font of their script was loaded. After loading,
// everything is laid out again.

function layOutAnew() {
  if (![...document.fonts].some(({ status }) => status === "loaded")) return;
  const { body } = document;
  const top = scrollY;
  body.hidden = true;
  void body.offsetHeight;
  body.hidden = false;
  scrollTo(0, top);
}

// Fonts may have loaded before this runs, or be requested by a text that is shown later.
void document.fonts.ready.then(layOutAnew);
document.fonts.addEventListener("loadingdone", layOutAnew);
