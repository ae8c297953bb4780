// Speaks the protocol for the strategy in strategy.js. Nothing to change here.
const { Strategy } = require("./strategy.js");

const strategy = new Strategy();
let rows, cols, lengths, seed, apart;

// Takes a line of the referee, and prints the reply if it asks for one.
function hear(line) {
  const [command, ...words] = line.split(" ");
  const numbers = words.map(Number);
  if (command === "battleship") {
    console.log(`name ${strategy.name}\nplays classic salvo apart\nready`); // console.log flushes
  } else if (command === "game") {
    [, rows, cols] = numbers;
    [lengths, seed, apart] = [[], 0, false];
  } else if (command === "ship") {
    lengths.push(numbers[1]);
  } else if (command === "rule") {
    apart ||= words[0] === "apart";
  } else if (command === "seed") {
    seed = numbers[0];
  } else if (command === "place") {
    strategy.newGame(rows, cols, lengths, seed, apart);
    const places = strategy.place()?.map(({ row, col, direction }) => `${row} ${col} ${direction}`);
    console.log(`place ${places ? places.join(" ") : "none"}`);
  } else if (command === "attack") {
    const { row, col } = strategy.attack();
    console.log(`attack ${row} ${col}`);
  } else if (command === "salvo") {
    const cells = strategy.salvo(numbers[0]).map(({ row, col }) => `${row} ${col}`);
    console.log(`salvo ${cells.join(" ")}`);
  } else if (command === "result") {
    strategy.result(numbers[0], numbers[1], words[2], numbers[3]);
  } else if (command === "opponent") {
    strategy.opponent(numbers[0], numbers[1]);
  } else if (command === "quit") {
    process.exit();
  }
}

module.exports = { hear };
if (require.main === module) require("node:readline").createInterface({ input: process.stdin }).on("line", hear);
