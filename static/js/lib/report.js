// Reports uncaught script errors to the operator's log: what failed and where, not who plays.

const MOST = 3;
const LONGEST = 1500;

let reported = 0;

/**
 * @param {unknown} error
 * @param {string} address Of the reports.
 */
function report(error, address) {
  const { message = "", stack = "" } = error instanceof Error ? error : {};
  // Extensions fail in our pages, too; ignore their files.
  if (!stack.includes(`${location.origin}/static/`) || reported >= MOST) return;
  reported += 1;
  const body = JSON.stringify({
    message: message.slice(0, LONGEST),
    stack: stack.slice(0, LONGEST),
    page: location.pathname,
  });
  // `keepalive` sends it even while the page is being left. A failure is ignored.
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
