// What makes a table lively: cards that travel, sounds. Loaded when the table stands already, so that
// it waits for nothing of this.

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
    this.travel = new Travel(shell.painter);
  }

  /**
   * Before what was received is drawn. What was missed is not shown again.
   *
   * @param {Received} received
   */
  received({ events, caughtUp, snapped, refusal }) {
    if (refusal !== null) this.play("refused");
    if (caughtUp || snapped) return;
    const { state } = this.session;
    this.travel.depart([...(this.game.journeys?.(events, state) ?? []), ...chipJourneys(events, state)]);
    for (const event of events) {
      const name = event.kind === "match_over" ? ending(state, event) : this.game.sounds?.[event.kind];
      if (name !== undefined) this.play(name);
    }
  }

  /** After it. */
  drawn() {
    this.travel.arrive(this.game.wild());
  }

  /** @param {string} name */
  play(name) {
    play(this.player, name);
  }
}

/**
 * How the match has ended for this player.
 *
 * @param {TableState} state
 * @param {import("../core/protocol.js").GameEvent} event
 */
function ending({ table, you }, { winners }) {
  if (you.seat === null) return undefined;
  const amount = table.settlement?.amounts[String(you.seat)] ?? (winners?.includes(you.seat) ? 0 : -1);
  return amount < 0 ? "lose" : "win";
}
