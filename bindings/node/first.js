// Two numbers of a private graph from Node: the program privgraph as a child process. It prints JSON, keeps the budget in
// a file, and says by its exit status what went wrong (4: the budget is spent).
const { execFileSync } = require("node:child_process");
const { writeFileSync } = require("node:fs");

const privgraph = (...words) => JSON.parse(execFileSync("privgraph", words, { stdio: ["ignore", "pipe", "pipe"] }));

let ring = "# order 1000\n";
for (let i = 0; i < 1000; i++) ring += `${i} ${(i + 1) % 1000}\n`;
writeFileSync("people.txt", ring, { mode: 0o600 });
execFileSync("privgraph", ["ledger", "create", "people.ledger", "--epsilon", "1"]);
const pays = ["--ledger", "people.ledger", "--object", "people", "people.txt"];
const release = privgraph("stats", "--list", "edges,components", "-e", "1", "--interval", "95", "--json", ...pays);
const [row] = release.values;
const of = (name) => row[release.columns.indexOf(name)];
for (const name of ["edges", "components"])
  console.log(`${name} ${of(name)}, 95 %: ${of(name + "_low")} to ${of(name + "_high")}`);
try {
  privgraph("release", "triangles", "-e", "0.5", "--json", ...pays);
  process.exit(1);
} catch (refused) {
  if (refused.status !== 4) throw refused;
  console.log("again:", String(refused.stderr).trim());
}
