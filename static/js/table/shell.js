// The page of a table: connects the player's input with the table. It knows no game; the page's script
// belongs to the game, and opens the table with itself.

import { Announcer } from "../lib/announce.js";
import { find, readJson, region, submitForm } from "../lib/dom.js";
import { listenToTaps } from "./input/buttons.js";
import { keepFocus } from "./input/focus.js";
import { keepAwake, player, unlockSound } from "./io/sound.js";
import { nameIn, readIsolated } from "./core/isolated.js";
import { tell } from "./core/tell.js";
import { Narrator } from "./controllers/narrator.js";
import { Screen } from "./controllers/screen.js";
import { Session } from "./controllers/session.js";
import { CardPainter } from "./view/card.js";
import { Dialogs } from "./view/dialogs.js";

/** @typedef {import("./core/game.js").Shell} Shell */
/** @typedef {import("./core/game.js").TableGame} TableGame */

/** @typedef {typeof import("./effects/main.js")} EffectsModule */
/** @typedef {typeof import("./panels/main.js")} PanelsModule */
/** @typedef {import("./core/protocol.js").ChatLine} ChatLine */

/** Buttons answered by panels/main.js, which is loaded after the table. */
const OF_PANELS = [
  ...["drawer", "chat", "tab", "settings", "player", "close-toast"],
  ...["sit", "sit-again", "again", "back", "leave"],
];

/**
 * Loads a part of the page, with retries on a bad connection: until then the panels' buttons do nothing,
 * and the table plays on. Browsers keep a module that they could not fetch as failed, by its address, which some
 * errors tell: another address is fetched again (WHATWG HTML, issue 6768).
 *
 * @template T
 * @template [Used=T]
 * @param {() => Promise<T>} part
 * @param {(part: T) => Used | Promise<Used>} [use]
 * @returns {Promise<Used>}
 */
async function load(part, use = (loaded) => /** @type {any} */ (loaded)) {
  for (let again = 1; ; again += 1) {
    try {
      return await use(await part());
    } catch (error) {
      console.warn(error);
      await new Promise((resolve) => setTimeout(resolve, 3000));
      const [address] = /https?:[^\s?]+/.exec(String(error)) ?? [];
      if (address !== undefined) part = () => import(`${address}?again=${again}`);
    }
  }
}

/**
 * @param {(shell: Shell) => TableGame} create Makes the game of this table.
 * @param {() => Promise<EffectsModule>} loadEffects Called once the table is complete.
 */
export function openTable(create, loadEffects) {
  const root = region("table");
  const texts = readJson("table-texts");
  nameIn(texts);
  const purse = root.dataset.purse ? Number(root.dataset.purse) : null;
  const session = new Session(readIsolated(find("#table-state")), root.dataset.socket ?? "", purse);
  const painter = new CardPainter(root.dataset.suits ?? "", texts);
  const dialogs = new Dialogs(texts);
  const announcer = new Announcer(region("polite"), region("alert"));
  const screen = new Screen(root, texts, session, painter);
  const narrator = new Narrator(texts, announcer, screen, dialogs);
  const shell = {
    root,
    texts,
    session,
    painter,
    dialogs,
    announcer,
    warn: (/** @type {string} */ text) => narrator.warn(text),
    tell: (/** @type {import("./core/protocol.js").GameEvent} */ event) =>
      tell(texts, event, session.state, game.wild(), game.tellers),
    left: () => screen.left,
    closeDrawer: () => root.classList.remove("table--drawer"),
    load,
  };
  const game = create(shell);
  screen.game = game;
  narrator.game = game;

  /** @type {InstanceType<EffectsModule["Effects"]> | null} */
  let effects = null;
  /** @type {InstanceType<PanelsModule["Panels"]> | null} */
  let panels = null;
  // Its address is in the page: each game's script is one file, in another folder.
  const coming = load(
    () => /** @type {Promise<PanelsModule>} */ (import(root.dataset.panels ?? "")),
    ({ openPanels }) => openPanels(shell, game),
  ).then((there) => {
    panels = there;
    for (const lines of unheard.splice(0)) said(lines);
    return there;
  });
  /** Lines from before there was a list. @type {(readonly ChatLine[])[]} */
  const unheard = [];
  const said = (/** @type {readonly ChatLine[]} */ lines) => {
    if (panels === null) {
      unheard.push(lines);
      return;
    }
    const told = panels.said(lines);
    if (told === null) return;
    screen.seats.say(told.seat, told.words);
    effects?.play("chat");
  };
  const ofPanels = Object.fromEntries(
    OF_PANELS.map((name) => [
      name,
      (/** @type {HTMLElement} */ element) => void coming.then(({ actions }) => actions[name]?.(element)),
    ]),
  );
  const actions = {
    start: () => void session.done((id) => ({ type: "start", id })),
    "last-one": () => session.preAction({ last_deal: !session.state.you.last_deal }),
    // After a match leaving costs nothing, so no question is asked.
    "leave-now": () => submitForm("leave"),
    keys: () => void dialogs.keys(),
    say: (/** @type {HTMLElement} */ element) => session.say({ phrase: element.dataset.phrase ?? "" }),
  };
  listenToTaps(document.body, {
    named: { ...ofPanels, ...actions, ...game.actions },
    card: (card) => game.tapped(card),
    cardTwice: (card) => game.tappedTwice(card),
  });
  unlockSound();
  // Sent by the tabs of the player's other tables (own_tables.js).
  document.addEventListener("turn-elsewhere", () => effects?.play("call"));
  if (session.state.you.seat !== null) keepAwake();
  screen.render();
  narrator.play = (name) => effects?.play(name);
  narrator.show = (text) => void coming.then(({ toast }) => toast.show(text));
  narrator.hush = () => void coming.then(({ toast }) => toast.close());
  narrator.away = (moves) => void coming.then((there) => there.away(moves));
  narrator.list = (text, own) => panels?.told(text, own);
  session.start({
    changed: () => {
      effects?.drawing();
      keepFocus(root, () => {
        screen.render();
        panels?.render();
      });
      effects?.drawn();
    },
    received: (received, before) => {
      effects?.received(received);
      game.received(received);
      panels?.received(received);
      narrator.received(session, received, before);
    },
    goodbye: (code, message) => {
      if (code === "taken_over") void coming.then((there) => there.takenOver());
      else narrator.warn(message);
    },
    said,
    warned: (text) => narrator.warn(text),
    // For me.js, which opens no socket of its own here.
    told: (message) => document.dispatchEvent(new CustomEvent("oneself", { detail: message })),
  }, game);
  // The panels' stylesheet positions moving pieces: without it they would widen the page.
  void Promise.all([load(loadEffects), coming]).then(([{ Effects }]) => {
    effects = new Effects(shell, game, player);
  });
  setInterval(() => {
    screen.tick();
    narrator.tick(session);
  }, 250);
}
