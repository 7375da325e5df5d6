// The waiting room of a private table: who is there and ready, its rules, the invitation. The server renders it
// anew whenever somebody comes, goes or gets ready, and after other rules the whole page.

import { find } from "./lib/dom.js";
import { canPassOn, copyLink, passOn } from "./lib/sharing.js";

const room = find('[data-region="room"]');
const part = find('[data-part="room"]', room);
const url = room.dataset.link ?? "";

const rulesSeen = () => JSON.stringify(JSON.parse(room.dataset.seen ?? "[]")[2]);
/** The rules that this page was made with; undefined before the table has opened. */
let rules = rulesSeen();

/** Shows the share button where the device has a sheet for it. */
function offerToShare() {
  const share = part.querySelector('[data-invite="share"]');
  if (share instanceof HTMLElement) share.hidden = !canPassOn;
}

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
  if (isInUse()) {
    part.addEventListener("toggle", () => void renew(), { once: true, capture: true });
    return;
  }
  try {
    const answer = await fetch(room.dataset.source ?? "");
    if (!answer.ok || isInUse()) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const focused = nameOf(document.activeElement);
    part.replaceChildren(...page.body.childNodes);
    offerToShare();
    const again = focused === null ? null : part.querySelector(focused);
    if (again instanceof HTMLElement) again.focus();
    else if (focused !== null) room.focus();
  } catch {
    // Without a network the room shows what it last knew; the next change asks again.
  }
}

function follow() {
  if (rules !== undefined && rulesSeen() !== rules) location.reload();
  rules = rulesSeen();
  if (!room.hidden) void renew();
}

part.addEventListener("click", (event) => {
  const way = event.target instanceof Element ? event.target.closest("[data-invite]") : null;
  if (!(way instanceof HTMLElement)) return;
  if (way.dataset.invite === "share") void passOn(url, document.title);
  // Where it cannot be copied, the link below is copied by hand.
  else void copyLink(way, url).then((done) => done || part.querySelector(".entrance__link")?.scrollIntoView());
});
offerToShare();
new MutationObserver(follow).observe(room, { attributeFilter: ["data-seen", "hidden"] });
