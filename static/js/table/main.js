// The table page: wires what the player does to what the table does.

import { Announcer } from "../lib/announce.js";
import { readJson, region } from "../lib/dom.js";
import { listenToKeys } from "./input/keys.js";
import { listenToTaps } from "./input/buttons.js";
import { DragInput } from "./input/drag.js";
import { keepAwake, unlockSound } from "./io/sound.js";
import { Declaring } from "./controllers/declaring.js";
import { Hands } from "./controllers/hands.js";
import { Narrator } from "./controllers/narrator.js";
import { Play } from "./controllers/play.js";
import { Screen } from "./controllers/screen.js";
import { Dialogs } from "./view/dialogs.js";

const root = region("table");
const texts = readJson("table-texts");
const first = readJson("table-state");

const screen = new Screen(root, texts);
const dialogs = new Dialogs(screen.painter, texts);
const announcer = new Announcer(region("polite"), region("alert"));
const narrator = new Narrator(texts, announcer, screen, dialogs);

/** Only where somebody learns. @type {import("./controllers/coach.js").Coach | null} */
let coach = null;

const purse = root.dataset.purse ? Number(root.dataset.purse) : null;
const play = new Play(first, root.dataset.socket ?? "", purse, {
  changed: () => {
    screen.render(play);
    declaring.offer();
    coach?.follow(play);
  },
  received: (received, before) => {
    screen.history.follow(play.state, received.events);
    narrator.received(play, received, before);
  },
  goodbye: (code, message) => narrator.goodbye(code, message),
  said: (lines) => {
    const told = screen.chat.add(play.state, lines);
    if (told !== null) screen.toast(told);
  },
  warned: (text) => narrator.warn(text),
  // For me.js, which opens no socket of its own here.
  told: (message) => document.dispatchEvent(new CustomEvent("oneself", { detail: message })),
});
const declaring = new Declaring(play, dialogs, texts);
const hands = new Hands(play, screen, dialogs, narrator, declaring);

listenToTaps(document.body, {
  named: { ...hands.actions, coach: () => coach?.toggle(play) },
  card: (card) => play.toggle(card),
  cardTwice: (card) => hands.discard(card),
});
listenToKeys({
  groups: () => play.groups,
  focusedCard: () => screen.hand.focusedCard,
  focusCard: (card) => screen.hand.focusCard(card),
  shift: (card, step) => hands.shift(card, step),
  letters: hands.letters,
  undo: () => hands.undo(),
  escape: () => hands.escape(),
});
const drag = new DragInput(root, region("hand"), hands.dragRules);
hands.cancelDrag = () => drag.cancel();

const talk = document.querySelector('[data-form="say"]');
talk?.addEventListener("submit", (event) => {
  event.preventDefault();
  const field = talk.querySelector("input");
  if (field === null || field.value.trim() === "") return;
  play.say({ text: field.value });
  field.value = "";
});
unlockSound();
if (play.state.you.seat !== null) keepAwake();
screen.render(play);
declaring.offer();
play.start();
if (root.dataset.learns === "yes") {
  void import("./controllers/coach.js").then(({ Coach }) => {
    coach = new Coach(texts, play.state.table.id);
    coach.follow(play);
  });
}
setInterval(() => {
  screen.tick(play);
  narrator.tick(play);
}, 250);
