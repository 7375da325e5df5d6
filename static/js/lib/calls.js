// Push messages for this browser while no page is open: requested by a button, never automatically.

/** @typedef {"missing" | "denied" | "on" | "off"} CallState */

/** Whether this browser supports it: TLS, a service worker, a push service. */
const isPossible = () =>
  "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

/** The site's service worker, once it works. Rejects where the browser forbids one, such as in some private windows. */
async function startWorker() {
  await navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" });
  return await navigator.serviceWorker.ready;
}

/**
 * @param {readonly string[]} own SHA-256 of the addresses at which the server reaches this player.
 * @param {(subscription: PushSubscription) => Promise<boolean>} tell Names the player's session to the server.
 * @returns {Promise<CallState>}
 */
export async function callState(own, tell) {
  if (!isPossible()) return "missing";
  if (Notification.permission === "denied") return "denied";
  const registration = await startWorker().catch(() => null);
  if (registration === null) return "missing";
  const subscription = await registration.pushManager.getSubscription();
  if (subscription === null) return "off";
  if (own.includes(await hash(subscription.endpoint))) {
    await tell(subscription);
    return "on";
  }
  // It ended when somebody signed out, or is another player's.
  await subscription.unsubscribe();
  registration.active?.postMessage("push-changed");
  return "off";
}

/** @param {string} text */
async function hash(text) {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * @param {string} key The server's public key, base64url.
 * @param {(subscription: PushSubscription) => Promise<boolean>} tell Whether the server accepted it.
 * @returns {Promise<CallState>} Rejects with the browser's error if its push service is down.
 */
export async function turnOn(key, tell) {
  if ((await Notification.requestPermission()) !== "granted") return Notification.permission === "denied" ? "denied" : "off";
  const registration = await startWorker();
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: key,
  });
  // A subscription that the server does not know is useless.
  if (!(await tell(subscription))) {
    await subscription.unsubscribe();
    throw new Error("the server refused the subscription");
  }
  registration.active?.postMessage("push-changed");
  return "on";
}

/**
 * @param {(subscription: PushSubscription) => Promise<boolean>} tell
 * @returns {Promise<CallState>}
 */
export async function turnOff(tell) {
  const registration = await startWorker();
  const subscription = await registration.pushManager.getSubscription();
  if (subscription === null) return "off";
  await tell(subscription);
  await subscription.unsubscribe();
  registration.active?.postMessage("push-changed");
  return "off";
}
