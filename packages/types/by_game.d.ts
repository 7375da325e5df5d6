
/** By game, the types of what travels of it. */
export interface Games {
/* GAMES */
}

/** The code of a game: `state.table.game`. */
export type GameCode = keyof Games;
/** A type for any game, or for the one that is named. */
type Of<G extends GameCode, Part extends keyof Games[GameCode]> = Games[G][Part];

export type Move<G extends GameCode = GameCode> = Of<G, "move">;
export type Question<G extends GameCode = GameCode> = Of<G, "question">;
/** `you.legal`: an entry for each kind of move, with the values of each field, or null where you fill it in. */
export type Legal<G extends GameCode = GameCode> = Of<G, "legal">;

/** Everything that a player sees of a table of one game. */
export interface StateOf<G extends GameCode> {
  table: Omit<Table, "game"> & { game: G };
  seats: Seats;
  /** Null while no match is on the table. */
  game: Of<G, "game"> | null;
  rules: Of<G, "rules">;
  you: Of<G, "you"> & { seat: number | null; hand: string[] };
}

/** The state of any table. `isGame` tells of which game it is. */
export type State = { [G in GameCode]: StateOf<G> }[GameCode];

/** What has changed at a table of one game: `applyChange` makes the next state of it. */
export interface ChangeOf<G extends GameCode> {
  v: number;
  at: number;
  events: { kind: string; [field: string]: Json }[];
  patch: {
    table?: Partial<StateOf<G>["table"]>;
    seats?: Seats;
    rules?: Of<G, "rules">;
    game?: Of<G, "gamePart"> | null;
  };
  you?: Of<G, "you">;
}

export type Change = { [G in GameCode]: ChangeOf<G> }[GameCode];

/** Say of which game a state is; the compiler knows it from then on. */
export function isGame<G extends GameCode>(state: State, game: G): state is Extract<State, { table: { game: G } }>;

/** Return the state after a change of the next version. */
export function applyChange(state: State, change: Change): State;
