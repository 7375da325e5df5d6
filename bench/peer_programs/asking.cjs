// What the live peers share: they answer questions, one a line, and their server is a process of its own.

const { fork } = require("node:child_process");
const { createInterface } = require("node:readline");

/** Answers questions until the input ends. What a library prints goes to stderr. */
exports.answer = (questions) => {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  const lines = createInterface({ input: process.stdin });
  let answered = Promise.resolve();
  lines.on("line", (line) => {
    const [question, ...values] = JSON.parse(line);
    answered = answered.then(async () => write(`${JSON.stringify(await questions[question](...values))}\n`));
  });
  lines.on("close", () => process.exit());
};

/** Starts the program's server. Returns its port and a function that tells its processor time in seconds. */
exports.startServer = async (program, ...values) => {
  const server = fork(program, ["serve", ...values], { stdio: ["ignore", 2, 2, "ipc"] });
  process.on("exit", () => server.kill());
  const hear = () => new Promise((resolve) => server.once("message", resolve));
  const port = await hear();
  const measure = async () => {
    server.send("measure");
    return hear();
  };
  return { port, measure };
};

/** In the server: tells its port, and its processor time when asked. */
exports.tell = (port) => {
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    process.send((user + system) / 1e6);
  });
  process.send(port);
};

/** Lets all tables play for some seconds. Returns the moves made, and the processor time of the server. */
exports.playAll = async (tables, seconds, server, playTurn) => {
  const before = await server.measure();
  const until = performance.now() + 1_000 * seconds;
  let moves = 0;
  await Promise.all(
    tables.map(async (table) => {
      while (performance.now() < until) {
        await playTurn(table);
        moves += 2;
      }
    }),
  );
  return [moves, (await server.measure()) - before];
};

/** Two packs, shuffled. */
exports.shuffle = () => {
  const cards = Array.from({ length: 104 }, (_, card) => card % 52);
  for (let place = cards.length - 1; place > 0; place -= 1) {
    const other = Math.floor(Math.random() * (place + 1));
    [cards[place], cards[other]] = [cards[other], cards[place]];
  }
  return cards;
};
