// Chromium keeps the boxes of some texts that it laid out before the font of their script came. Where one
// came, everything is laid out once more.

await document.fonts.ready;
if ([...document.fonts].some(({ status }) => status === "loaded")) {
  const { body } = document;
  const top = scrollY;
  body.hidden = true;
  void body.offsetHeight;
  body.hidden = false;
  scrollTo(0, top);
}
