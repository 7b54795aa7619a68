/**
 * The cost of every part of ledger-rpc, beside the least it can cost and beside other tools on the same work, in one run.
 *
 *     npm run bench -- [part…] [--rounds 7] [--json file] [--svg file] [--compare bench/baseline.json] [--beside folder]
 *                      [--refresh bench/baseline.json]
 *
 * Contestants take turns, A B C A B C. Where there are two cores, servers run on the first and callers, in this process,
 * on the second. Prints one table: medians, spreads, and ratios round by round. `--compare` ends with 1 where a ratio
 * got worse by more than 15 %. `--refresh` puts what was measured into the file of an earlier run of the same machine.
 */
import { availableParallelism, cpus } from "node:os";
import { writeFileSync } from "node:fs";
import { commandLine } from "./harness/command-line.ts";
import { chartOf } from "./harness/chart.ts";
import { worseThan } from "./harness/compare.ts";
import type { Figure } from "./harness/figures.ts";
import { cleanUp, pinLoad } from "./harness/processes.ts";
import { refreshed, type Machine } from "./harness/refresh.ts";
import { reportOf } from "./harness/report.ts";
import { parts } from "./parts/index.ts";

const { values, positionals } = commandLine(import.meta.filename, {
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "7" },
    json: { type: "string" },
    svg: { type: "string" },
    compare: { type: "string" },
    refresh: { type: "string" },
    beside: { type: "string" },
  },
});
const unknown = positionals.filter((name) => !parts.some((part) => part.name === name));
if (unknown.length > 0) {
  const known = parts.map(({ name, title }) => `  ${name.padEnd(12)} ${title}`).join("\n");
  console.error(`There is no part ${unknown.join(", ")}. The parts are:\n${known}`);
  process.exit(2);
}
const chosen = positionals.length === 0 ? parts : parts.filter(({ name }) => positionals.includes(name));

const { version, platform, arch } = process;
// Before this process is bound to one of the cores.
const machine: Machine = {
  node: version,
  platform,
  arch,
  cores: availableParallelism(),
  cpu: cpus()[0]?.model,
};
if (values.refresh !== undefined) refreshed(values.refresh, machine, []);
const figures: Figure[] = [];
pinLoad();
try {
  for (const part of chosen)
    figures.push(...(await part.measure({ rounds: Number(values.rounds), beside: values.beside, progress })));
} finally {
  progress("");
  await cleanUp();
}
console.log(reportOf(figures));

if (values.json !== undefined) write(values.json, figures);
if (values.refresh !== undefined) write(values.refresh, refreshed(values.refresh, machine, figures));
if (values.svg !== undefined) writeFileSync(values.svg, chartOf(figures));
if (values.compare !== undefined) {
  const worse = worseThan(values.compare, figures);
  for (const sentence of worse) console.error(sentence);
  if (worse.length > 0) process.exitCode = 1;
  else console.log(`No ratio got worse by more than 15 % against ${values.compare}.`);
}

function write(file: string, all: readonly object[]): void {
  writeFileSync(file, `${JSON.stringify({ machine, figures: all }, undefined, 2)}\n`);
}

/** One line that is written again and again, on a terminal. */
function progress(what: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${what}`);
}
