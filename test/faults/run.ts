/**
 * `npm run faults`: starts the service once for each fault, runs the conformance suite against it, and says how many of
 * the faults the suite caught. `--seeds 20` first runs it so many times against the service without fault.
 */
import { parseArgs } from "node:util";
import { inParallel } from "../../generator/conformance/index.ts";
import { faults } from "./faults/index.ts";
import { scoreText, writeScore } from "./score.ts";
import { complaints, runAgainst, tryFault, type Trial } from "./try-fault.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true },
    layer: { type: "string" },
    jobs: { type: "string", default: "2" },
    seeds: { type: "string", default: "0" },
    seed: { type: "string", default: "1" },
    level: { type: "string", default: "decisions" },
    all: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
  },
});
const level = values.level === "document" || values.level === "strict" ? values.level : "decisions";
const failuresMax = values.all ? Infinity : 1;
let failed = false;

for (let seed = 1; seed <= Number(values.seeds); seed += 1) {
  const wrong = complaints(await runAgainst(undefined, { level, seed, failuresMax: Infinity }));
  console.log(`without fault, seed ${seed}: ${wrong.length === 0 ? "nothing failed" : wrong.join("\n  ")}`);
  if (wrong.length > 0) failed = true;
}

const selected = faults.filter(
  ({ id, layer }) =>
    (values.only === undefined || values.only.includes(id)) &&
    (values.layer === undefined || layer === values.layer),
);
const trials = new Map<string, Trial>();
await inParallel(selected, Number(values.jobs), async ({ id }) => {
  const trial = await tryFault(id, { level, seed: Number(values.seed), failuresMax });
  trials.set(id, trial);
  const seconds = (trial.elapsedMs / 1000).toFixed(1);
  const by = trial.outcome === "caught" ? trial.by.slice(0, values.all ? 20 : 1).join(", ") : "";
  const detail = trial.outcome === "not-started" ? (trial.detail ?? "") : "";
  console.log(`${trial.outcome.padEnd(11)} ${id} (${seconds} s) ${by}${detail}`);
});

const inOrder = selected.flatMap(({ id }) => trials.get(id) ?? []);
console.log(scoreText(faults, inOrder));
if (values.write && selected.length === faults.length) writeScore(faults, inOrder);
if (failed || inOrder.some(({ outcome }) => outcome === "not-started")) process.exitCode = 1;
