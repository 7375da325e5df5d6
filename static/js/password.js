// The eye of a password field, which shows the typed text.

for (const eye of document.querySelectorAll('[data-action="show-password"]')) {
  const field = document.getElementById(eye.getAttribute("aria-controls") ?? "");
  if (!(eye instanceof HTMLButtonElement) || !(field instanceof HTMLInputElement)) continue;
  eye.hidden = false;
  eye.addEventListener("click", () => {
    const isShown = field.type === "password";
    field.type = isShown ? "text" : "password";
    eye.setAttribute("aria-pressed", String(isShown));
  });
  // Turn it back into a password field before it is sent, so that browsers do not remember it as text.
  field.form?.addEventListener("submit", () => {
    field.type = "password";
  });
}
