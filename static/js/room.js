// The waiting room of a private table: who is there and ready, its rules, the invitation. The server renders it
// anew whenever somebody comes, goes or gets ready, and after other rules the whole page.

import { find } from "./lib/dom.js";
import { offerInvitation, onInvitation } from "./lib/sharing.js";

const room = find('[data-region="room"]');
const part = find('[data-part="room"]', room);
const url = room.dataset.link ?? "";

/** What the page has shown last: people, name and rules; undefined before the table has opened. */
let shown = room.dataset.seen;
/** Whether something has changed since the room was rendered. */
let isOld = false;

/** What identifies an element of the room after it was rendered anew. @param {Element | null} element */
function nameOf(element) {
  if (!(element instanceof HTMLElement) || !part.contains(element)) return null;
  const { action, invite, seat } = element.dataset;
  if (action !== undefined) return `[data-action="${action}"]${seat === undefined ? "" : `[data-seat="${seat}"]`}`;
  return invite === undefined ? null : `[data-invite="${invite}"]`;
}

/** Whether somebody writes in the room, or has opened a menu of it. */
const isInUse = () => part.querySelector("details[open]") !== null;

async function renew() {
  if (isInUse()) return;
  try {
    const answer = await fetch(room.dataset.source ?? "");
    if (!answer.ok || isInUse()) return;
    isOld = false;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const focused = nameOf(document.activeElement);
    part.replaceChildren(...page.body.childNodes);
    offerInvitation(part);
    const again = focused === null ? null : part.querySelector(focused);
    if (again instanceof HTMLElement) again.focus();
    else if (focused !== null) room.focus();
  } catch {
    // Without a network the room shows what it last knew; the next change asks again.
  }
}

function follow() {
  const seen = room.dataset.seen ?? "";
  if (shown !== undefined && seen !== shown) {
    const rulesOf = (/** @type {string} */ text) => JSON.stringify(JSON.parse(text)[2]);
    if (rulesOf(seen) !== rulesOf(shown)) location.reload();
    isOld = true;
  }
  shown = seen;
  if (isOld && !room.hidden) void renew();
}

onInvitation(part, () => url);
// What has changed behind an open menu comes when it is closed. The event does not bubble.
part.addEventListener("toggle", () => isOld && void renew(), true);
offerInvitation(part);
new MutationObserver(follow).observe(room, { attributeFilter: ["data-seen", "hidden"] });
