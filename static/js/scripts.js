// Chromium keeps the boxes of some texts that it laid out before the font of their script came. When one
// has come, everything is laid out once more.

function layOutAnew() {
  if (![...document.fonts].some(({ status }) => status === "loaded")) return;
  const { body } = document;
  const top = scrollY;
  body.hidden = true;
  void body.offsetHeight;
  body.hidden = false;
  scrollTo(0, top);
}

// Fonts may have come before this runs, or are asked for by a text that is shown later.
void document.fonts.ready.then(layOutAnew);
document.fonts.addEventListener("loadingdone", layOutAnew);
