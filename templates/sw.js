// The service worker: the offline page, and messages that arrive while no page is open. It stores that
// page's files, and the push service's address of this browser.

const WORKER = {{ worker|safe }};

// Some browsers do not say which subscription has ended, so it is stored while it is valid.
const PUSH_CACHE = "openrummy-push";
const PUSH_ADDRESS = "/push-address";

async function keepShell() {
  const cache = await caches.open(WORKER.cache);
  await cache.addAll([WORKER.offline, ...WORKER.shell]);
  await self.skipWaiting();
}

async function takeOver() {
  // The page is requested while the worker starts, not afterwards.
  await self.registration.navigationPreload?.enable();
  await dropOld();
}

async function dropOld() {
  const names = await caches.keys();
  const old = names.filter((name) => name !== WORKER.cache && name !== PUSH_CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.clients.claim();
}

async function notePushAddress() {
  const subscription = await self.registration.pushManager.getSubscription();
  const cache = await caches.open(PUSH_CACHE);
  if (subscription === null) await cache.delete(PUSH_ADDRESS);
  else await cache.put(PUSH_ADDRESS, new Response(subscription.endpoint));
}

// The push service has ended the subscription. Tell the server the new one, or its messages would reach
// nobody.
async function renewPush({ oldSubscription, newSubscription }) {
  const noted = await caches.match(PUSH_ADDRESS, { cacheName: PUSH_CACHE });
  const old = oldSubscription?.endpoint ?? (await noted?.text());
  if (old === undefined || WORKER.pushKey === "") return;
  const fresh =
    newSubscription ??
    (await self.registration.pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: WORKER.pushKey,
    }));
  await fetch(WORKER.renew, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ old, new: fresh }),
  });
  await notePushAddress();
}

// A message is JSON: title, body, url (a path of this site), tag. Browsers take the permission away from a site that
// does not show each one: Safari at once, others after some.
async function show(data) {
  const { title, body, url, tag, lang } = read(data);
  await self.registration.showNotification(title, {
    body,
    tag,
    lang,
    renotify: tag !== undefined,
    silent: await isSeen(),
    icon: WORKER.icon,
    badge: WORKER.badge,
    data: { url },
  });
}

function read(data) {
  try {
    return { title: WORKER.title, url: "/", ...data?.json() };
  } catch {
    return { title: WORKER.title, url: "/" };
  }
}

// Whether somebody is looking at the site, and sees it there, too.
async function isSeen() {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  return pages.some((page) => page.visibilityState === "visible");
}

async function open(url) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = pages.find((page) => new URL(page.url).pathname === url);
  if (there !== undefined) await there.focus();
  // The session may have ended; a signed-in person is redirected at once.
  else await self.clients.openWindow(`${WORKER.signIn}?next=${encodeURIComponent(url)}`);
}

async function page({ request, preloadResponse }) {
  return (await preloadResponse) ?? fetch(request);
}

self.addEventListener("install", (event) => event.waitUntil(keepShell()));
self.addEventListener("activate", (event) => event.waitUntil(takeOver()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") {
    event.respondWith(page(event).catch(() => caches.match(WORKER.offline)));
  } else if (WORKER.shell.includes(new URL(request.url).pathname)) {
    event.respondWith(fetch(request).catch(() => caches.match(request)));
  }
});

self.addEventListener("push", (event) => {
  event.waitUntil(Promise.all([show(event.data), notePushAddress()]));
});

// A page has turned messages on or off.
self.addEventListener("message", (event) => {
  if (event.data === "push-changed") event.waitUntil(notePushAddress());
});

self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renewPush(event)));

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { url } = event.notification.data;
  if (typeof url === "string" && url.startsWith("/")) event.waitUntil(open(url));
});
