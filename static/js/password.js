// The eye of a password field: shows what is typed, for as long as one wants.

for (const eye of document.querySelectorAll('[data-action="show-password"]')) {
  const field = document.getElementById(eye.getAttribute("aria-controls") ?? "");
  if (!(eye instanceof HTMLButtonElement) || !(field instanceof HTMLInputElement)) continue;
  eye.hidden = false;
  eye.addEventListener("click", () => {
    const isShown = field.type === "password";
    field.type = isShown ? "text" : "password";
    eye.setAttribute("aria-pressed", String(isShown));
  });
  // Nothing that is sent or remembered was ever a field of text.
  field.form?.addEventListener("submit", () => {
    field.type = "password";
  });
}
