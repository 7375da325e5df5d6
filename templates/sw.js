// The service worker: a page without a network, and messages that come while no page is open. It
// keeps the files of that one page and nothing else.

const WORKER = {{ worker|safe }};

async function keepShell() {
  const cache = await caches.open(WORKER.cache);
  await cache.addAll([WORKER.offline, ...WORKER.shell]);
  await self.skipWaiting();
}

async function dropOld() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== WORKER.cache).map((name) => caches.delete(name)));
  await self.clients.claim();
}

// A message is JSON: title, body, url (a path of this site), tag.
async function show(message) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  // Who looks at the site sees it there.
  if (pages.some((page) => page.visibilityState === "visible")) return;
  const { title, body, url, tag, lang } = message;
  await self.registration.showNotification(title, {
    body,
    tag,
    lang,
    renotify: true,
    icon: WORKER.icon,
    badge: WORKER.badge,
    data: { url },
  });
}

async function open(url) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = pages.find((page) => new URL(page.url).pathname === url);
  if (there !== undefined) await there.focus();
  else await self.clients.openWindow(url);
}

self.addEventListener("install", (event) => event.waitUntil(keepShell()));
self.addEventListener("activate", (event) => event.waitUntil(dropOld()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") {
    event.respondWith(fetch(request).catch(() => caches.match(WORKER.offline)));
  } else if (WORKER.shell.includes(new URL(request.url).pathname)) {
    event.respondWith(fetch(request).catch(() => caches.match(request)));
  }
});

self.addEventListener("push", (event) => {
  if (event.data !== null) event.waitUntil(show(event.data.json()));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { url } = event.notification.data;
  if (typeof url === "string" && url.startsWith("/")) event.waitUntil(open(url));
});
