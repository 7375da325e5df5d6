// A rummy of draws and discards on boardgame.io, in memory or on PostgreSQL.

const { Client, LobbyClient } = require("boardgame.io/client");
const { SocketIO } = require("boardgame.io/multiplayer");
const { INVALID_MOVE, PlayerView } = require("boardgame.io/core");
const { Origins, Server } = require("boardgame.io/server");
const { answer, playAll, shuffle, startServer, tell } = require("./asking.cjs");

const game = {
  name: "rummy",
  setup: ({ ctx }) => {
    const stock = shuffle();
    const players = {};
    for (let seat = 0; seat < ctx.numPlayers; seat += 1) players[seat] = { hand: stock.splice(0, 13) };
    return { secret: { stock }, players, open: [], drawn: false };
  },
  playerView: PlayerView.STRIP_SECRETS,
  moves: {
    draw: {
      client: false,
      move: ({ G, playerID }) => {
        if (G.drawn) return INVALID_MOVE;
        if (G.secret.stock.length === 0) G.secret.stock = G.open.splice(0);
        G.players[playerID].hand.push(G.secret.stock.pop());
        G.drawn = true;
        return undefined;
      },
    },
    discard: {
      client: false,
      move: ({ G, playerID, events }, card) => {
        const { hand } = G.players[playerID];
        if (!G.drawn || !hand.includes(card)) return INVALID_MOVE;
        hand.splice(hand.indexOf(card), 1);
        G.open.push(card);
        G.drawn = false;
        events.endTurn();
        return undefined;
      },
    },
  },
};

const serve = async (database) => {
  const db = database === undefined ? undefined : new (require("bgio-postgres").PostgresStore)(database, { logging: false });
  const server = Server({ games: [game], db, origins: [Origins.LOCALHOST] });
  const running = await server.run({ port: 0 });
  tell(running.appServer.address().port);
};

let server;
const tables = [];

/** Starts the server and seats everybody. */
const begin = async (number, seats, database) => {
  server = await startServer(__filename, ...(database === null ? [] : [database]));
  const address = `http://127.0.0.1:${server.port}`;
  const lobby = new LobbyClient({ server: address });
  for (let table = 0; table < number; table += 1) {
    const { matchID } = await lobby.createMatch("rummy", { numPlayers: seats });
    const clients = [];
    for (let seat = 0; seat < seats; seat += 1) {
      const playerID = String(seat);
      const { playerCredentials } = await lobby.joinMatch("rummy", matchID, { playerID, playerName: playerID });
      const multiplayer = SocketIO({ server: address });
      const client = Client({ game, numPlayers: seats, matchID, playerID, credentials: playerCredentials, multiplayer, debug: false });
      client.start();
      clients.push(client);
    }
    tables.push(clients);
    await reached(clients, 0);
  }
  return number;
};

const reached = (clients, version) =>
  Promise.all(
    clients.map(
      (client) =>
        new Promise((resolve) => {
          const stop = { now: () => {} };
          const look = () => {
            const state = client.getState();
            if (state === null || state._stateID < version) return;
            stop.now();
            resolve();
          };
          stop.now = client.subscribe(look);
          look();
        }),
    ),
  );

/** Draws and throws the card away again; everybody has seen each move. */
const playTurn = async (clients) => {
  const { ctx, _stateID } = clients[0].getState();
  const mover = clients[Number(ctx.currentPlayer)];
  mover.moves.draw();
  await reached(clients, _stateID + 1);
  const { G, _stateID: drawn } = mover.getState();
  mover.moves.discard(G.players[ctx.currentPlayer].hand.at(-1));
  await reached(clients, drawn + 1);
};

if (process.argv[2] === "serve") serve(process.argv[3]);
else answer({ begin, play: (seconds) => playAll(tables, seconds, server, playTurn) });
