// Keys that act by their letter, on keyboards of any script.

/**
 * The letter, digit or sign that a key stands for. Where the keyboard writes another script, it is that of the same
 * place on an English keyboard.
 *
 * @param {KeyboardEvent} event
 */
export function signOf({ key, code, shiftKey }) {
  if (/^[ -~]$/.test(key)) return key.toLowerCase();
  if (code === "Slash" && shiftKey) return "?";
  return /^(?:Key|Digit)(.)$/.exec(code)?.[1]?.toLowerCase() ?? "";
}
