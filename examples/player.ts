// A player's own program in TypeScript for any of the games: plays a practice match by what it is offered, and checks at
// compile time that each move is one of its game.
//
//   npm install openrummy-types
//   node player.ts https://play.example.com TOKEN gin points

import type { FromClient, FromServer, GameCode, Move, State, StateOf } from "openrummy-types/protocol";
import { applyChange, isGame } from "openrummy-types/protocol";

declare const process: { argv: string[] };

const [site = "", token = "", game = "gin", preset = "points"] = process.argv.slice(2);

/** Return the entry of a kind of move, with its own fields, if the move is legal now. */
function find<Entry extends { kind: string }, Kind extends Entry["kind"]>(
  legal: Entry[] | undefined, kind: Kind,
): Extract<Entry, { kind: Kind }> | undefined {
  return legal?.find((entry): entry is Extract<Entry, { kind: Kind }> => entry.kind === kind);
}

function pick<Value>(values: readonly Value[]): Value {
  const value = values[Math.floor(Math.random() * values.length)];
  if (value === undefined) throw new Error("There is nothing to choose from.");
  return value;
}

/** Draw, then put down any card: the same in the games with two piles. */
function drawOrDiscard(
  draw: { source: ("closed" | "open")[] } | undefined, discard: { card: string[] } | undefined,
): { kind: "draw"; source: "closed" | "open" } | { kind: "discard"; card: string } | null {
  if (draw) return { kind: "draw", source: pick(draw.source) };
  return discard?.card.length ? { kind: "discard", card: pick(discard.card) } : null;
}

function playGin({ you }: StateOf<"gin">): Move<"gin"> | null {
  if (find(you.legal, "defend") && you.defence) {
    return { kind: "defend", groups: you.defence.groups, lay_offs: you.defence.lay_offs };
  }
  const groups = you.best_groups ?? [];
  const loose = find(you.legal, "knock")?.card.filter((card) => card !== null && !groups.flat().includes(card));
  const worth = (card: string | null) => Math.min("A23456789TJQK".indexOf(card?.[0] ?? "A"), 9);
  const [card] = loose?.sort((one, other) => worth(other) - worth(one)) ?? [];
  if (card) return { kind: "knock", card, groups };
  if (find(you.legal, "pass")) return { kind: "pass" };
  return drawOrDiscard(find(you.legal, "draw"), find(you.legal, "discard"));
}

function playIndian({ you }: StateOf<"indian">): Move<"indian"> | null {
  for (const kind of ["declare", "show"] as const) {
    if (find(you.legal, kind)) return { kind, groups: you.groups ?? [] };
  }
  return drawOrDiscard(find(you.legal, "draw"), find(you.legal, "discard"));
}

function playBasic({ you }: StateOf<"basic">): Move<"basic"> | null {
  return drawOrDiscard(find(you.legal, "draw"), find(you.legal, "discard"));
}

function playContract({ you }: StateOf<"contract">): Move<"contract"> | null {
  return find(you.legal, "pass") ? { kind: "pass" } : drawOrDiscard(find(you.legal, "draw"), find(you.legal, "discard"));
}

function playRummikub({ you }: StateOf<"rummikub">): Move<"rummikub"> | null {
  const kinds = ["draw", "pass"] as const;
  const kind = kinds.find((one) => find(you.legal, one));
  return kind ? { kind } : null;
}

function playFiveHundred({ you }: StateOf<"five_hundred">): Move<"five_hundred"> | null {
  if (find(you.legal, "draw")) return { kind: "draw", source: "closed" };
  const discard = find(you.legal, "discard");
  return discard?.card.length ? { kind: "discard", card: pick(discard.card) } : null;
}

/** Return a move of the state's game that is legal now, or null. */
function choose(state: State): Move | null {
  if (isGame(state, "gin")) return playGin(state);
  if (isGame(state, "indian")) return playIndian(state);
  if (isGame(state, "basic")) return playBasic(state);
  if (isGame(state, "contract")) return playContract(state);
  if (isGame(state, "rummikub")) return playRummikub(state);
  if (isGame(state, "five_hundred")) return playFiveHundred(state);
  const none: never = state; // the compiler says so where a game is left out
  return none;
}

async function post<Answer>(path: string, body: object): Promise<Answer> {
  const answer = await fetch(`${site}/api/v1/${path}`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${token}`,
      "Content-Type": "application/json",
      "Idempotency-Key": crypto.randomUUID(),
    },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return (answer.status === 204 ? null : await answer.json()) as Answer;
}

function isOver(state: State): boolean {
  return Object.keys(state.table.places).length > 0;
}

const chosen = game as GameCode;
const seated = await post<{ table: number; seat: number; socket: string }>("tables/practice/", {
  game: chosen, preset, strength: "hard",
});
const socket = new WebSocket(site.replace("http", "ws") + seated.socket, ["openrummy", `bearer.${token}`]);
const send = (frame: FromClient) => socket.send(JSON.stringify(frame));
const ping = setInterval(() => send({ type: "ping", c: 0 }), 2500);
let state: State | null = null;
let version = 0;
let asked = 0;

/** Answer a state that has not been answered: with a move, or with the wish to go on. */
function answer(now: State) {
  if (asked === version) return;
  const move = choose(now);
  if (move) send({ type: "act", id: crypto.randomUUID(), v: version, move });
  else if (now.table.awaits_press) send({ type: "again", id: crypto.randomUUID(), amount: 0 });
  else return;
  asked = version;
}

async function finish(place: number | undefined) {
  clearInterval(ping);
  socket.onmessage = null;
  socket.close();
  await post<null>(`tables/${seated.table}/leave/`, {});
  console.log(`The match is over: place ${place}.`);
}

socket.onopen = () => send({ type: "hello", epoch: "", v: 0 });
socket.onmessage = async ({ data }) => {
  const frame: FromServer = JSON.parse(String(data));
  if (frame.type === "snap") {
    state = frame.state;
    version = frame.v;
  } else if (frame.type === "ev") {
    for (const change of frame.changes) {
      if (state && change.v === version + 1) {
        state = applyChange(state, change);
        version = change.v;
      }
    }
  } else if (frame.type === "bye" || (frame.type === "error" && frame.code !== "too_many_messages")) {
    throw new Error(frame.message); // a ping beside too many moves is not missed
  } else if (frame.type === "rej") {
    // Another came first, or these were too many moves at once.
    setTimeout(() => {
      asked = 0;
      if (state && !isOver(state)) answer(state);
    }, 1000);
  }
  if (!state) return;
  if (isOver(state)) await finish(state.table.places[String(seated.seat)]);
  else answer(state);
};
