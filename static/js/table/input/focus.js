// The keyboard focus when the element that has it cannot be used any more: it stays at the table.

/** @param {Element | null} element */
const isUsable = (element) =>
  element instanceof HTMLElement &&
  element !== document.body &&
  element.isConnected &&
  !element.matches(":disabled") &&
  element.checkVisibility({ visibilityProperty: true });

/**
 * Draws the table. A button that was pressed is often disabled or hidden by it: the focus then goes to
 * the hand, and without one to the first button that can be pressed (WCAG 2.4.3).
 *
 * @param {HTMLElement} root
 * @param {() => void} draw
 */
export function keepFocus(root, draw) {
  const before = document.activeElement;
  draw();
  if (before === null || before === document.body || before.closest("dialog") !== null) return;
  if (isUsable(before) || isUsable(document.activeElement)) return;
  const places = root.querySelectorAll('[data-card][tabindex="0"], button[data-card], button[data-action]');
  const ordered = [...places].sort((one, other) => Number(other.matches("[data-card]")) - Number(one.matches("[data-card]")));
  const place = ordered.find(isUsable);
  if (place instanceof HTMLElement) place.focus({ preventScroll: true });
}
