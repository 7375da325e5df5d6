// Errors that no script has caught go to the operator's log: what failed and where, not who plays.

const MOST = 3;
const LONGEST = 1500;

let reported = 0;

/**
 * @param {unknown} error
 * @param {string} address Where the reports go.
 */
function report(error, address) {
  const { message = "", stack = "" } = error instanceof Error ? error : {};
  // Extensions fail in our pages too; their files are not ours.
  if (!stack.includes(`${location.origin}/static/`) || reported >= MOST) return;
  reported += 1;
  const body = JSON.stringify({
    message: message.slice(0, LONGEST),
    stack: stack.slice(0, LONGEST),
    page: location.pathname,
  });
  // A page that is being left still sends it. Nobody is told if it fails.
  fetch(address, {
    method: "POST",
    keepalive: true,
    headers: { "Content-Type": "application/json" },
    body,
  }).catch(() => undefined);
}

/** @param {string} address */
export function reportErrors(address) {
  addEventListener("error", ({ error }) => report(error, address));
  addEventListener("unhandledrejection", ({ reason }) => report(reason, address));
}
