// A table's effects: moving cards, large letters, sounds. Loaded after the table, so that it waits for none
// of them.

import { chipJourneys } from "./chips.js";
import { play } from "./sounds.js";
import { Travel } from "./travel.js";

/** @typedef {import("../core/game.js").Shell} Shell */
/** @typedef {import("../core/game.js").TableGame} TableGame */
/** @typedef {import("../core/protocol.js").TableState} TableState */
/** @typedef {import("../core/sync.js").Received} Received */
/** @typedef {import("../io/sound.js").Player} Player */

export class Effects {
  /**
   * @param {Shell} shell
   * @param {TableGame} game
   * @param {Player} player
   */
  constructor(shell, game, player) {
    this.game = game;
    this.session = shell.session;
    this.player = player;
    this.travel = new Travel(game.pieces ?? cards(shell, game));
    this.missed = false;
  }

  /**
   * Before received events are drawn. Missed ones are not animated.
   *
   * @param {Received} received
   */
  received({ events, caughtUp, snapped, refusal }) {
    if (refusal !== null) this.play("refused");
    this.missed = caughtUp || snapped;
    if (this.missed) return;
    const { state } = this.session;
    this.travel.depart([...(this.game.journeys?.(events, state) ?? []), ...chipJourneys(events, state)]);
    for (const event of events) {
      const sound = event.kind === "match_over" ? ending(state, event) : this.game.sounds?.[event.kind];
      if (sound !== undefined) this.play(typeof sound === "string" ? sound : sound(event));
      const moment = this.game.moment?.(event) ?? null;
      if (moment !== null) this.travel.show(moment);
    }
  }

  /** Before the table is drawn again. */
  drawing() {
    if (!this.missed) this.travel.depart(this.game.moved?.() ?? []);
  }

  /** After it. */
  drawn() {
    this.missed = false;
    this.travel.arrive();
  }

  /** @param {string} name */
  play(name) {
    play(this.player, name);
  }
}

/**
 * @param {Shell} shell
 * @param {TableGame} game
 * @returns {import("../core/game.js").Pieces}
 */
const cards = ({ painter }, game) => ({
  ratio: 1.42,
  picture: (card) => painter.picture(card, game.wild()),
  back: () => painter.back(),
});

/**
 * The match's result for this player.
 *
 * @param {TableState} state
 * @param {import("../core/protocol.js").GameEvent} event
 */
function ending({ table, you }, { winners }) {
  if (you.seat === null) return undefined;
  const amount = table.settlement?.amounts[String(you.seat)] ?? (winners?.includes(you.seat) ? 0 : -1);
  return amount < 0 ? "lose" : "win";
}
