// A rummy of draws and discards on colyseus, whose rooms are in memory only.

const { Room, Server } = require("@colyseus/core");
const { Client } = require("@colyseus/sdk");
const { StateView, schema, t } = require("@colyseus/schema");
const { WebSocketTransport } = require("@colyseus/ws-transport");
const { answer, playAll, shuffle, startServer, tell } = require("./asking.cjs");

const Player = schema({ hand: t.array("uint8").view() }, "Player");
const State = schema(
  { players: t.array(Player), open: t.array("uint8"), turn: t.uint8(), version: t.uint32(), drawn: t.boolean() },
  "State",
);

class Rummy extends Room {
  maxClients = 4;
  patchRate = null; // each move is sent at once

  onCreate() {
    this.state = new State().assign({ turn: 0, version: 0, drawn: false });
    this.stock = shuffle();
    this.onMessage("draw", (client) => {
      if (this.state.drawn || this.seatOf(client) !== this.state.turn) return;
      if (this.stock.length === 0) this.stock = this.state.open.splice(0);
      this.state.players[this.state.turn].hand.push(this.stock.pop());
      this.state.drawn = true;
      this.tell();
    });
    this.onMessage("discard", (client, card) => {
      const { hand } = this.state.players[this.state.turn];
      const place = hand.indexOf(card);
      if (!this.state.drawn || this.seatOf(client) !== this.state.turn || place < 0) return;
      hand.splice(place, 1);
      this.state.open.push(card);
      this.state.drawn = false;
      this.state.turn = (this.state.turn + 1) % this.state.players.length;
      this.tell();
    });
  }

  seatOf(client) {
    return this.clients.indexOf(client);
  }

  tell() {
    this.state.version += 1;
    this.broadcastPatch();
  }

  onJoin(client) {
    const player = new Player();
    player.hand.push(...this.stock.splice(0, 13));
    this.state.players.push(player);
    client.view = new StateView();
    client.view.add(player);
    this.tell();
  }
}

const serve = async () => {
  const server = new Server({ transport: new WebSocketTransport(), greet: false });
  server.define("rummy", Rummy);
  await server.listen(0);
  tell(server.transport.server.address().port);
};

let server;
const tables = [];

/** Starts the server and seats everybody. */
const begin = async (number, seats) => {
  server = await startServer(__filename);
  const client = new Client(`ws://127.0.0.1:${server.port}`);
  for (let table = 0; table < number; table += 1) {
    const rooms = [await client.create("rummy")];
    while (rooms.length < seats) rooms.push(await client.joinById(rooms[0].roomId));
    await reached(rooms, seats);
    tables.push(rooms);
  }
  return number;
};

const reached = (rooms, version) =>
  Promise.all(
    rooms.map(
      (room) =>
        new Promise((resolve) => {
          if (room.state.version >= version) return resolve();
          return room.onStateChange((state) => {
            if (state.version >= version) resolve();
          });
        }),
    ),
  );

/** Draws and throws the card away again; everybody has seen each move. */
const playTurn = async (rooms) => {
  const { turn, version } = rooms[0].state;
  for (const room of rooms) room.onStateChange.clear();
  rooms[turn].send("draw");
  await reached(rooms, version + 1);
  rooms[turn].send("discard", rooms[turn].state.players[turn].hand.at(-1));
  await reached(rooms, version + 2);
};

if (process.argv[2] === "serve") serve();
else answer({ begin, play: (seconds) => playAll(tables, seconds, server, playTurn) });
