// The page of a table: wires what the player does to what the table does. It knows no game; the
// script of the page is the game's own, which opens the table with itself.

import { Announcer } from "../lib/announce.js";
import { readJson, region } from "../lib/dom.js";
import { listenToTaps } from "./input/buttons.js";
import { keepAwake, player, unlockSound } from "./io/sound.js";
import { chairActions, listenToTalk } from "./controllers/chairs.js";
import { Narrator } from "./controllers/narrator.js";
import { Screen } from "./controllers/screen.js";
import { Session } from "./controllers/session.js";
import { CardPainter } from "./view/card.js";
import { Dialogs } from "./view/dialogs.js";

/** @typedef {import("./core/game.js").Shell} Shell */
/** @typedef {import("./core/game.js").TableGame} TableGame */

/** @typedef {typeof import("./effects/main.js")} EffectsModule */

/**
 * @param {(shell: Shell) => TableGame} create Makes the game of this table.
 * @param {() => Promise<EffectsModule>} loadEffects Called when the table stands.
 */
export function openTable(create, loadEffects) {
  const root = region("table");
  const texts = readJson("table-texts");
  const purse = root.dataset.purse ? Number(root.dataset.purse) : null;
  const session = new Session(readJson("table-state"), root.dataset.socket ?? "", purse);
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
    left: () => screen.left,
    closeDrawer: () => root.classList.remove("table--drawer"),
  };
  const game = create(shell);
  screen.game = game;
  narrator.game = game;

  /** @type {InstanceType<EffectsModule["Effects"]> | null} */
  let effects = null;
  listenToTaps(document.body, {
    named: { ...chairActions(shell, game), "close-toast": () => screen.closeToast(), ...game.actions },
    card: (card) => game.tapped(card),
    cardTwice: (card) => game.tappedTwice(card),
  });
  listenToTalk(session);
  unlockSound();
  // Told by the tabs of the player's other tables (own_tables.js).
  document.addEventListener("turn-elsewhere", () => effects?.play("call"));
  if (session.state.you.seat !== null) keepAwake();
  screen.render();
  narrator.play = (name) => effects?.play(name);
  session.start({
    changed: () => {
      screen.render();
      effects?.drawn();
    },
    received: (received, before) => {
      effects?.received(received);
      game.received(received);
      narrator.received(session, received, before);
    },
    goodbye: (code, message) => narrator.goodbye(code, message),
    said: (lines) => {
      const told = screen.chat.add(session.state, lines);
      if (told === null) return;
      screen.seats.say(told.seat, told.words);
      effects?.play("chat");
    },
    warned: (text) => narrator.warn(text),
    // For me.js, which opens no socket of its own here.
    told: (message) => document.dispatchEvent(new CustomEvent("oneself", { detail: message })),
  }, game);
  void loadEffects().then(({ Effects }) => {
    effects = new Effects(shell, game, player);
  });
  setInterval(() => {
    screen.tick();
    narrator.tick(session);
  }, 250);
}
